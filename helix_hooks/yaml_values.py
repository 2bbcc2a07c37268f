"""YAML to values that know their line and the keys that lead to them. Knows no setting.

Values are built from the parser's events, so nothing is ever constructed from a tag, aliases are
refused before they multiply, and every scalar keeps its text: `015` stays "015", a date stays as
it was written.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache
from math import isfinite
from typing import Any

from .errors import ConfigError
from .records import NamedTuple
from .text.invisible import NEXT_LINE, WIDE_LINE_ENDS
from .yaml_parser import yaml

MAX_DEPTH = 50
"""Nesting that no header or settings file reaches; beyond it lies a YAML bomb."""

MOST_ALIASED = 200
"""Values that the aliases of a text may repeat altogether; a bomb repeats millions."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_STANDARD_TAGS = frozenset(
    _TAG + name for name in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp")
)
_HINTS = {
    "mapping values are not allowed": "put a value with a colon in quotes",
    "cannot start any token": "indent with blanks, not tabs, and put a value that starts with a "
    "sign in quotes",
    "did not find expected ',' or": "close the bracket",
    "unexpected end of stream": "close the quote",
    "could not find expected ':'": "write `key: value`",
    "did not find expected key": "check the indentation, and put a value with a colon or quote in "
    "quotes",
    "did not find expected alphabetic": "put a value that starts with * or & in quotes",
}
_Scalar = yaml.ScalarEvent
_STARTS = frozenset((yaml.MappingStartEvent, yaml.SequenceStartEvent))
_ENDS = frozenset((yaml.MappingEndEvent, yaml.SequenceEndEvent))
_TAGGED = frozenset((_Scalar, *_STARTS))
_BREAKS = dict.fromkeys(map(ord, NEXT_LINE + WIDE_LINE_ENDS), " ")
"""Line ends to YAML alone; they would shift all line numbers below."""
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLEANS = {
    "true": True,
    "True": True,
    "yes": True,
    "on": True,
    "false": False,
    "False": False,
    "no": False,
    "off": False,
}


class Defect(NamedTuple):
    """Something the text does not allow to be read as meant; `line` counts from 1."""

    line: int
    message: str


class Value(NamedTuple):
    """A YAML value: `data` is a text, a list of Values, a dict of text to MappingEntry, or None.

    The readers below raise ConfigError with file, line, key trail, what is wrong and what is
    allowed.
    """

    data: Any
    line: int
    column: int
    path: str = ""
    trail: str = ""

    def fail(self, message: str) -> ConfigError:
        return ConfigError(self.path, self.line, self.trail, message)

    def _at(self, value: "Value", step: str) -> "Value":
        return Value(value.data, value.line, value.column, self.path, f"{self.trail}{step}")

    def mapping(
        self,
        allowed: Collection[str] | None = None,
        required: Collection[str] = (),
        listed: str = "",
    ) -> dict[str, "Value"]:
        """The entries of a mapping; an unknown or missing key is an error that names the allowed
        ones, or says `listed`.
        """
        if not isinstance(self.data, dict):
            raise self.fail(f"a mapping (key: value) is wanted here, not {self.kind}")
        entries = {}
        for key, entry in self.data.items():
            step = f".{key}" if self.trail else key
            entries[key] = self._at(entry.value, step)
            if allowed is not None and key not in allowed:
                place = self._at(entry.value._replace(line=entry.line), step)
                raise place.fail(
                    f"unknown key; {_meant(key, allowed)}allowed are "
                    f"{listed or ', '.join(sorted(allowed))}"
                )
        for key in required:
            if key not in entries:
                raise self.fail(f"the key {key!r} is missing")
        return entries

    def sequence(self) -> list["Value"]:
        if not isinstance(self.data, list):
            raise self.fail(f"a list is wanted here, not {self.kind}")
        return [self._at(item, f"[{number}]") for number, item in enumerate(self.data)]

    def one_or_more(self) -> list["Value"]:
        """Return the items of a list, or the value itself."""
        return self.sequence() if isinstance(self.data, list) else [self]

    def text(self) -> str:
        if not isinstance(self.data, str) or not self.data.strip():
            raise self.fail(f"a text is wanted here, not {self.kind}")
        return self.data

    def texts(self) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        return (
            (self.text(),)
            if isinstance(self.data, str)
            else tuple(item.text() for item in self.sequence())
        )

    def choice(self, options: Collection[str]) -> str:
        text = self.text()
        if text not in options:
            raise self.fail(
                f"{text!r} is not allowed; {_meant(text, options)}allowed are {', '.join(options)}"
            )
        return text

    def boolean(self) -> bool:
        if self.data not in _BOOLEANS:
            raise self.fail(f"true or false is wanted here, not {self.kind}")
        return _BOOLEANS[self.data]

    def number(self, low: float, high: float = float("inf")) -> float:
        try:
            number = float(self.data)
        except (TypeError, ValueError):
            raise self.fail(f"a number is wanted here, not {self.kind}") from None
        if not low <= number <= high:
            limits = (
                f"at least {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
            )
            raise self.fail(f"{self.data} is out of range; it must be {limits}")
        return number

    def integer(self, low: int) -> int:
        number = self.number(low)
        if not isfinite(number) or number != int(number) or "e" in self.data.lower():
            raise self.fail(f"a whole number is wanted here, not {self.data}")
        return int(number)

    @property
    def kind(self) -> str:
        if self.data is None:
            return "nothing"
        if isinstance(self.data, dict):
            return "a mapping"
        return "a list" if isinstance(self.data, list) else f"the text {_short(self.data)!r}"


class MappingEntry(NamedTuple):
    """A key of a mapping with its own place, which is where a reader looks."""

    line: int
    column: int
    value: Value


def parse(text: str, first_line: int = 1) -> tuple[Value, list[Defect]]:
    """Return the value of a YAML text, and its errors; after a syntax error the text before it
    counts.

    `first_line` is the line of the surrounding file on which the text starts.
    """
    defects: list[Defect] = []
    if not text.isascii():
        text = text.translate(_BREAKS)
    try:
        return _document(iter(_Loader(text).get_event, None), first_line, defects), defects
    except yaml.YAMLError as error:
        unreadable = _invalid(error, text, first_line)
    except _UnreadableError as error:
        unreadable = Defect(error.line, str(error))
    return Value(None, unreadable.line, 1), [*defects, unreadable]


@lru_cache(maxsize=16)
def load(text: str, path: str) -> Value:
    """Return the value of a settings file.

    Raises ConfigError for the first defect, and for an empty file.

    A run reads the same files at several commits, so the last ones are remembered.
    """
    root, defects = parse(text)
    if defects:
        raise ConfigError(path, defects[0].line, "", defects[0].message)
    if root.data is None:
        raise ConfigError(
            path,
            1,
            "",
            "the file is empty; write a setting, or delete the file so that the defaults hold",
        )
    return root._replace(path=path)


class _UnreadableError(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def _invalid(error: yaml.YAMLError, text: str, first_line: int) -> Defect:
    if not isinstance(error, yaml.MarkedYAMLError):
        return Defect(first_line, f"this is not valid YAML: {str(error).splitlines()[0]}")
    mark = error.problem_mark or error.context_mark
    line = first_line + (mark.line if mark else 0)
    last = first_line + text.count("\n", 0, len(text.rstrip()))
    hint = next(
        (f"; {hint}" for problem, hint in _HINTS.items() if problem in (error.problem or "")), ""
    )
    return Defect(min(line, last), f"this is not valid YAML: {error.problem}{hint}")


def _document(events: Iterator[Any], first_line: int, defects: list[Defect]) -> Value:
    root = Value(None, first_line, 1)
    stack: list[_Open] = []
    anchors = _Anchors()
    documents = 0
    for event in events:
        kind = event.__class__
        mark = event.start_mark
        line = first_line + mark.line
        if kind in _TAGGED and event.tag and event.tag not in _STANDARD_TAGS:
            defects.append(
                Defect(
                    line,
                    f"the YAML tag {event.tag.replace(_TAG, '!!')} is not allowed; write the plain "
                    "value",
                )
            )
        if kind is _Scalar:
            text = event.value
            done = Value(
                None if text in _NULLS and event.implicit[0] else text, line, mark.column + 1
            )
            anchors.keep(event.anchor, done)
        elif kind in _STARTS:
            if len(stack) == MAX_DEPTH:
                raise _UnreadableError(
                    line, f"YAML nested deeper than {MAX_DEPTH} levels is not read"
                )
            begun = Value({} if kind is yaml.MappingStartEvent else [], line, mark.column + 1)
            stack.append(_Open(begun, event.anchor or ""))
            anchors.known.pop(event.anchor, None)
            continue
        elif kind in _ENDS:
            ended = stack.pop()
            done = ended.merged()
            anchors.keep(ended.anchor, done)
        elif kind is yaml.AliasEvent:
            done = anchors.value(event.anchor, line)
        else:
            documents += kind is yaml.DocumentStartEvent
            if documents > 1:
                raise _UnreadableError(line, "a second YAML document starts here; keep one")
            continue
        if stack:
            stack[-1].add(done, defects)
        else:
            root = done
    return root


class _Anchors:
    """The values that may be repeated by an alias, and how many still may."""

    __slots__ = ("known", "left")

    def __init__(self) -> None:
        self.known: dict[str, Value] = {}
        self.left = MOST_ALIASED

    def keep(self, name: str | None, value: Value) -> None:
        if name:
            self.known[name] = value

    def value(self, name: str, line: int) -> Value:
        """Return the value of an alias. Raises _UnreadableError beyond the limit."""
        found = self.known.get(name)
        if found is None:
            raise _UnreadableError(line, f"the YAML alias *{name} names nothing above it")
        self.left -= _size(found, self.left)
        if self.left < 0:
            raise _UnreadableError(
                line,
                f"YAML aliases that repeat more than {MOST_ALIASED} values are not read; write the "
                "values out",
            )
        return found


def _size(value: Value, most: int) -> int:
    """Count a value and those in it, up to one more than a limit."""
    size, waiting = 0, [value]
    while waiting and size <= most:
        size += 1
        data = waiting.pop().data
        if isinstance(data, dict):
            waiting += [entry.value for entry in data.values()]
        elif isinstance(data, list):
            waiting += data
    return size


class _Open:
    """A collection whose end has not come yet, with the key that waits for its value."""

    __slots__ = ("anchor", "key", "value")

    def __init__(self, value: Value, anchor: str = "") -> None:
        self.value = value
        self.anchor = anchor
        self.key: Value | None = None

    def merged(self) -> Value:
        """Return the collection with what `<<: *name` adds to it."""
        merge = self.value.data.get("<<") if isinstance(self.value.data, dict) else None
        if not merge or not isinstance(merge.value.data, dict):
            return self.value
        own = {key: entry for key, entry in self.value.data.items() if key != "<<"}
        return self.value._replace(data={**merge.value.data, **own})

    def add(self, item: Value, defects: list[Defect]) -> None:
        if isinstance(self.value.data, list):
            self.value.data.append(item)
        elif self.key is None:
            self.key = item
        else:
            self._pair(self.key, item, defects)
            self.key = None

    def _pair(self, key: Value, item: Value, defects: list[Defect]) -> None:
        if key.data is not None and not isinstance(key.data, str):
            defects.append(
                Defect(
                    key.line,
                    f"a key must be a text, not {key.kind}; quote a value that starts with {{ or [",
                )
            )
            return
        name = key.data or ""
        if name in self.value.data:
            first = self.value.data[name].line
            defects.append(
                Defect(key.line, f"the key {name!r} stands twice, first in line {first}; keep one")
            )
            return
        self.value.data[name] = MappingEntry(key.line, key.column, item)


_LONGEST_WORD = 100
"""Characters of a word that may be a misspelt one; comparing takes the square of its length."""


def nearest(word: str, options: Collection[str], alike: float = 0.6) -> str:
    """The option that a word is most like, "" when it is like none; `alike` is between 0 and 1."""
    if len(word) > _LONGEST_WORD:
        return ""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(options), 1, alike)), "")


def _meant(word: str, options: Collection[str]) -> str:
    found = nearest(word, options)
    return f"did you mean {found!r}? " if found else ""


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
