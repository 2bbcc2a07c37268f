"""Read YAML: values with their lines, and the keys that lead to them. Pure; knows no setting.

PyYAML composes the nodes. No object is constructed from a tag, and every scalar keeps its text:
`015` stays "015", and a date is not parsed.
"""

from collections.abc import Collection
from difflib import get_close_matches
from functools import lru_cache
from math import isfinite, nan
from typing import Any, NamedTuple

import yaml

from .errors import ConfigError
from .text import NEXT_LINE, WIDE_LINE_ENDS

MAX_DEPTH = 50
"""Maximum levels of a header or a settings file; a deeper one is an attack on the parser."""
MOST_ALIASED = 200
"""Maximum values that the aliases of a text may repeat; a "billion laughs" attack repeats
millions.
"""

_TOO_DEEP = f"YAML is nested too deeply (maximum {MAX_DEPTH} levels)"
_BREAKS = dict.fromkeys(map(ord, NEXT_LINE + WIDE_LINE_ENDS), " ")
"""Characters that end a line in YAML but not in an editor: they would shift all line numbers."""
_BOOLEANS = {
    "true": True,
    "True": True,
    "TRUE": True,
    "yes": True,
    "on": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "no": False,
    "off": False,
}
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_TAGS = frozenset("bool float int map merge null seq str timestamp value".split())
_MESSAGES = {
    "maximum nesting depth": _TOO_DEEP,
    "found another document": "only one YAML document is allowed, and a second one starts here",
    "undefined alias": "this YAML alias has no anchor before it; quote a value that starts with *",
    "second occurrence": "this YAML anchor is in use already; give it another name",
}
"""Messages instead of those of the parser, by a part of these."""
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


class Defect(NamedTuple):
    """A part of a text that cannot be read as meant; `line` counts from 1."""

    line: int
    message: str


class Value(NamedTuple):
    """A YAML value: `data` is a string, a list of Values, a dict of str to MappingEntry, or None.

    All methods that read it raise ConfigError with file, line, keys, what is wrong and what is
    allowed.
    """

    data: Any
    line: int
    column: int
    path: str = ""
    trail: str = ""

    def fail(self, message: str) -> ConfigError:
        """Return an error at this value."""
        return ConfigError(self.path, self.line, self.trail, message)

    def mapping(
        self,
        allowed: Collection[str] | None = None,
        required: Collection[str] = (),
        listed: str = "",
    ) -> dict[str, "Value"]:
        """Return the entries of a mapping.

        `listed` replaces the allowed keys in a message.

        Raises:
            ConfigError: It is not a mapping, or it has an unknown key, or lacks a required one.
        """
        if not isinstance(self.data, dict):
            raise self.fail(f"expected a mapping (key: value), got {self.kind}")
        entries = {}
        for key, entry in self.data.items():
            trail = f"{self.trail}.{key}" if self.trail else key
            entries[key] = entry.value._replace(path=self.path, trail=trail)
            if allowed is not None and key not in allowed:
                # The line of the key: its value may begin below it.
                raise (
                    entries[key]
                    ._replace(line=entry.line)
                    .fail(
                        f"unknown key; {_meant(key, allowed)}allowed: "
                        f"{listed or ', '.join(sorted(allowed))}"
                    )
                )
        for key in required:
            if key not in entries:
                raise self.fail(f"missing key {key!r}")
        return entries

    def sequence(self) -> list["Value"]:
        """Return the items of a list.

        Raises:
            ConfigError: It is not a list.
        """
        if not isinstance(self.data, list):
            raise self.fail(f"expected a list, got {self.kind}")
        items: list[Value] = []
        for number, item in enumerate(self.data):
            if item is not None:
                items.append(item._replace(path=self.path, trail=f"{self.trail}[{number}]"))
        return items

    def without(self, trails: Collection[str]) -> "Value":
        """Return the value without the entries to which some trails lead.

        In place of an item of a list there is None, so that the other items keep their numbers.
        """
        if isinstance(self.data, dict):
            prefix = f"{self.trail}." if self.trail else ""
            entries = {}
            for key, entry in self.data.items():
                value = entry.value._replace(trail=f"{prefix}{key}")
                if value.trail not in trails:
                    entries[key] = entry._replace(value=value.without(trails))
            return self._replace(data=entries)
        if isinstance(self.data, list):
            items: list[Value | None] = []
            for number, item in enumerate(self.data):
                value = item._replace(trail=f"{self.trail}[{number}]")
                items.append(None if value.trail in trails else value.without(trails))
            return self._replace(data=items)
        return self

    def one_or_more(self) -> list["Value"]:
        """Return the items of a list, or the value itself."""
        if isinstance(self.data, list):
            return self.sequence()
        return [self]

    def text(self) -> str:
        """Return a string.

        Raises:
            ConfigError: It is not a string, or a blank one.
        """
        if not isinstance(self.data, str) or not self.data.strip():
            raise self.fail(f"expected a string, got {self.kind}")
        return self.data

    def texts(self) -> tuple[str, ...]:
        """Return a list of strings; a single string counts as a list of one."""
        if isinstance(self.data, str):
            return (self.text(),)
        return tuple(map(Value.text, self.sequence()))

    def choice(self, options: Collection[str]) -> str:
        """Return one of the options.

        Raises:
            ConfigError: It is none of them.
        """
        text = self.text()
        if text not in options:
            raise self.fail(
                f"invalid value {text!r}; {_meant(text, options)}allowed: {', '.join(options)}"
            )
        return text

    def boolean(self) -> bool:
        """Return a boolean.

        Raises:
            ConfigError: It is not a YAML boolean.
        """
        if not isinstance(self.data, str) or self.data not in _BOOLEANS:
            raise self.fail(f"expected true or false, got {self.kind}")
        return _BOOLEANS[self.data]

    def number(self, low: float, high: float = float("inf")) -> float:
        """Return a number from `low` to `high`.

        Raises:
            ConfigError: It is not a number, or out of range.
        """
        try:
            number = float(self.data)
        except (TypeError, ValueError):
            number = nan
        # `float` also reads "nan", "inf" and digits of other scripts.
        if not isfinite(number) or not self.data.isascii():
            raise self.fail(f"expected a number, got {self.kind}")
        if low <= number <= high:
            return number
        limits = f"between {low:g} and {high:g}"
        if high == float("inf"):
            limits = f"at least {low:g}"
        raise self.fail(f"{self.data} is out of range; expected {limits}")

    def integer(self, low: int, high: float = float("inf")) -> int:
        """Return an integer from `low` to `high`.

        Raises:
            ConfigError: It is not an integer, or out of range.
        """
        number = self.number(low, high)
        if number != int(number) or "e" in self.data.lower():
            raise self.fail(f"expected an integer, got {self.data}")
        return int(number)

    @property
    def kind(self) -> str:
        """The value for a message, as in "a list"."""
        if self.data is None:
            return "nothing"
        if isinstance(self.data, dict):
            return "a mapping"
        if isinstance(self.data, list):
            return "a list"
        return repr(_short(self.data))


class MappingEntry(NamedTuple):
    """A value of a mapping, with the line and column of its key."""

    line: int
    column: int
    value: Value


_MAX_WORD_LENGTH = 100
"""Maximum characters of a word that is compared; the comparison is quadratic in its length."""


def nearest(word: str, options: Collection[str], alike: float = 0.6) -> str:
    """Return the option that is most like a word; "" if none is.

    `alike` is the minimum similarity, from 0 to 1.
    """
    if len(word) > _MAX_WORD_LENGTH:
        return ""
    return next(iter(get_close_matches(word, list(options), 1, alike)), "")


def _meant(word: str, options: Collection[str]) -> str:
    """Return the question for a misspelt word, as in "did you mean 'paths'? "; "" without one."""
    option = nearest(word, options)
    if not option:
        return ""
    return f"did you mean {option!r}? "


def _short(text: str) -> str:
    if len(text) <= 40:
        return text
    return text[:39] + "…"


# Access to a value of unknown structure: a missing value, or one of another kind, is empty.


def at(value: Value | None, key: str) -> Value | None:
    """Return the value of a key of a mapping."""
    return entries(value).get(key)


def entries(value: Value | None) -> dict[str, Value]:
    """Return a mapping; {} if it is not one."""
    if not value or not isinstance(value.data, dict):
        return {}
    return {key: entry.value for key, entry in value.data.items()}


def items(value: Value | None) -> list[Value]:
    """Return a list; [] if it is not one."""
    if not value or not isinstance(value.data, list):
        return []
    return value.data


def text(value: Value | None) -> str:
    """Return a string; "" if it is not one."""
    if not value or not isinstance(value.data, str):
        return ""
    return value.data


# Reading.


@lru_cache(maxsize=16)
def load(text: str, path: str) -> Value:
    """Return the value of a settings file.

    A run reads the same files at several commits, so the last ones are cached.

    Raises:
        ConfigError: The file is empty, or is not YAML; the error has the first defect.
    """
    root, defects = parse(text)
    if defects:
        raise ConfigError(path, defects[0].line, "", defects[0].message)
    if root.data is None:
        raise ConfigError(
            path,
            1,
            "",
            "the file is empty; add a setting, or delete the file to use the defaults",
        )
    return root._replace(path=path)


def parse(text: str, first_line: int = 1) -> tuple[Value, list[Defect]]:
    """Return the value of a YAML text, and its errors.

    `first_line` is the line of the surrounding file on which the text starts. The value is empty
    if the text has a syntax error.
    """
    text = text.translate(_BREAKS)
    nodes = _Nodes(first_line)
    try:
        node = yaml.compose(text, Loader=_Loader)
        value = Value(None, first_line, 1)
        if node:
            value = nodes.value(node, 0, first_line)
    except _RefusedError as error:
        return Value(None, error.defect.line, 1), [*nodes.defects, error.defect]
    except (yaml.YAMLError, RecursionError) as error:
        defect = _syntax_error(error, text, first_line)
        return Value(None, defect.line, 1), [defect]
    return value, nodes.defects


def syntax_error(text: str) -> str:
    """Return the line and the message of a syntax error; "" for valid YAML.

    Several documents and any tag are allowed.
    """
    try:
        for _ in yaml.parse(text, Loader=_Loader):
            pass
    except yaml.YAMLError as error:
        defect = _syntax_error(error, text, 1)
        return f"line {defect.line}: {defect.message}"
    return ""


class _RefusedError(Exception):
    """The text is YAML that is refused."""

    def __init__(self, line: int, message: str) -> None:
        self.defect = Defect(line, message)


class _Nodes:
    """Turn the nodes of a text into values. `defects` are those after which reading continues."""

    def __init__(self, first_line: int) -> None:
        self.defects: list[Defect] = []
        self._first_line = first_line
        self._values: dict[yaml.Node, Value] = {}
        self._remaining = MOST_ALIASED

    def value(self, node: yaml.Node, depth: int, above: int) -> Value:
        """Return the value of a node that `depth` collections contain, the last on line `above`.

        Raises:
            _RefusedError: It is nested too deeply, or aliases repeat too much.
        """
        if node in self._values:  # an alias is the same node again, with the line of the anchor
            return self._repeated(self._values[node], above)
        line = self._first_line + int(node.start_mark.line)
        prefix, _, name = node.tag.rpartition(":")
        if f"{prefix}:" != _TAG or name not in _TAGS:
            tag = node.tag.replace(_TAG, "!!")
            self.defects.append(Defect(line, f"the YAML tag {tag} is not allowed; remove it"))
        if depth == MAX_DEPTH and not isinstance(node, yaml.ScalarNode):
            raise _RefusedError(line, _TOO_DEEP)
        if isinstance(node, yaml.MappingNode):
            data: Any = self._entries(node, depth + 1, line)
        elif isinstance(node, yaml.SequenceNode):
            data = [self.value(item, depth + 1, line) for item in node.value]
        else:
            data = None if name == "null" else node.value
        self._values[node] = Value(data, line, node.start_mark.column + 1)
        return self._values[node]

    def _entries(self, node: yaml.MappingNode, depth: int, line: int) -> dict[str, MappingEntry]:
        entries: dict[str, MappingEntry] = {}
        for key_node, value_node in node.value:
            key = self.value(key_node, depth, line)
            value = self.value(value_node, depth, key.line)
            if key.data is not None and not isinstance(key.data, str):
                message = f"expected a string as key, got {key.kind}"
                hint = "quote a value that starts with { or ["
                self.defects.append(Defect(key.line, f"{message}; {hint}"))
                continue
            name = key.data or ""
            if name in entries:
                first = f"first on line {entries[name].line}"
                message = f"the key {name!r} is repeated, {first}; keep one"
                self.defects.append(Defect(key.line, message))
                continue
            entries[name] = MappingEntry(key.line, key.column, value)
        merge = entries.get("<<")
        if merge and isinstance(merge.value.data, dict):
            del entries["<<"]
            return {**merge.value.data, **entries}
        return entries

    def _repeated(self, value: Value, line: int) -> Value:
        self._remaining -= _size(value, self._remaining)
        if self._remaining < 0:
            limit = f"maximum {MOST_ALIASED}"
            raise _RefusedError(
                line, f"YAML aliases repeat too many values ({limit}); write the values out"
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


def _syntax_error(error: Exception, text: str, first_line: int) -> Defect:
    """Return a syntax error with its line and, if the problem has a usual cause, a hint."""
    if isinstance(error, RecursionError):  # without libyaml, the parser is in Python
        return Defect(first_line, _TOO_DEEP)
    if not isinstance(error, yaml.MarkedYAMLError):
        return Defect(first_line, f"invalid YAML: {str(error).splitlines()[0]}")
    mark = error.problem_mark or error.context_mark
    line = first_line
    if mark:
        line += mark.line
    # PyYAML reports an unclosed quote behind the end of the text, where the file has no line.
    line = min(line, first_line + text.count("\n", 0, len(text.rstrip())))
    problem = error.problem or ""
    for part, message in _MESSAGES.items():
        if part in problem:
            return Defect(line, message)
    hints = [f"; {hint}" for part, hint in _HINTS.items() if part in problem]
    return Defect(line, f"invalid YAML: {problem}{''.join(hints[:1])}")
