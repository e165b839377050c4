"""Where running text may be cut: at lines, sentences, words, and at last between characters.

Plain functions over positions in a string; they know nothing of Markdown or tokens. A function
that looks for the last boundary returns a position in `(floor, limit]`, or None.
"""

import re
import unicodedata

NON_SPACE = re.compile(r"\S")
WORD_START = re.compile(r"(?<!\S)\S")

# The look-behind ties every attempt to one punctuation mark, so that a run of a million dots is
# read once; `[.!?]+\s` would read it again from each dot.
SENTENCE_GAP = re.compile(r"""(?<=[.!?…])["'”“’»)\]*_]{0,3}\s+|(?<=[。！？])""")
# How far back a gap that ends at a position is looked for.
LONGEST_GAP = 5
# Text with this many gaps and no sentence among them, such as `. . . .`, is not prose.
GAPS_TRIED = 50
OPENING_MARKS = "\"'„“‚‘«([*_`"
ABBREVIATIONS = re.compile(
    "ing|mgr|bc|doc|prof|phd|csc|drsc|dr|rndr|mudr|judr|phdr|paeddr"
    "|napr|tzv|tzn|resp|str|obr|tab|čís|kap|odst|por|pozn"
    # initials, and numbers of days, months and chapters, but not years
    r"|\w?|\d\d",
    re.IGNORECASE,
)

ZERO_WIDTH_JOINER = "\u200d"
SKIN_TONES = range(0x1F3FB, 0x1F400)
TAG_CHARACTERS = range(0xE0020, 0xE0080)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
# A cluster of more code points than this is not one that people write, and is cut anywhere.
LONGEST_CLUSTER = 64


def first_non_space(text: str, start: int, end: int) -> int:
    """Return the position of the first character in `[start, end)` that is no space, else `end`."""
    found = NON_SPACE.search(text, start, end)
    return found.start() if found else end


def last_line_start(text: str, floor: int, limit: int) -> int | None:
    """Return the last position right after a line break."""
    start = text.rfind("\n", floor, limit) + 1
    return start if start > floor else None


def last_sentence_start(text: str, floor: int, limit: int) -> int | None:
    """Return the last position where a sentence seems to start."""
    gaps = list(SENTENCE_GAP.finditer(text, floor, limit))[-GAPS_TRIED:]
    starts = (gap.end() for gap in reversed(gaps) if starts_sentence(text, gap))
    return next((start for start in starts if start > floor), None)


def last_word_start(text: str, floor: int, limit: int) -> int | None:
    """Return the last position that follows white space; `floor` must be at a word."""
    if text[limit - 1].isspace():
        return limit
    words = text[floor:limit].rsplit(maxsplit=1)
    return limit - len(words[1]) if len(words) > 1 else None


def last_cluster_start(text: str, floor: int, limit: int) -> int:
    """Return the last position that divides no character as people see it; `limit` if none near."""
    for position in range(limit, max(floor, limit - LONGEST_CLUSTER), -1):
        if not joins_previous(text, position):
            return position
    return limit


def starts_sentence(text: str, gap: re.Match[str]) -> bool:
    """Tell whether a sentence starts after `gap`, and not the rest of `Ing. Novák`, `15. mája`."""
    following = text[gap.end() : gap.end() + 4].lstrip(OPENING_MARKS)[:1]
    if not following or following.isspace() or following.islower():
        return False
    before = text[max(0, gap.start() - 12) : gap.start()]
    if not before.endswith("."):
        return True
    return not ABBREVIATIONS.fullmatch(re.split(r"\W", before[:-1])[-1])


def first_boundary(text: str, start: int, end: int) -> int:
    """Return the first start of a line or sentence in `[start, end)`, else of a word, else `end`.

    Empty lines there are passed over.
    """
    if start == 0 or text[start - 1] == "\n":
        first = start
    else:
        line = text.find("\n", start, end - 1) + 1
        first = min(line or end, first_sentence_start(text, start, end))
    if first < end:
        return first + len(text[first:end]) - len(text[first:end].lstrip("\n"))
    word = WORD_START.search(text, start, end)
    return word.start() if word else end


def first_sentence_start(text: str, start: int, end: int) -> int:
    """Return the first position in `[start, end)` where a sentence seems to start, else `end`."""
    for gap in SENTENCE_GAP.finditer(text, max(start - LONGEST_GAP, 0), end):
        if start <= gap.end() < end and starts_sentence(text, gap):
            return gap.end()
    return end


def joins_previous(text: str, position: int) -> bool:
    """Tell whether the character at `position` is drawn together with the one before it."""
    if not 0 < position < len(text):
        return False
    previous, current = text[position - 1], text[position]
    if ZERO_WIDTH_JOINER in (previous, current):
        return True
    if unicodedata.category(current).startswith("M"):
        return True
    code = ord(current)
    return code in SKIN_TONES or code in TAG_CHARACTERS or ends_flag(text, position)


def ends_flag(text: str, position: int) -> bool:
    """Tell whether the character at `position` is the second of the two letters of a flag."""
    start = position
    while start > max(0, position - LONGEST_CLUSTER) and ord(text[start - 1]) in FLAG_LETTERS:
        start -= 1
    return ord(text[position]) in FLAG_LETTERS and (position - start) % 2 == 1
