"""Add settings to the text of a file, keeping its comments and order. Pure.

A text is returned only if it parses as the old settings and the additions, and nothing else.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .. import yaml_reader
from ..config.pyproject import table
from ..errors import ConfigError
from ..paths import PYPROJECT, SETTINGS
from ..yaml_reader import MappingEntry, Value


class ListItem(NamedTuple):
    """An entry of a list, and a comment on it.

    With a severity, the text is the name of a section.
    """

    text: str
    note: str = ""
    severity: str = ""

    @property
    def value(self) -> object:
        """Return the item as a parsed settings file has it."""
        if self.severity:
            return {"name": self.text, "severity": self.severity}
        return self.text


Additions = dict[str, "str | tuple[ListItem, ...] | Additions"]
"""Settings to add: a text, a list or a mapping for each key."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_VALUES = frozenset("true false yes no on off null y n".split())
"""Words that YAML may read as a boolean or null instead of a string."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_TABLE = re.compile(r"\s*\[([^\[\]]*)\]\s*(?:#.*)?")
_TOOL = ("tool", "helix-hooks")


class _Insertion(NamedTuple):
    """Lines to insert before a line, counted from 0."""

    place: int
    lines: list[str]


class _UnknownFormError(Exception):
    """The form of a file does not allow an insertion."""


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
    root = yaml_reader.load(text, SETTINGS)
    lines = _lines(text)
    try:
        insertions = list(_into_mapping(lines, root, additions))
    except _UnknownFormError:
        return None
    new = _joined(text, lines, insertions)
    try:
        now = _plain(yaml_reader.load(new, SETTINGS))
    except ConfigError:
        return None
    # The insertion works on lines. Parsing its result catches each form that it does not know.
    if now == _merged(_plain(root), additions):
        return new
    return None


def with_toml(text: str, additions: Additions) -> str | None:
    """Return a pyproject.toml with additions to its table tool.helix-hooks.

    None if the table is written in an unusual form.
    """
    lines = _lines(text)
    insertions = list(_into_tables(lines, additions))
    new = _joined(text, lines, insertions)
    expected = _merged(tomllib.loads(text), {"tool": {"helix-hooks": additions}})
    try:
        parsed = tomllib.loads(new)
    except tomllib.TOMLDecodeError:
        return None
    return new if parsed == expected else None


def _lines(text: str) -> list[str]:
    """Return the lines of a text that ends with a line ending."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _joined(text: str, lines: list[str], insertions: list[_Insertion]) -> str:
    """Return the lines with insertions, and with the line endings of the text."""
    # From the last to the first, so that an insertion does not move the place of another one.
    # `sorted` is stable: insertions at the same place stay in their order.
    ordered = sorted(insertions, key=lambda item: item.place)
    for place, added in reversed(ordered):
        lines[place:place] = added
    newline = "\r\n" if "\r\n" in text else "\n"
    return newline.join([*lines, ""])


# YAML.


def _yaml(text: str) -> str:
    is_plain = _WORD.fullmatch(text) and text.casefold() not in _VALUES
    if is_plain:
        return text
    return json.dumps(text, ensure_ascii=False)


def _yaml_item(item: ListItem) -> str:
    text = _yaml(item.text)
    if not item.severity:
        return text
    return f"{{name: {text}, severity: {_yaml(item.severity)}}}"


def _yaml_items(items: tuple[ListItem, ...], start: str) -> list[str]:
    """Return list items as lines, with their notes below each other."""
    texts = [_yaml_item(item) for item in items]
    width = max(map(len, texts))
    lines: list[str] = []
    for text, item in zip(texts, items, strict=True):
        line = f"{start}{text}"
        if item.note:
            line = f"{start}{text:<{width}}  # {item.note}"
        lines.append(line)
    return lines


def _into_mapping(lines: list[str], value: Value, additions: Additions) -> Iterator[_Insertion]:
    """Yield the insertions that add to a mapping of the file. Raises _UnknownFormError."""
    entries: Mapping[str, MappingEntry] = value.data
    # A mapping in braces, one with `?` keys, or one in a list item: its entries have no lines of
    # their own with the same indent.
    if not entries or lines[value.line - 1].lstrip()[:1] in ("{", "?", "-"):
        raise _UnknownFormError
    new: Additions = {}
    for key, addition in additions.items():
        if key in entries:
            yield from _into_entry(lines, entries[key], addition)
        else:
            new[key] = addition
    if new:
        yield _below_entries(lines, entries, new)


def _into_entry(
    lines: list[str], entry: MappingEntry, addition: "str | tuple[ListItem, ...] | Additions"
) -> Iterator[_Insertion]:
    """Yield the insertions that add to an entry that the file has. Raises _UnknownFormError."""
    data = entry.value.data
    if isinstance(addition, dict) and isinstance(data, dict) and entry.value.line != entry.line:
        yield from _into_mapping(lines, entry.value, addition)
    elif isinstance(addition, tuple) and isinstance(data, list):
        yield _into_list(lines, entry, addition)
    else:
        raise _UnknownFormError


def _below_entries(
    lines: list[str], entries: Mapping[str, MappingEntry], additions: Additions
) -> _Insertion:
    """Return the insertion of new keys below the last entry of a mapping."""
    first = min(entries.values(), key=lambda entry: entry.line)
    last = max(entry.line for entry in entries.values())
    indent = first.column - 1
    added = yaml_block(additions, indent)
    if not indent:
        added = ["", *added]
    return _Insertion(_end(lines, last - 1, indent), added)


def _into_list(lines: list[str], entry: MappingEntry, items: tuple[ListItem, ...]) -> _Insertion:
    present: list[Value] = entry.value.data
    if not present or present[0].line == entry.line:
        raise _UnknownFormError
    start = re.match(r"( *)- +", lines[present[0].line - 1])
    if not start:
        raise _UnknownFormError
    place = _end(lines, present[-1].line - 1, len(start[1]))
    return _Insertion(place, _yaml_items(items, start[0]))


def _end(lines: list[str], place: int, indent: int) -> int:
    """Return the index of the line after an entry, without the comments and blank lines below."""
    end = place + 1
    for number in range(place + 1, len(lines)):
        text = lines[number].strip()
        if not text or text.startswith("#"):
            continue
        depth = len(lines[number]) - len(lines[number].lstrip())
        # YAML allows the items of a list at the indent of its key.
        if depth < indent or (depth == indent and not text.startswith("- ")):
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


def _merged(old: object, additions: Additions) -> object:
    """Return settings with additions, as plain values."""
    if not isinstance(old, dict):
        return None
    new = dict(old)
    for key, addition in additions.items():
        if isinstance(addition, dict):
            new[key] = _merged(old.get(key, {}), addition)
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
    if not item.severity:
        return text
    return f"{{name = {text}, severity = {_toml(item.severity)}}}"


def toml_tables(additions: Additions, name: tuple[str, ...] = _TOOL) -> dict[str, list[str]]:
    """Return additions as the lines of tables, by the name of the table."""
    tables: dict[str, list[str]] = {}
    lines: list[str] = []
    for key, value in additions.items():
        bare = key if _BARE.fullmatch(key) else _toml(key)
        if isinstance(value, dict):
            tables |= toml_tables(value, (*name, bare))
        elif isinstance(value, str):
            lines.append(f"{bare} = {_toml(value)}")
        elif any(item.note for item in value):
            items = [f"    {_toml_item(item)},  # {item.note}" for item in value]
            lines += [f"{bare} = [", *items, "]"]
        else:
            lines.append(f"{bare} = [{', '.join(map(_toml_item, value))}]")
    if lines:
        return {".".join(name): lines, **tables}
    return tables


def _into_tables(lines: list[str], additions: Additions) -> Iterator[_Insertion]:
    """Yield the insertions that add to tables.

    Lines of a table that the file has go below its first line. Other tables go below the last table
    of the program.
    """
    heads = _table_heads(lines)
    new: list[str] = []
    for name, added in toml_tables(additions).items():
        if name in heads:
            yield _Insertion(heads[name] + 1, added)
        else:
            new += ["", f"[{name}]", *added]
    if new:
        yield _Insertion(_end_of_tables(lines, heads), new)


def _table_heads(lines: list[str]) -> dict[str, int]:
    """Return the index of the line that begins each table, by the table's name."""
    heads: dict[str, int] = {}
    for number, line in enumerate(lines):
        head = _TABLE.fullmatch(line)
        if head:
            heads[re.sub(r"\s", "", head[1])] = number
    return heads


def _end_of_tables(lines: list[str], heads: dict[str, int]) -> int:
    """Return the index of the line after the last table of the program."""
    program = ".".join(_TOOL)
    ours = [place for name, place in heads.items() if f"{name}.".startswith(f"{program}.")]
    below = [place for place in heads.values() if place > max(ours, default=0)]
    end = min(below, default=len(lines))
    while end and not lines[end - 1].strip():
        end -= 1
    return end


def values(path: str, text: str, additions: Additions) -> object:
    """Return the settings of a file with additions, as plain values. A new file has the text ""."""
    root: Value | None = None
    if text and path == SETTINGS:
        root = yaml_reader.load(text, path)
    elif text and path == PYPROJECT:
        root = table(text)
    return _merged(_plain(root) if root else {}, additions)


def in_file(path: str, text: str, additions: Additions) -> str | None:
    """Return a settings file with additions; None if it has an unusual form."""
    if path == PYPROJECT:
        return with_toml(text, additions)
    return with_yaml(text, additions)
