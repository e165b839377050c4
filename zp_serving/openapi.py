"""The two OpenAPI documents and the page made from the larger one.

The page is plain HTML without scripts: the usual viewers are fetched from elsewhere when opened,
and this service must work, and be safe to look at, on a machine without the internet.
"""

import json
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Any

from fastapi import APIRouter, Depends, FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.responses import HTMLResponse, JSONResponse, Response

from zp_serving.routes import INTERNAL_ROUTERS, MODEL_ROUTERS
from zp_serving.routes.dependencies import search_caller

TITLE = "zp"
VERSION = "1"
DESCRIPTION = "Searches a wiki of theses and answers from one published generation of it."


@cache
def model_document() -> dict[str, Any]:
    """Return what a language model may call."""
    return _document(MODEL_ROUTERS)


@cache
def full_document() -> dict[str, Any]:
    """Return every address of the service."""
    return _document((*MODEL_ROUTERS, *INTERNAL_ROUTERS))


def _document(routers: Iterable[APIRouter]) -> dict[str, Any]:
    routes = [route for router in routers for route in router.routes]
    return get_openapi(title=TITLE, version=VERSION, description=DESCRIPTION, routes=routes)


def add_documents(app: FastAPI, with_page: bool) -> None:
    """Add the documents to `app`, and the page at `/docs` where it is wanted."""

    @app.get("/openapi.json", include_in_schema=False)
    async def get_model_document() -> Response:
        return JSONResponse(model_document())

    @app.get("/openapi-full.json", include_in_schema=False, dependencies=[Depends(search_caller)])
    async def get_full_document() -> Response:
        return JSONResponse(full_document())

    if with_page:

        @app.get("/docs", include_in_schema=False)
        async def get_page() -> Response:
            return HTMLResponse(page(full_document()))


def page(document: dict[str, Any]) -> str:
    """Return the document as HTML: each operation, then the schemas that they name."""
    info, schemas = document["info"], document.get("components", {}).get("schemas", {})
    operations = [
        _section(f"{method.upper()} {path}", operation.get("description", ""), operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    models = [
        _section(name, schema.get("description", ""), schema) for name, schema in schemas.items()
    ]
    head = '<!doctype html><html lang="en"><meta charset="utf-8">'
    title = escape(info["title"])
    intro = f"<title>{title}</title><h1>{title}</h1><p>{escape(info['description'])}</p>"
    return "".join([head, intro, *operations, "<h1>Schemas</h1>", *models])


def _section(title: str, text: str, details: dict[str, Any]) -> str:
    listing = escape(json.dumps(details, ensure_ascii=False, indent=2))
    heading = f"<h2>{escape(title)}</h2><p>{escape(text)}</p>"
    return f"{heading}<details><summary>OpenAPI</summary><pre>{listing}</pre></details>"
