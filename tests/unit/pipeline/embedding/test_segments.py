"""Inputs of the model: what is in them, that none is too long, and that nothing is lost."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from zp_pipeline.embedding.segments import (
    PASSAGE_PREFIX,
    Passage,
    passage_header,
    segment_passages,
    split_to_fit,
)

LIMIT = 512


def count(texts: Sequence[str]) -> list[int]:
    """Count as a subword tokenizer might: more for rare letters, runs of one letter as one."""
    return [
        2 + sum(2 if ord(letter) > 0x2000 else letter != before for before, letter in pairs(text))
        for text in texts
    ]


def pairs(text: str) -> Sequence[tuple[str, str]]:
    return list(zip(" " + text, text, strict=False))


def test_passage_header_has_all_that_is_known_once() -> None:
    header = passage_header("Názov", ["Ján", "Eva"], ["nlp"], ["vp2023"], ["Názov", "Úvod", "Cieľ"])

    assert header == "Názov\nJán, Eva\nnlp, vp2023\nÚvod > Cieľ"


def test_passage_header_unknown_parts_leave_no_empty_lines() -> None:
    assert passage_header(None, [], [], ["vp2023"], []) == "vp2023"
    assert passage_header(None, [], [], [], []) == ""


def test_passage_header_heading_that_is_not_the_title_is_kept() -> None:
    assert passage_header("Názov", [], [], [], ["Iný", "Názov"]) == "Názov\nIný > Názov"


def test_segment_passages_short_text_is_one_input_with_prefix_and_header() -> None:
    ((segment,),) = segment_passages([Passage("Názov", "text\n")], count)

    assert segment.text == "passage: Názov\ntext\n"
    assert segment.content == "text\n"


def test_segment_passages_without_a_header_has_no_empty_line() -> None:
    ((segment,),) = segment_passages([Passage("", "text")], count)

    assert segment.text == "passage: text"


def test_segment_passages_long_text_is_cut_between_words_under_one_header() -> None:
    words = [f"slovo{number}" for number in range(300)]
    (segments,) = segment_passages([Passage("Názov", " ".join(words))], count)

    assert len(segments) > 1
    assert all(segment.text == f"passage: Názov\n{segment.content}" for segment in segments)
    assert [word for segment in segments for word in segment.content.split()] == words


def test_segment_passages_long_text_gives_parts_of_like_length() -> None:
    (segments,) = segment_passages([Passage("N", "ab " * 200)], count)

    lengths = [len(segment.content) for segment in segments]
    assert max(lengths) < 1.3 * min(lengths)


def test_segment_passages_header_over_its_share_is_read_whole_in_segments_of_its_own() -> None:
    header = " ".join(f"značka{number}" for number in range(200))
    (segments,) = segment_passages([Passage(header, "text práce")], count)

    lead = segments[0].text.removeprefix(PASSAGE_PREFIX).removesuffix("\ntext práce")
    rest = [segment.text.removeprefix(PASSAGE_PREFIX) for segment in segments[1:]]
    assert "".join([lead, *rest]) == header
    assert max(count([segment.text for segment in segments])) <= LIMIT


def test_segment_passages_known_inputs_are_not_counted() -> None:
    counted: list[str] = []

    def spy(texts: Sequence[str]) -> list[int]:
        counted.extend(texts)
        return count(texts)

    segment_passages([Passage("", "a"), Passage("", "b")], spy, known={"passage: a"})

    assert counted == ["passage: b"]


def test_split_to_fit_text_without_whitespace_is_cut_all_the_same() -> None:
    text = "ab" * 2000

    parts = split_to_fit("x\n", text, 100, count)

    assert "".join(parts) == text
    assert max(count(["x\n" + part for part in parts])) <= 100


def test_split_to_fit_part_denser_than_the_rest_is_cut_again() -> None:
    text = "a" * 2000 + "🌲" * 255  # all the tokens are in the last tenth

    parts = split_to_fit("x\n", text, LIMIT, count)

    assert "".join(parts) == text
    assert max(count(["x\n" + part for part in parts])) <= LIMIT


texts = st.text(st.sampled_from("aáb \n🌲\ufdfa-"), max_size=2000)


@settings(deadline=None)
@given(st.lists(st.tuples(texts, texts), max_size=4))
def test_segment_passages_any_text_fits_and_is_conserved(drawn: list[tuple[str, str]]) -> None:
    passages = [Passage(header, content) for header, content in drawn]

    for passage, segments in zip(passages, segment_passages(passages, count), strict=True):
        assert segments
        assert "".join(segment.content for segment in segments) == passage.content
        assert all(segment.content in segment.text for segment in segments)
        assert max(count([segment.text for segment in segments])) <= LIMIT
