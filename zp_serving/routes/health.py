"""`/health` and `/livez`: the state of the service, without a key."""

from fastapi import APIRouter

from zp_serving.health import HealthAnswer, LiveAnswer, health_of
from zp_serving.routes.dependencies import ServiceDep

router = APIRouter(tags=["health"])


@router.get("/health", operation_id="zp_health")
async def get_health(service: ServiceDep) -> HealthAnswer:
    """Tell which generation is served and which tools are ready; `ready` sums it up."""
    return health_of(service.active, service.clock())


@router.get("/livez", operation_id="zp_live")
async def get_live() -> LiveAnswer:
    """Say that the process lives, and nothing more."""
    return LiveAnswer()
