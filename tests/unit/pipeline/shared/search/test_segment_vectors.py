"""Cosines of chunks: the best segment counts, and chunks without one stay below all."""

from pathlib import Path

import numpy as np
import pytest

from zp_pipeline.shared.errors import ArtifactDamaged
from zp_pipeline.shared.search.segment_vectors import NO_VECTOR, SegmentVectors

QUERY = np.array([1.0, 0.0], np.float32)
MATRIX = np.array([[0.6, 0.8], [1.0, 0.0], [0.8, 0.6]], np.float32)
# Row 0 has two segments, row 1 none, row 2 one, row 3 none.
OFFSETS = np.array([0, 2, 2, 3, 3])


def test_cosines_take_the_best_segment_of_each_row() -> None:
    cosines = SegmentVectors(MATRIX, OFFSETS).cosines(QUERY)
    np.testing.assert_allclose(cosines, [1.0, NO_VECTOR, 0.8, NO_VECTOR])


@pytest.mark.parametrize("rows", [[2, 1], [3, 0, 2], [1], []])
def test_cosines_of_rows_equal_those_of_all(rows: list[int]) -> None:
    vectors = SegmentVectors(MATRIX, OFFSETS)
    chosen = np.array(rows, np.int64)
    np.testing.assert_allclose(vectors.cosines_of(chosen, QUERY), vectors.cosines(QUERY)[chosen])


def test_cosines_of_empty_index_are_none() -> None:
    empty = SegmentVectors(np.empty((0, 2), np.float32), np.array([0]))
    assert empty.cosines(QUERY).shape == (0,)


def test_covered_rows_are_those_with_a_segment() -> None:
    assert SegmentVectors(MATRIX, OFFSETS).covered_rows() == 2


def test_load_of_other_size_raises(tmp_path: Path) -> None:
    np.save(tmp_path / "matrix.npy", MATRIX)
    np.save(tmp_path / "offsets.npy", OFFSETS)
    assert len(SegmentVectors.load(tmp_path, rows=4, segments=3).matrix) == 3
    with pytest.raises(ArtifactDamaged, match="4 rows to 3 vectors"):
        SegmentVectors.load(tmp_path, rows=4, segments=2)
