"""Read any YAML as values, by the events of PyYAML's parser.

Nothing is ever constructed from a tag, and aliases are refused before they multiply.
"""

from collections.abc import Iterator
from typing import Any

from .yaml_parser import yaml
from .yaml_values import NULLS, Defect, MappingEntry, Value

MAX_DEPTH = 50
"""Nesting that no header or settings file reaches; beyond it lies a YAML bomb."""

_MOST_NESTED = 1_000

MOST_ALIASED = 200
"""Values that the aliases of a text may repeat altogether; a bomb repeats millions."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_STANDARD_TAGS = frozenset(
    _TAG + name for name in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp")
)
_HINTS = {
    "mapping values are not allowed": "put a value with a colon in quotes",
    "cannot start any token": "indent with spaces, not tabs, and put a value that starts with a "
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


def read(text: str, first_line: int) -> tuple[Value, list[Defect]]:
    """Return the value of a YAML text, and its errors; after a syntax error the text before it
    counts.
    """
    defects: list[Defect] = []
    try:
        return _document(iter(_Loader(text).get_event, None), first_line, defects), defects
    except yaml.YAMLError as error:
        unreadable = _invalid(error, text, first_line)
    except _UnreadableError as error:
        unreadable = Defect(error.line, str(error))
    return Value(None, unreadable.line, 1), [*defects, unreadable]


def syntax_error(text: str) -> str:
    """Return what keeps a text from being YAML, with its line; "" for nothing.

    Several documents and any tag are allowed. Raises RecursionError for a text nested more deeply
    than the parser can read in a time that grows with its length.
    """
    depth = 0
    try:
        for event in iter(_Loader(text).get_event, None):
            depth += (type(event) in _STARTS) - (type(event) in _ENDS)
            if depth > _MOST_NESTED:
                raise RecursionError
    except yaml.YAMLError as error:
        defect = _invalid(error, text, 1)
        return f"line {defect.line}: {defect.message}"
    return ""


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
                None if text in NULLS and event.implicit[0] else text, line, mark.column + 1
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
            raise _UnreadableError(line, f"the YAML alias *{name} has no anchor above it")
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
                Defect(key.line, f"the key {name!r} occurs twice, first in line {first}; keep one")
            )
            return
        self.value.data[name] = MappingEntry(key.line, key.column, item)
