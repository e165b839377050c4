"""YAML whose scalars stay the text that stands in the file: `no`, `1.5`, `12:30` and dates too.

Belongs here: YAML as such, read from the parser's events with bounded depth and size. Which keys
mean what, and what happens to a block that is no YAML: `front_matter`, `recovery`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from zp_pipeline.documents.keys import canonical_key

Value: TypeAlias = str | list["Value"] | dict[str, "Value"]
KeyPath: TypeAlias = tuple[str, ...]

MAX_DEPTH = 32
MAX_NODES = 20_000  # aliases count as what they stand for, a long text as several
CHARS_PER_NODE = 64
MERGE_KEY = "<<"

# What YAML 1.1 readers take for a boolean, a null, a number, or a number to the base of sixty.
TRAP = re.compile(
    r"y|n|yes|no|on|off|true|false|null|~|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+|[-+]?[0-9]*\.[0-9]+",
    re.IGNORECASE,
)


class YamlUnreadable(Exception):
    """The block is no YAML that we read; `line` counts from 1 within it."""

    def __init__(self, line: int, problem: str) -> None:
        """Keep both for the warning."""
        super().__init__(problem)
        self.line = line


@dataclass(slots=True)
class Reading:
    """A block read; lines count from 1 in the block and belong to keys, by their path."""

    value: Value = ""
    lines: dict[KeyPath, int] = field(default_factory=dict)
    duplicates: list[tuple[KeyPath, int, bool]] = field(default_factory=list)  # bool: same value
    respelled: list[tuple[str, int]] = field(default_factory=list)
    traps: list[tuple[KeyPath, int, str]] = field(default_factory=list)


def read_yaml(block: str) -> Reading:
    """Read one YAML document. Raises `YamlUnreadable`."""
    builder = _Builder(YAML(typ="safe", pure=True, plug_ins=[]).parse(block))
    try:
        return builder.build()
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "not readable"
        raise YamlUnreadable(mark.line + 1 if mark else 1, problem) from None
    except (ValueError, OverflowError):  # an escape such as "\UFFFFFFFF" or half of a character
        raise YamlUnreadable(builder.line, "an escape that names no character") from None


Event: TypeAlias = Any


class _Builder:
    """Builds values from events; recursion is bounded by `MAX_DEPTH`."""

    def __init__(self, events: Iterator[Event]) -> None:
        self._events = events
        self._anchors: dict[str, tuple[Value, int]] = {}
        self._nodes = 0
        self._reading = Reading()
        self.line = 1

    def build(self) -> Reading:
        nodes = 0
        while (event := self._next()) is not None:
            if isinstance(event, (ScalarEvent, MappingStartEvent, SequenceStartEvent, AliasEvent)):
                nodes += 1
                if nodes > 1:
                    self._refuse("more than one document")
                self._reading.value = self._node(event, ())
        return self._reading

    def _next(self) -> Event:
        event = next(self._events, None)
        if event is not None:
            self.line = event.start_mark.line + 1
        return event

    def _refuse(self, problem: str) -> NoReturn:
        raise YamlUnreadable(self.line, problem)

    def _count(self, nodes: int) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            self._refuse("too many values")

    def _node(self, event: Event, path: KeyPath) -> Value:
        if len(path) > MAX_DEPTH:
            self._refuse("nested too deeply")
        if isinstance(event, AliasEvent):
            return self._alias(event.anchor)
        before = self._nodes
        self._count(1)
        if isinstance(event, ScalarEvent):
            value: Value = self._scalar(event, path)
        elif isinstance(event, MappingStartEvent):
            value = self._mapping(path)
        else:
            value = self._sequence(path)
        if event.anchor:
            self._anchors[event.anchor] = (value, self._nodes - before)
        return value

    def _alias(self, anchor: str) -> Value:
        if anchor not in self._anchors:
            self._refuse("an alias of nothing")
        value, nodes = self._anchors[anchor]
        self._count(nodes)
        return value

    def _scalar(self, event: ScalarEvent, path: KeyPath) -> str:
        value = str(event.value)
        self._count(len(value) // CHARS_PER_NODE)
        value.encode()  # half of a surrogate pair, from an escape, is a ValueError
        if event.implicit[0] and TRAP.fullmatch(value):
            self._reading.traps.append((path, self.line, value))
        return value

    def _sequence(self, path: KeyPath) -> list[Value]:
        values: list[Value] = []
        while not isinstance(event := self._next(), SequenceEndEvent):
            values.append(self._node(event, (*path, str(len(values)))))
        return values

    def _mapping(self, path: KeyPath) -> dict[str, Value]:
        values: dict[str, Value] = {}
        while not isinstance(event := self._next(), MappingEndEvent):
            key = self._key(event, path)
            line = self.line
            self._reading.lines.setdefault((*path, key), line)
            value = self._node(self._next(), (*path, key))
            if key in values:
                self._reading.duplicates.append(((*path, key), line, value == values[key]))
            values.setdefault(key, value)
        return values

    def _key(self, event: Event, path: KeyPath) -> str:
        if not isinstance(event, ScalarEvent):
            self._refuse("a key that is not text")
        self._count(1)
        written = str(event.value)
        if written == MERGE_KEY:
            self._refuse("merge keys are not read")
        key = written if path else canonical_key(written)
        if key != written:
            self._reading.respelled.append((key, self.line))
        return key
