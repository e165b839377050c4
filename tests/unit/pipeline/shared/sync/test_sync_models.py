"""How failures are classified, how attempts are counted by target, what a claim adds up to."""

from datetime import UTC, datetime

import pytest

from zp_pipeline.shared.errors import GateRefused, GitUnavailable
from zp_pipeline.shared.sync.models import Claim, Failure, Request, Target


def a_request(**changes: object) -> Request:
    """A queued request, but for `changes`."""
    empty = dict.fromkeys(Request.__dataclass_fields__)
    values = {"seq": 1, "source": "cli", "state": "queued", "pull": False, "attempts": 0}
    now = datetime(2026, 3, 1, tzinfo=UTC)
    return Request(**{**empty, **values, "job_id": "j", "created_at": now, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (GateRefused("two checks failed"), Failure("gate_refused", "two checks failed", True)),
        (GitUnavailable("no answer"), Failure("git_unavailable", "no answer", False)),
        (OSError("password=hunter2"), Failure("internal_error", "OSError", False)),
    ],
)
def test_failure_of_error_is_classified_by_type(error: Exception, expected: Failure) -> None:
    assert Failure.of(error) == expected


@pytest.mark.parametrize(
    ("target", "number"),
    [(Target("a" * 12, "s1"), 3), (Target("b" * 12, "s1"), 1), (Target("a" * 12, "s2"), 1)],
)
def test_next_attempt_counts_by_target(target: Target, number: int) -> None:
    tried = a_request(attempts=2, commit="a" * 12, settings_fingerprint="s1")
    assert tried.next_attempt(target) == number


def test_claim_adds_up_what_its_requests_want() -> None:
    claim = Claim("run", (a_request(pull=True), a_request(seq=2)))
    assert claim.pull
    assert not Claim("run", ()).pull
