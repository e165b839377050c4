"""Where the front matter of a page is. What it says: `front_matter`."""

import re
from dataclasses import dataclass

from zp_pipeline.documents.keys import RIGHTS_LINE
from zp_pipeline.documents.warning import line_at

_BLANK = "[^\\S\n]|[\u200b-\u200d\u2060\ufeff]"
OPENING = re.compile(f"(?:{_BLANK}|\n)*---(?:{_BLANK})*(?:\n|\\Z)")
CLOSING = re.compile(f"^(?:---|\\.\\.\\.)(?:{_BLANK})*$\n?", re.MULTILINE)
ALMOST_OPENING = re.compile(r"[-–—]+[ \t]*\n|")
KEY_LINE = re.compile(r"[ \t]*[\w.\-\"']+[ \t]*:|[ \t]+\S|-[ \t]")


@dataclass(frozen=True, slots=True)
class Block:
    """A front matter block; `problem` is a warning's code and message, None when it is well formed.

    `start` and `body_start` are offsets into the page's text; `beyond` is text outside of the block
    that may still belong to it, since its end is not marked.
    """

    text: str
    start: int
    first_line: int
    body_start: int
    problem: tuple[str, str] | None = None
    beyond: str = ""


def find_block(text: str) -> Block | None:
    """Return the front matter block of a page, None when it has none."""
    opening = OPENING.match(text)
    if opening is None:
        return _unopened(text)
    closing = CLOSING.search(text, opening.end())
    if closing is None:
        return _unterminated(text, opening.end())
    late = ("front_matter_not_first", "blank lines before the front matter were passed over")
    return Block(
        text=text[opening.end() : closing.start()],
        start=opening.end(),
        first_line=line_at(text, opening.end()),
        body_start=closing.end(),
        problem=None if text.startswith("---") else late,
    )


def _unterminated(text: str, start: int) -> Block | None:
    """Return the lines after an opening `---` that look like front matter, if any do."""
    end = _run_end(text, start, blank_lines=True)
    if not text[start:end].strip():
        return None
    problem = ("front_matter_unterminated", "no `---` line ends the front matter")
    return Block(text[start:end], start, line_at(text, start), end, problem, beyond=text[end:])


def _unopened(text: str) -> Block | None:
    """Return a block that nothing opens, when rights lines in it show that it is meant as one."""
    opening = ALMOST_OPENING.match(text)
    start = opening.end() if opening else 0
    end = _run_end(text, start, blank_lines=False)
    if not RIGHTS_LINE.search(text, start, end):
        return None
    closing = CLOSING.match(text, end)
    problem = ("front_matter_unopened", "no `---` line opens the front matter")
    body_start = closing.end() if closing else end
    return Block(text[start:end], start, line_at(text, start), body_start, problem)


def _run_end(text: str, start: int, *, blank_lines: bool) -> int:
    """Return where the run of lines that look like YAML, from `start` on, ends."""
    end = position = start
    while position < len(text):
        line_end = text.find("\n", position) + 1 or len(text)
        if KEY_LINE.match(text, position, line_end):
            end = line_end
        elif not blank_lines or text[position:line_end].strip():
            break
        position = line_end
    return end
