"""Who may see which rows: the mask, and the names that may enter a filter."""

import pyarrow as pa
import pytest

from zp_pipeline.shared.schema.rights import ALWAYS_FROM_US, ALWAYS_TO_US, RIGHTS_FIELDS
from zp_pipeline.shared.search.models import Caller
from zp_pipeline.shared.search.visibility import Visibility, filter_for

NOW = 1_000


def page(**rights: object) -> dict[str, object]:
    """Return the rights of a page open to everyone, changed by `rights`."""
    always = {"valid_from_us": ALWAYS_FROM_US, "valid_to_us": ALWAYS_TO_US}
    return {"published": True, "open": True, "allowed_groups": [], **always, **rights}


def caller(*groups: str, published_only: bool = True) -> Caller:
    """Return a caller who asks at `NOW`."""
    return Caller(frozenset(groups), published_only, NOW)


def sees(rights: dict[str, object], who: Caller) -> bool:
    """Tell whether `who` sees the one page with `rights`."""
    table = pa.Table.from_pylist([rights], pa.schema(RIGHTS_FIELDS))
    return bool(Visibility.of_table(table).mask(who)[0])


@pytest.mark.parametrize(
    ("rights", "who", "visible"),
    [
        (page(), caller(), True),
        (page(published=False), caller("veduci"), False),
        (page(published=False), caller(published_only=False), True),
        (page(open=False, allowed_groups=["veduci"]), caller(), False),
        (page(open=False, allowed_groups=["veduci", "x"]), caller("veduci"), True),
        (page(open=False, allowed_groups=["veduci"]), caller("studenti"), False),
        (page(open=False), caller("veduci", published_only=False), False),
        (page(valid_from_us=NOW), caller(), True),
        (page(valid_from_us=NOW + 1), caller("veduci", published_only=False), False),
        (page(valid_to_us=NOW + 1), caller(), True),
        (page(valid_to_us=NOW), caller("veduci", published_only=False), False),
        (page(open=False, allowed_groups=["A'b"]), caller("A'b"), False),
    ],
)
def test_mask_of_page_and_caller(rights: dict[str, object], who: Caller, visible: bool) -> None:
    assert sees(rights, who) is visible


def test_mask_of_several_rows_keeps_their_order() -> None:
    rows = [page(open=False, allowed_groups=["b"]), page(), page(open=False, allowed_groups=["a"])]
    table = pa.Table.from_pylist(rows, pa.schema(RIGHTS_FIELDS))
    assert Visibility.of_table(table).mask(caller("a")).tolist() == [False, True, True]


@pytest.mark.parametrize("group", ["x') OR (true", "A", "", "a b", "\ud800", "a\n", "x" * 65])
def test_filter_for_malformed_group_leaves_it_out(group: str) -> None:
    assert filter_for(caller(group)) == filter_for(caller())
