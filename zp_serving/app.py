"""The application: routes, middleware and the watch over the published generation, put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from zp_pipeline.shared.errors import ZpError
from zp_serving.active_generation import PointerWatch
from zp_serving.failures import handle_error, handle_http_exception
from zp_serving.middleware import REQUEST_ID_HEADER, RequestContext, UnexpectedErrors
from zp_serving.openapi import add_documents
from zp_serving.routes import INTERNAL_ROUTERS, MODEL_ROUTERS
from zp_serving.security import GROUPS_HEADER, KEY_HEADER, TOKEN_HEADER
from zp_serving.served_generation import Encoder
from zp_serving.service import Clock, IndexOpener, Service, build_service, utc_now
from zp_serving.settings import ServingSettings

CORS_HEADERS = ("Authorization", "Content-Type", KEY_HEADER, GROUPS_HEADER, TOKEN_HEADER)
# Spans and logs of the framework would carry questions and the messages of exceptions.
NO_TELEMETRY = TelemetryConfig(tracing=False, metrics=False, logs=False)


def create_app(
    settings: ServingSettings,
    *,
    encoder: Encoder | None = None,
    open_index: IndexOpener | None = None,
    clock: Clock = utc_now,
) -> FastAPI:
    """Return the application. Raises `SettingsError`; opens nothing before it is started."""
    app = FastAPI(
        openapi_url=None,
        redirect_slashes=False,  # a redirect would be an answer outside the contract
        telemetry=NO_TELEMETRY,
        lifespan=watch_generations,
    )
    app.state.service = build_service(settings, encoder=encoder, open_index=open_index, clock=clock)
    for router in (*MODEL_ROUTERS, *INTERNAL_ROUTERS):
        app.include_router(router)
    add_documents(app, with_page=settings.docs_enabled)
    app.add_exception_handler(ZpError, handle_error)
    app.add_exception_handler(HTTPException, handle_http_exception)
    add_middleware(app, settings.cors_origins)
    return app


def add_middleware(app: FastAPI, cors_origins: tuple[str, ...]) -> None:
    """Add the middleware; what is added last meets a request first."""
    app.add_middleware(UnexpectedErrors)
    if cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=cors_origins,
            allow_methods=["GET", "POST"],
            allow_headers=CORS_HEADERS,
            expose_headers=[REQUEST_ID_HEADER],
        )
    app.add_middleware(RequestContext)


@asynccontextmanager
async def watch_generations(app: FastAPI) -> AsyncIterator[None]:
    """Open what is published, watch for the next while the application runs, then close."""
    service: Service = app.state.service
    watch = PointerWatch(service.active)
    watch.start()
    try:
        yield
    finally:
        await run_in_threadpool(watch.stop)
        service.active.close()
