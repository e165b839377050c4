"""HTTP addresses, one module per subject. Handlers only connect; work is done elsewhere.

`MODEL_ROUTERS` are offered to language models through `/openapi.json`: the tools `zp_rag` and
`zp_graph` belong there. `INTERNAL_ROUTERS` are for services and people.
"""

from fastapi import APIRouter

from zp_serving.routes import health, search

MODEL_ROUTERS: tuple[APIRouter, ...] = ()
INTERNAL_ROUTERS: tuple[APIRouter, ...] = (health.router, search.router)
