"""What the sensor does about a head, case by case."""

import pytest

from zp_pipeline.orchestration.decisions import Observation, decide


def seen(failed: str | None = None, **facts: bool) -> Observation:
    nothing = dict.fromkeys(("building", "served", "held", "waiting"), False)
    return Observation(failed=failed, **{**nothing, **facts})


@pytest.mark.parametrize(
    ("observation", "action"),
    [
        (seen(), "build"),
        (seen(served=True), "rest"),
        (seen(failed="history_rewritten"), "rest"),
        (seen(held=True), "rest"),
        (seen(building=True), "rest"),
        (seen(building=True, waiting=True), "rest"),
        (seen(waiting=True), "build"),
        (seen(failed="gate_refused", waiting=True), "build"),
        (seen(waiting=True, held=True), "build"),
        (seen(waiting=True, served=True), "answer"),
        (seen(waiting=True, served=True, building=True), "rest"),
    ],
)
def test_decide_each_case(observation: Observation, action: str) -> None:
    decision = decide(observation)
    assert decision.action == action
    assert decision.why


def test_decide_failed_head_says_why() -> None:
    assert "history_rewritten" in decide(seen(failed="history_rewritten")).why
