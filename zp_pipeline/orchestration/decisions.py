"""What to do about a head of the wiki: a pure function, so that every case is a plain test."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Observation:
    """What a tick of the sensor sees.

    `served`: the head is published with these settings. `held`: a roll-back rests on this head.
    `waiting`: somebody's request is queued. `failed`: why this head used up its tries.
    """

    building: bool
    served: bool
    held: bool
    waiting: bool
    failed: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """`build` starts a run, `answer` closes requests with what is served, `rest` does nothing."""

    action: Literal["build", "answer", "rest"]
    why: str


def decide(seen: Observation) -> Decision:
    """Return what to do. Requests come from people: they win over all but a build under way."""
    if seen.building:
        return Decision("rest", "a build is under way; its follow-up answers what is asked now")
    if seen.served:
        return Decision("answer" if seen.waiting else "rest", "the head is served")
    if seen.waiting:
        return Decision("build", "a request waits")
    if seen.held:
        return Decision("rest", "held by a roll-back until zp generations resume")
    if seen.failed:
        return Decision("rest", f"this head failed: {seen.failed}; see zp status")
    return Decision("build", "the wiki has a new head")
