"""The contract: one envelope, and errors that tell no more than they may."""

import pytest

from zp_pipeline.shared.errors import ArtifactDamaged, ModelAssetsError, ZpError
from zp_serving.contract import Contract, ErrorAnswer, SearchAnswer, error_result
from zp_serving.errors import Forbidden, InvalidQuery, InvalidRequest, Refusal, Unauthorized

ENVELOPE = {
    "status",
    "reason",
    "sources",
    "index_version",
    "complete",
    "truncated",
    "truncation_reasons",
}


@pytest.mark.parametrize("model", [Contract, SearchAnswer, ErrorAnswer])
def test_model_has_the_whole_envelope(model: type[Contract]) -> None:
    assert model.model_fields.keys() >= ENVELOPE


@pytest.mark.parametrize("kind", Refusal.__subclasses__())
def test_error_result_every_refusal_keeps_status_and_reason(kind: type[Refusal]) -> None:
    result = error_result(kind())
    assert (result.http_status, result.answer.reason) == (kind.http_status, kind.reason)
    assert result.answer.detail == str(kind())


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (InvalidQuery(), 400, "invalid_query"),
        (Unauthorized(), 401, "unauthorized"),
        (Forbidden(), 403, "forbidden"),
        (InvalidRequest(["limit"]), 422, "invalid_request"),
        (ArtifactDamaged("/srv/x"), 503, "retrieval_unavailable"),
        (ModelAssetsError("/srv/x"), 503, "retrieval_unavailable"),
        (ZpError("/srv/x"), 500, "internal_error"),
        (RuntimeError("/srv/x"), 500, "internal_error"),
    ],
)
def test_error_result_maps_to_listed_status(error: Exception, status: int, reason: str) -> None:
    result = error_result(error)
    assert (result.http_status, result.answer.reason) == (status, reason)
    assert "/srv/x" not in result.answer.model_dump_json()


def test_error_result_reports_no_version_and_no_completeness() -> None:
    answer = error_result(InvalidQuery()).answer
    assert (answer.status, answer.index_version, answer.complete) == ("error", None, False)
    assert (answer.sources, answer.truncated, answer.truncation_reasons) == ([], False, [])
