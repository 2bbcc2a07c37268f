"""Add settings to the text of a file, keeping its comments and order. Pure.

A text is returned only if it parses as the old settings and the additions, and nothing else.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .. import yaml_load
from ..config.pyproject import table
from ..errors import ConfigError
from ..paths import PYPROJECT, SETTINGS
from ..yaml_values import MappingEntry, Value


class ListItem(NamedTuple):
    """An entry of a list, and a comment on it.

    With a severity, the text is the name of a section.
    """

    text: str
    note: str = ""
    severity: str = ""

    @property
    def value(self) -> object:
        return {"name": self.text, "severity": self.severity} if self.severity else self.text


Additions = dict[str, "str | tuple[ListItem, ...] | Additions"]
"""Settings to add: a text, a list or a mapping for each key."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_VALUES = frozenset("true false yes no on off null y n".split())
"""Words that YAML may read as something else than a text."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_TABLE = re.compile(r"\s*\[([^\[\]]*)\]\s*(?:#.*)?")
_TOOL = ("tool", "helix-hooks")


class _Insertion(NamedTuple):
    """Lines to insert before a line, counted from 0."""

    place: int
    lines: list[str]


class _UnknownFormError(Exception):
    """The form of a file does not allow to insert anything."""


def yaml_block(additions: Additions, indent: int = 0) -> list[str]:
    """Return additions as lines of YAML."""
    lines: list[str] = []
    start = " " * indent
    for key, value in additions.items():
        if isinstance(value, str):
            lines.append(f"{start}{_yaml(key)}: {_yaml(value)}")
        elif isinstance(value, dict):
            lines += [f"{start}{_yaml(key)}:", *yaml_block(value, indent + 2)]
        elif any(item.note for item in value):
            lines += [f"{start}{_yaml(key)}:", *_yaml_items(value, f"{start}  - ")]
        else:
            listed = ", ".join(map(_yaml_item, value))
            lines.append(f"{start}{_yaml(key)}: [{listed}]")
    return lines


def with_yaml(text: str, additions: Additions) -> str | None:
    """Return settings in YAML with additions; None if the file has an unusual form."""
    root = yaml_load.load(text, SETTINGS)
    lines = _lines(text)
    try:
        insertions = list(_into_mapping(lines, root, additions))
    except _UnknownFormError:
        return None
    new = _joined(text, lines, insertions)
    try:
        now = _plain(yaml_load.load(new, SETTINGS))
    except ConfigError:
        return None
    return new if now == _united(_plain(root), additions) else None


def with_toml(text: str, additions: Additions) -> str | None:
    """Return a pyproject.toml with additions to its table tool.helix-hooks; None where that is
    written in an unusual way.
    """
    lines = _lines(text)
    insertions = list(_into_tables(lines, additions))
    new = _joined(text, lines, insertions)
    wanted = _united(tomllib.loads(text), {"tool": {"helix-hooks": additions}})
    try:
        return new if tomllib.loads(new) == wanted else None
    except tomllib.TOMLDecodeError:
        return None


def _lines(text: str) -> list[str]:
    """Return the lines of a text that ends with a line ending."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _joined(text: str, lines: list[str], insertions: list[_Insertion]) -> str:
    from_below = sorted(enumerate(insertions), key=lambda item: (item[1].place, item[0]))[::-1]
    for _, (place, added) in from_below:
        lines[place:place] = added
    newline = "\r\n" if "\r\n" in text else "\n"
    return newline.join([*lines, ""])


# YAML.


def _yaml(text: str) -> str:
    is_plain = _WORD.fullmatch(text) and text.casefold() not in _VALUES
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _yaml_item(item: ListItem) -> str:
    text = _yaml(item.text)
    return f"{{name: {text}, severity: {_yaml(item.severity)}}}" if item.severity else text


def _yaml_items(items: tuple[ListItem, ...], start: str) -> list[str]:
    texts = [_yaml_item(item) for item in items]
    width = max(map(len, texts))
    return [
        f"{start}{text:<{width}}  # {item.note}" if item.note else f"{start}{text}"
        for text, item in zip(texts, items, strict=True)
    ]


def _into_mapping(lines: list[str], value: Value, additions: Additions) -> Iterator[_Insertion]:
    """Yield the insertions that add to a mapping of the file. Raises _UnknownFormError."""
    entries: Mapping[str, MappingEntry] = value.data
    if not entries or lines[value.line - 1].lstrip()[:1] in ("{", "?", "-"):
        raise _UnknownFormError
    first = min(entries.values(), key=lambda entry: entry.line)
    new: Additions = {}
    for key, addition in additions.items():
        entry = entries.get(key)
        if entry is None:
            new[key] = addition
        elif isinstance(addition, dict) and isinstance(entry.value.data, dict):
            if entry.value.line == entry.line:
                raise _UnknownFormError
            yield from _into_mapping(lines, entry.value, addition)
        elif isinstance(addition, tuple) and isinstance(entry.value.data, list):
            yield _into_list(lines, entry, addition)
        else:
            raise _UnknownFormError
    if new:
        indent = first.column - 1
        last = max(entry.line for entry in entries.values())
        added = yaml_block(new, indent)
        yield _Insertion(_end(lines, last - 1, indent), ["", *added] if not indent else added)


def _into_list(lines: list[str], entry: MappingEntry, items: tuple[ListItem, ...]) -> _Insertion:
    found: list[Value] = entry.value.data
    if not found or found[0].line == entry.line:
        raise _UnknownFormError
    start = re.match(r"( *)- +", lines[found[0].line - 1])
    if not start:
        raise _UnknownFormError
    place = _end(lines, found[-1].line - 1, len(start[1]))
    return _Insertion(place, _yaml_items(items, start[0]))


def _end(lines: list[str], place: int, indent: int) -> int:
    """Return the line behind an entry, without the comments and blank lines below it."""
    end = place + 1
    for number in range(place + 1, len(lines)):
        text = lines[number].strip()
        if not text or text.startswith("#"):
            continue
        deep = len(lines[number]) - len(lines[number].lstrip())
        if deep < indent or (deep == indent and not text.startswith("- ")):
            break
        end = number + 1
    return end


def _plain(value: Value) -> object:
    """Return a parsed value without its positions in the file."""
    if isinstance(value.data, dict):
        return {key: _plain(entry.value) for key, entry in value.data.items()}
    if isinstance(value.data, list):
        return [_plain(item) for item in value.data]
    return value.data


def _united(old: object, additions: Additions) -> object:
    """Return settings with additions, as plain values."""
    if not isinstance(old, dict):
        return None
    new = dict(old)
    for key, addition in additions.items():
        if isinstance(addition, dict):
            new[key] = _united(old.get(key, {}), addition)
        elif isinstance(addition, tuple):
            new[key] = [*old.get(key, []), *(item.value for item in addition)]
        else:
            new[key] = addition
    return new


# TOML.


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _toml_item(item: ListItem) -> str:
    text = _toml(item.text)
    return f"{{name = {text}, severity = {_toml(item.severity)}}}" if item.severity else text


def toml_tables(additions: Additions, name: tuple[str, ...] = _TOOL) -> dict[str, list[str]]:
    """Return additions as the lines of tables, by the name of the table."""
    tables: dict[str, list[str]] = {}
    own: list[str] = []
    for key, value in additions.items():
        bare = key if _BARE.fullmatch(key) else _toml(key)
        if isinstance(value, dict):
            tables |= toml_tables(value, (*name, bare))
        elif isinstance(value, str):
            own.append(f"{bare} = {_toml(value)}")
        elif any(item.note for item in value):
            items = [f"    {_toml_item(item)},  # {item.note}" for item in value]
            own += [f"{bare} = [", *items, "]"]
        else:
            own.append(f"{bare} = [{', '.join(map(_toml_item, value))}]")
    return {".".join(name): own, **tables} if own else tables


def _into_tables(lines: list[str], additions: Additions) -> Iterator[_Insertion]:
    """Yield the insertions that add to tables, each behind the table's first line if it is there,
    else below all tables of the program.
    """
    heads = {
        re.sub(r"\s", "", found[1]): number
        for number, line in enumerate(lines)
        if (found := _TABLE.fullmatch(line))
    }
    program = ".".join(_TOOL)
    ours = [place for name, place in heads.items() if f"{name}.".startswith(f"{program}.")]
    behind = [place for place in heads.values() if place > max(ours, default=0)]
    end = min(behind, default=len(lines))
    while end and not lines[end - 1].strip():
        end -= 1
    below: list[str] = []
    for name, added in toml_tables(additions).items():
        if name in heads:
            yield _Insertion(heads[name] + 1, added)
        else:
            below += ["", f"[{name}]", *added]
    if below:
        yield _Insertion(end, below)


def values(path: str, text: str, additions: Additions) -> object:
    """Return the settings of a file with additions, as plain values; "" is no file."""
    root = yaml_load.load(text, path) if text and path == SETTINGS else None
    root = table(text) if text and path == PYPROJECT else root
    return _united(_plain(root) if root else {}, additions)


def in_file(path: str, text: str, additions: Additions) -> str | None:
    """Return a settings file with additions; None if it has an unusual form."""
    return with_toml(text, additions) if path == PYPROJECT else with_yaml(text, additions)
