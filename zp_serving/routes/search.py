"""`/search`: passages for a question, for programs; language models are given `/rag`."""

from typing import Annotated

from fastapi import APIRouter, Depends

from zp_serving.contract import SearchAnswer, SearchBody
from zp_serving.rag.search import search
from zp_serving.routes.dependencies import ERRORS, CallerDep, ServiceDep, body_of, describe_body

router = APIRouter(tags=["search"])

SearchBodyDep = Annotated[SearchBody, Depends(body_of(SearchBody))]


@router.post(
    "/search",
    operation_id="zp_search",
    responses=ERRORS,
    openapi_extra=describe_body(SearchBody),
)
def post_search(service: ServiceDep, caller: CallerDep, body: SearchBodyDep) -> SearchAnswer:
    """Find passages by words and by meaning, from the best, in what the caller may see."""
    with service.active.lease() as generation:
        return search(generation, body, caller)
