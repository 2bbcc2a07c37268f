"""One declaration a setting: its key, type and meaning, and which change of it is weaker. Pure.

The reader, the relaxations, the JSON Schema and the tables of the documentation derive from it, the
last two by `scripts/declared.py`. The default is that of the record with the settings.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from ..errors import ConfigError
from ..globs import globs
from ..yaml_reader import Value, load

Places = Mapping[str, tuple[str, int]]
"""The file and line of a setting, by its keys, as in `policy.autonomy`."""

Weaker = Callable[[Any, Any], str | dict[str, str]]
"""Return how the new value is weaker than the old one, as in "2 -> 1"; "" if it is not. For a
mapping it may be a text by key.
"""

_MAX_NAMES = 10
"""Maximum names on one line."""
_FOLDER = re.compile(r"[^*?{]*/\*\*")
"""A glob for all files of one folder."""


def changed(old: Any, new: Any) -> str:
    """Return both values if they differ. A setting is compared so unless it says otherwise."""
    return f"{_shown(old)} -> {_shown(new)}" if old != new else ""


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if value is None:
        return "none"
    return str(value) or "none"


class Type(NamedTuple):
    """The reader of a value, and the part of it that a JSON Schema can say.

    `read` is None for a value that is read together with others. `schema` is the name of a type in
    `scripts/setting_types.yaml`, a section, or a JSON Schema with those as values.
    """

    read: Callable[[Value], Any] | None
    schema: Any


class Key(NamedTuple):
    """A setting. The text below it in its class is what it means.

    Each change of it is reported as a relaxation, unless `weaker` tells which changes are: None
    means that none is, or that another module compares it. A section without a `weaker` of its own
    is compared setting by setting.

    `name` is its key, and `field` its place in the record ("." for the record itself), if they are
    not the name in the class.
    """

    type: "Type | Section"
    weaker: Weaker | None = changed
    field: str = ""
    example: Any = None
    required: bool = False
    name: str = ""

    def of(self, record: Any) -> Any:
        return record if self.field == "." else attrgetter(self.field)(record)


class Section(NamedTuple):
    """The settings below one key. `source` is the class that declares them.

    `also` is another form of the value, and `conditions` the part of a JSON Schema about several
    settings, both by their names in `scripts/setting_types.yaml`.
    """

    source: type
    keys: tuple[Key, ...]
    default: Any
    also: str
    conditions: str

    def entries(self, value: Value) -> dict[str, Value]:
        """Return the entries of a mapping.

        Raises:
            ConfigError: It is not a mapping, or it has an unknown key, or lacks a required one.
        """
        names = [key.name for key in self.keys]
        return value.mapping(names, [key.name for key in self.keys if key.required])

    def read(self, value: Value, record: Any = None) -> Any:
        """Return a record with the settings of a mapping; missing ones are as in `record`.

        Raises:
            ConfigError: A value is invalid; the error has the first one.
        """
        return self.with_entries(self.default if record is None else record, self.entries(value))

    def with_entries(self, record: Any, entries: Mapping[str, Value]) -> Any:
        """Return a record with the settings of some entries.

        Raises:
            ConfigError: A value is invalid; the error has the first one.
        """
        for key in self.keys:
            if key.name in entries and isinstance(key.type, Section):
                below = key.type.read(entries[key.name], key.of(record))
                record = _replaced(record, key.field, below)
            elif key.name in entries and key.type.read:
                record = _replaced(record, key.field, key.type.read(entries[key.name]))
        return record

    def relaxed(self, old: Any, new: Any, places: Places, trail: str = "") -> Iterator[str]:
        """Yield a line for each setting that is weaker in a new record."""
        for key in self.keys:
            below = key.type if isinstance(key.type, Section) else key.type.schema
            name = f"{trail}{key.name}"
            if isinstance(below, Section) and key.weaker is changed:
                yield from below.relaxed(key.of(old), key.of(new), places, f"{name}.")
                continue
            change = key.weaker(key.of(old), key.of(new)) if key.weaker else ""
            texts = {"": change} if isinstance(change, str) else change
            for entry, text in texts.items():
                path = f"{name}.{entry}".rstrip(".")
                if text:
                    yield f"{path} {text}{nearest_place(places, path)}"


def section(source: type, default: Any = None, also: str = "", conditions: str = "") -> Section:
    """Return the section that a class declares. `default` is a record without settings."""
    keys: dict[str, Key] = {}
    for base in source.__mro__[::-1]:
        for name, key in vars(base).items():
            if isinstance(key, Key):
                keys[name] = key._replace(name=key.name or name, field=key.field or name)
    return Section(source, tuple(keys.values()), default, also, conditions)


def _replaced(record: Any, field: str, value: Any) -> Any:
    if field == ".":
        return value
    first, _, rest = field.partition(".")
    if rest:
        value = _replaced(getattr(record, first), rest, value)
    return record._replace(**{first: value})


# The places of settings.


def places(text: str, path: str) -> Places:
    """Return the places of all settings in a YAML text; {} if the text is invalid.

    The key of a list item is its `id`.
    """
    try:
        root = load(text, path)
    except ConfigError:
        return {}
    return {trail: (path, line) for trail, line in _below(root, "")}


def _below(value: Value, trail: str) -> Iterator[tuple[str, int]]:
    """Yield the keys and the line of each setting in a value."""
    if isinstance(value.data, dict):
        prefix = f"{trail}." if trail else ""
        for key, entry in value.data.items():
            yield f"{prefix}{key}", entry.line
            yield from _below(entry.value, f"{prefix}{key}")
    elif isinstance(value.data, list):
        for item in value.data:
            if isinstance(item.data, dict) and "id" in item.data:
                step = f"{trail}.{item.data['id'].value.data}"
                yield step, item.line
                yield from _below(item, step)


def place_of(where: Places, *trails: str) -> str:
    """Return the place of the first setting that has one, as in " (path:12)"; "" if none has."""
    for trail in trails:
        if trail in where:
            path, line = where[trail]
            return f" ({path}:{line})"
    return ""


def nearest_place(where: Places, trail: str) -> str:
    """Return the place of a setting, or of the nearest one above it; "" if none has one."""
    while trail and trail not in where:
        trail = trail.rpartition(".")[0]
    return place_of(where, trail)


# Types.


def several(item: Type) -> Type:
    """Return the type of a list, or of one item."""
    read = item.read or Value.text
    return Type(lambda value: tuple(map(read, value.one_or_more())), {"one or more": item})


def matching(pattern: str, kind: str, example: str) -> Type:
    """Return the type of a text that matches a pattern; its schema has the name of the kind.

    Reading raises ConfigError for another text.
    """

    def read(value: Value) -> str:
        """Return the text. Raise ConfigError if it does not match."""
        if not re.fullmatch(pattern, value.text()):
            raise value.fail(f"invalid {kind} {value.data!r} (expected e.g. {example})")
        return value.text()

    return Type(read, kind)


def choice(options: Collection[str]) -> Type:
    return Type(lambda value: value.choice(options), {"enum": tuple(options)})


def integer(low: int) -> Type:
    return Type(lambda value: value.integer(low), {"type": "integer", "minimum": low})


def number(low: float, high: float) -> Type:
    limits = {"type": "number", "minimum": low, "maximum": high}
    return Type(lambda value: value.number(low, high), limits)


TEXT = Type(Value.text, "text")
TEXTS = Type(Value.texts, {"one or more": TEXT})
BOOLEAN = Type(Value.boolean, "boolean")
GLOBS = Type(globs, {"one or more": "glob"})


# What is weaker.


def lower(old: Any, new: Any) -> str:
    return changed(old, new) if new < old else ""


def higher(old: Any, new: Any) -> str:
    return changed(old, new) if new > old else ""


def later(options: Collection[str]) -> Callable[[str, str], str]:
    """Return the comparison of values that are listed from the strictest to the weakest."""
    order = [*options]
    return lambda old, new: changed(old, new) if order.index(new) > order.index(old) else ""


def added(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    before = set(old)
    names = [name for name in new if name not in before]
    return f"adds {listed(names)}" if names else ""


def lost(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    now = set(new)
    names = [name for name in old if name not in now]
    return f"leaves out {listed(names)}" if names else ""


def covers_less(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    """Return the globs that the new ones may not cover."""
    before, now = set(old), set(new)
    folders = tuple(glob[:-2] for glob in new if _FOLDER.fullmatch(glob))
    gone = [glob for glob in old if glob not in now and not glob.startswith(folders)]
    if gone and "**" not in now:
        return f"leaves out {listed(gone)}"
    excludes_more = any(glob.startswith("!") and glob not in before for glob in new)
    return "changed" if excludes_more else ""


def changed_entries(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """Return how the entries of a mapping were changed, added or removed."""
    changes = {name: "changed" for name in old if name in new and old[name] != new[name]}
    changes |= {name: "was removed" for name in old if name not in new}
    return changes | {name: "was added" for name in new if name not in old}


def listed(names: Collection[str]) -> str:
    """Return the first names, and the number of the others."""
    text = ", ".join([*names][:_MAX_NAMES])
    if len(names) > _MAX_NAMES:
        return f"{text} and {len(names) - _MAX_NAMES} more"
    return text
