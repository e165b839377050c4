"""The result of a build as the request table keeps it and `zp rebuild` prints it."""

from typing import Any

from zp_pipeline.builds.run import BuildRun, utc_now
from zp_pipeline.publication.publish import Outcome, judge, publish
from zp_pipeline.publication.retention import Collected, collect
from zp_pipeline.shared.generation.manifest import CheckRecord, GenerationManifest

DETAILS = {
    "not_head": "the commit is not the accepted head of the branch; the build is kept",
    "held": "an older generation was activated; zp generations resume ends that",
}


def judge_run(run: BuildRun) -> list[CheckRecord]:
    """Return what the gate finds; what this very run has judged is not judged again."""
    root = run.build.root
    if root not in run.judged:
        run.judged[root] = judge(run.build, utc_now())
    return run.judged[root]


def publish_run(run: BuildRun) -> tuple[Outcome, Collected]:
    """Judge and publish the build of `run`, collect what is old, and close its requests."""
    outcome = publish(run.build, judge_run(run), utc_now)
    collected = Collected([], 0)
    if outcome.published:
        collected = collect(run.workspace.store, run.workspace.settings.keep_generations, utc_now())
    run.succeed(result_of(run, outcome))
    return outcome, collected


def result_of(run: BuildRun, outcome: Outcome) -> dict[str, Any]:
    """Return the counts of a finished build."""
    result = {
        **manifest_counts(outcome.manifest),
        **run.counts,
        "published": outcome.published,
        "duration_seconds": round((utc_now() - run.started_at).total_seconds(), 3),
    }
    if outcome.published or outcome.reason is None:
        return result
    return {**result, "reason": outcome.reason, "detail": DETAILS[outcome.reason]}


def manifest_counts(manifest: GenerationManifest) -> dict[str, Any]:
    """Return what a manifest says of a build; nothing counts as computed until a run says so."""
    embeddings = manifest.artifacts["embeddings"].rows
    return {
        "generation": manifest.id,
        "commit": manifest.commit,
        "documents": manifest.documents,
        "chunks": manifest.chunks,
        "warnings": sum(record.rows.get("warnings", 0) for record in manifest.artifacts.values()),
        "embedding_segments": embeddings["embeddings"],
        "embedding_computed": 0,
        "embedding_reused": embeddings["embeddings"],
        "embedding_chunks": embeddings["embedding_chunks"],
    }
