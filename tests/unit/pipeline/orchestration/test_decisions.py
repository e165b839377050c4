"""What the sensor does about a head, case by case."""

import pytest

from zp_pipeline.orchestration.decisions import Observation, decide


def seen(**facts: bool) -> Observation:
    nothing = dict.fromkeys(("building", "served", "held", "waiting", "failed"), False)
    return Observation(**{**nothing, **facts})


@pytest.mark.parametrize(
    ("observation", "action"),
    [
        (seen(), "build"),
        (seen(served=True), "rest"),
        (seen(failed=True), "rest"),
        (seen(held=True), "rest"),
        (seen(building=True), "rest"),
        (seen(building=True, waiting=True), "rest"),
        (seen(waiting=True), "build"),
        (seen(waiting=True, failed=True), "build"),
        (seen(waiting=True, held=True), "build"),
        (seen(waiting=True, served=True), "answer"),
        (seen(waiting=True, served=True, building=True), "rest"),
    ],
)
def test_decide_each_case(observation: Observation, action: str) -> None:
    decision = decide(observation)
    assert decision.action == action
    assert decision.why
