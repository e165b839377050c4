"""Commands of the service. They parse, call the library and print; heavy imports come late."""

import json
import os
from typing import Annotated, Any

import typer

app = typer.Typer(no_args_is_help=True)


@app.command("serve")
def serve_command() -> None:
    """Serve the published generation over HTTP until stopped."""
    # More threads make eight clients twenty times slower; read once, when numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from zp_serving.app import create_app
    from zp_serving.logs import configure_logs
    from zp_serving.server import listen, serve
    from zp_serving.settings import ServingSettings

    configure_logs()
    settings = ServingSettings.load()
    application = create_app(settings)
    serve(application, listen(settings.api_host, settings.api_port))


@app.command("search")
def search_command(
    query: Annotated[str, typer.Argument(help="The question.")],
    *,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Most results wanted.")] = 10,
    groups: Annotated[
        list[str] | None, typer.Option("--group", help="Ask as a member of it; repeatable.")
    ] = None,
    include_unpublished: Annotated[
        bool, typer.Option("--include-unpublished", help="Add pages with `published: false`.")
    ] = False,
    max_per_document: Annotated[
        int, typer.Option(min=1, max=20, help="Most results from one document.")
    ] = 3,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the body that the HTTP service would answer.")
    ] = False,
) -> None:
    """Search the published generation in this process, without the service."""
    asked = {
        "query": query,
        "limit": limit,
        "published_only": not include_unpublished,
        "max_per_document": max_per_document,
    }
    run_search(asked, checked_groups(groups or []), as_json)


def checked_groups(groups: list[str]) -> list[str]:
    """Return the groups. Raises a usage error for a name that no group can have."""
    from zp_pipeline.shared.schema.rights import GROUP_NAME

    for group in groups:
        if not GROUP_NAME.fullmatch(group):
            raise typer.BadParameter(
                f"no group can have this name: {group!r}", param_hint="--group"
            )
    return groups


def run_search(asked: dict[str, Any], groups: list[str], as_json: bool) -> None:
    """Search and print; with `as_json` an error is an answer as well, with exit code 1."""
    from zp_pipeline.shared.errors import ZpError
    from zp_serving.bodies import parse_json
    from zp_serving.contract import SearchBody
    from zp_serving.local_search import describe, print_error, search_published
    from zp_serving.logs import configure_logs

    configure_logs()
    try:
        answer = search_published(parse_json(SearchBody, json.dumps(asked)), groups)
    except ZpError as error:
        if not as_json:
            raise
        print_error(error)
        raise typer.Exit(1) from None
    print(answer.model_dump_json() if as_json else describe(answer))
