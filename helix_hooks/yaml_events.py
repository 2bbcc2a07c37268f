"""Read any YAML as values, from the events of PyYAML's parser.

No object is constructed from a tag. Aliases are limited, so that they cannot multiply values.
"""

from collections.abc import Iterator
from typing import Any

from .yaml_parser import yaml
from .yaml_values import NULLS, Defect, MappingEntry, Value

MAX_DEPTH = 50
"""Maximum levels of a header or a settings file; a deeper one is an attack on the parser."""

_TOO_DEEP = f"YAML is nested too deeply (maximum {MAX_DEPTH} levels)"
_MAX_PARSED_DEPTH = 1_000
"""Maximum levels of a text of which only the syntax is checked."""

MOST_ALIASED = 200
"""Maximum values that the aliases of a text may repeat; a "billion laughs" attack repeats
millions.
"""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_STANDARD_TAGS = frozenset(
    _TAG + name for name in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp")
)
_HINTS = {
    "mapping values are not allowed": "quote a value that contains a colon",
    "cannot start any token": "indent with spaces, not tabs, and quote a value that starts with a "
    "special character",
    "did not find expected ',' or": "close the bracket",
    "unexpected end of stream": "close the quote",
    "could not find expected ':'": "write `key: value`",
    "did not find expected key": "check the indentation, and quote a value that contains "
    "a colon or a quote",
    "did not find expected alphabetic": "quote a value that starts with * or &",
}
_Scalar = yaml.ScalarEvent
_STARTS = frozenset((yaml.MappingStartEvent, yaml.SequenceStartEvent))
_ENDS = frozenset((yaml.MappingEndEvent, yaml.SequenceEndEvent))


def read(text: str, first_line: int) -> tuple[Value, list[Defect]]:
    """Return the value of a YAML text, and its errors.

    The value is empty if the text has a syntax error.
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
    """Return the line and the message of a syntax error; "" for valid YAML.

    Several documents and any tag are allowed.

    Raises:
        RecursionError: The text is nested more deeply than the parser can read in linear time.
    """
    depth = 0
    try:
        for event in iter(_Loader(text).get_event, None):
            depth += (type(event) in _STARTS) - (type(event) in _ENDS)
            if depth > _MAX_PARSED_DEPTH:
                raise RecursionError
    except yaml.YAMLError as error:
        defect = _invalid(error, text, 1)
        return f"line {defect.line}: {defect.message}"
    return ""


class _UnreadableError(Exception):
    """The text is YAML that is refused, from a line on."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def _invalid(error: yaml.YAMLError, text: str, first_line: int) -> Defect:
    """Return a syntax error with its line and, if the problem has a usual cause, a hint."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return Defect(first_line, f"invalid YAML: {str(error).splitlines()[0]}")
    line = first_line
    mark = error.problem_mark or error.context_mark
    if mark:
        line += mark.line
    # PyYAML reports an unclosed quote behind the end of the text, where the file has no line.
    last_line = first_line + text.count("\n", 0, len(text.rstrip()))
    # PyYAML 6.0.4 and newer stop at 1,000 levels.
    if "maximum nesting depth" in (error.problem or ""):
        return Defect(min(line, last_line), _TOO_DEEP)
    hint = _hint(error.problem or "")
    return Defect(min(line, last_line), f"invalid YAML: {error.problem}{hint}")


def _hint(problem: str) -> str:
    for part, hint in _HINTS.items():
        if part in problem:
            return f"; {hint}"
    return ""


def _document(events: Iterator[Any], first_line: int, defects: list[Defect]) -> Value:
    builder = _Builder(first_line, defects)
    for event in events:
        handle = _HANDLERS.get(event.__class__)
        if handle:
            handle(builder, event, first_line + event.start_mark.line)
    return builder.root


class _Builder:
    """The value that the events up to now have built.

    Each public method handles the events of one kind.
    """

    __slots__ = ("_anchors", "_defects", "_documents", "_stack", "root")

    def __init__(self, first_line: int, defects: list[Defect]) -> None:
        self.root = Value(None, first_line, 1)
        self._defects = defects
        self._stack: list[_Open] = []
        self._anchors = _Anchors()
        self._documents = 0

    def begin_document(self, _: Any, line: int) -> None:
        """Count the documents; raise `_UnreadableError` at the second one."""
        self._documents += 1
        if self._documents > 1:
            raise _UnreadableError(
                line, "only one YAML document is allowed, and a second one starts here"
            )

    def add_scalar(self, event: Any, line: int) -> None:
        self._check_tag(event, line)
        text = event.value
        # `implicit[0]` is false for a quoted scalar: "null" in quotes is a string.
        data = None if text in NULLS and event.implicit[0] else text
        value = Value(data, line, event.start_mark.column + 1)
        self._anchors.keep(event.anchor, value)
        self._add(value)

    def open_mapping(self, event: Any, line: int) -> None:
        self._open({}, event, line)

    def open_sequence(self, event: Any, line: int) -> None:
        self._open([], event, line)

    def close(self, _event: Any, _line: int) -> None:
        collection = self._stack.pop()
        value = collection.merged()
        self._anchors.keep(collection.anchor, value)
        self._add(value)

    def add_alias(self, event: Any, line: int) -> None:
        self._add(self._anchors.value(event.anchor, line))

    def _open(self, data: Any, event: Any, line: int) -> None:
        self._check_tag(event, line)
        if len(self._stack) == MAX_DEPTH:
            raise _UnreadableError(line, _TOO_DEEP)
        self._stack.append(_Open(Value(data, line, event.start_mark.column + 1), event.anchor))
        # An alias within the collection would otherwise repeat an older anchor of the same name.
        self._anchors.forget(event.anchor)

    def _add(self, value: Value) -> None:
        if self._stack:
            self._stack[-1].add(value, self._defects)
        else:
            self.root = value

    def _check_tag(self, event: Any, line: int) -> None:
        if event.tag and event.tag not in _STANDARD_TAGS:
            tag = event.tag.replace(_TAG, "!!")
            self._defects.append(Defect(line, f"the YAML tag {tag} is not allowed; remove it"))


_HANDLERS = {
    yaml.DocumentStartEvent: _Builder.begin_document,
    _Scalar: _Builder.add_scalar,
    yaml.MappingStartEvent: _Builder.open_mapping,
    yaml.SequenceStartEvent: _Builder.open_sequence,
    yaml.MappingEndEvent: _Builder.close,
    yaml.SequenceEndEvent: _Builder.close,
    yaml.AliasEvent: _Builder.add_alias,
}


class _Anchors:
    """The values with an anchor, and the number of values that aliases may still repeat."""

    __slots__ = ("_remaining", "_values")

    def __init__(self) -> None:
        self._values: dict[str, Value] = {}
        self._remaining = MOST_ALIASED

    def keep(self, name: str | None, value: Value) -> None:
        if name:
            self._values[name] = value

    def forget(self, name: str | None) -> None:
        if name:
            self._values.pop(name, None)

    def value(self, name: str, line: int) -> Value:
        """Return the value of an alias.

        Raises:
            _UnreadableError: The anchor is missing, or aliases repeat too many values.
        """
        value = self._values.get(name)
        if value is None:
            raise _UnreadableError(line, f"the YAML alias *{name} has no anchor before it")
        self._remaining -= _size(value, self._remaining)
        if self._remaining < 0:
            raise _UnreadableError(
                line,
                f"YAML aliases repeat too many values (maximum {MOST_ALIASED}); write the "
                "values out",
            )
        return value


def _size(value: Value, limit: int) -> int:
    """Count a value and all values in it, up to `limit` + 1."""
    size, waiting = 0, [value]
    while waiting and size <= limit:
        size += 1
        data = waiting.pop().data
        if isinstance(data, dict):
            waiting += [entry.value for entry in data.values()]
        elif isinstance(data, list):
            waiting += data
    return size


class _Open:
    """A collection whose end was not read yet, and the key that has no value yet."""

    __slots__ = ("anchor", "key", "value")

    def __init__(self, value: Value, anchor: str | None) -> None:
        self.value = value
        self.anchor = anchor
        self.key: Value | None = None

    def merged(self) -> Value:
        """Return the collection with the entries of `<<: *name`.

        Its other entries take precedence.
        """
        if not isinstance(self.value.data, dict):
            return self.value
        merge = self.value.data.get("<<")
        if not merge or not isinstance(merge.value.data, dict):
            return self.value
        entries = {key: entry for key, entry in self.value.data.items() if key != "<<"}
        return self.value._replace(data={**merge.value.data, **entries})

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
                    f"expected a string as key, got {key.kind}; quote a value that starts "
                    f"with {{ or [",
                )
            )
            return
        name = key.data or ""
        if name in self.value.data:
            first = self.value.data[name].line
            defects.append(
                Defect(key.line, f"the key {name!r} is repeated, first on line {first}; keep one")
            )
            return
        self.value.data[name] = MappingEntry(key.line, key.column, item)
