"""One declaration a setting: its key, type, default and meaning, and which change is weaker. Pure.

A setting is a field of a record, as in `timeout: int = key(integer(1), 60)`. The reader, the
relaxations, the JSON Schema and the tables of the documentation derive from it, the last two by
`scripts/declared.py`.
"""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from ..yaml_reader import Value
from .weaker import Places, Weaker, changed, lines


class Type(NamedTuple):
    """The reader of a value, and the part of it that a JSON Schema can say.

    `read` is None for a value that is read together with others. `schema` is the name of a type in
    `scripts/setting_types.yaml`, a section, or a JSON Schema with those as values.
    """

    read: Callable[[Value], Any] | None
    schema: Any

    def __call__(self, value: Value) -> Any:
        return self.read(value) if self.read else value


class Key(NamedTuple):
    """A setting; `key` has the meaning of each field. `owner` is the class that declares it."""

    type: "Type | Section"
    default: Any
    weaker: Weaker | None
    name: str
    field: str
    example: Any
    required: bool
    inline: bool
    owner: Any = None

    def of(self, record: Any) -> Any:
        return record if self.field == "." else attrgetter(self.field)(record)


def key(
    type: "Type | Section",
    default: Any = None,
    weaker: Weaker | None = changed,
    *,
    name: str = "",
    field: str = "",
    example: Any = None,
    required: bool = False,
    inline: bool = False,
) -> Any:
    """Declare a setting. The text below its field is what it means.

    Each change of it is reported as a relaxation, unless `weaker` tells which changes are: None
    means that none is, or that another module compares it. A section without a `weaker` of its own
    is compared setting by setting.

    `name` is its key, if that is not the name of the field. `field` is its place in the record ("."
    for the record itself), if a class without values declares it. With `inline` the settings of a
    section are among those around it.
    """
    if isinstance(type, Section) and default is None:
        default = type.default
    return Key(type, default, weaker, name, field, example, required, inline)


Check = Callable[[Any, Mapping[str, Value]], Any]
"""Return the record of a section as its entries mean it together. It may raise ConfigError."""


class Section(NamedTuple):
    """The settings below one key, and the record without any of them.

    `also` is another form of the value, and `conditions` the part of a JSON Schema about several
    settings, both by their names in `scripts/setting_types.yaml`.
    """

    keys: tuple[Key, ...]
    default: Any
    check: Check | None = None
    also: str = ""
    conditions: str = ""

    def below(self, field: str) -> "Section":
        """Return the section for a record that has this one's record in a field."""
        keys = [key._replace(field=f"{field}.{key.field}".removesuffix("..")) for key in self.keys]
        return self._replace(keys=tuple(keys))

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
        return self.check(record, entries) if self.check else record

    def relaxed(self, old: Any, new: Any, places: Places, trail: str = "") -> Iterator[str]:
        """Yield a line for each setting that is weaker in a new record."""
        for key in self.keys:
            below = key.type if isinstance(key.type, Section) else key.type.schema
            name = f"{trail}{key.name}"
            if isinstance(below, Section) and key.weaker is changed:
                yield from below.relaxed(key.of(old), key.of(new), places, f"{name}.")
            elif key.weaker:
                yield from lines(name, key.weaker(key.of(old), key.of(new)), places)


def section(
    source: Any, check: Check | None = None, also: str = "", conditions: str = ""
) -> Section:
    """Return the section of a record, or of a class without values, whose attributes are keys."""
    fields = dict(getattr(source, "_field_defaults", vars(source)))
    declared = {name: key for name, key in fields.items() if isinstance(key, Key)}
    default = None
    if hasattr(source, "_fields"):
        # Until here the default of each field is its key.
        source._field_defaults |= {name: key.default for name, key in declared.items()}
        source.__new__.__defaults__ = (*source._field_defaults.values(),)
        default = source()
    keys: list[Key] = []
    for field, item in declared.items():
        key = item._replace(name=item.name or field, field=item.field or field, owner=source)
        if key.inline and isinstance(key.type, Section):
            keys += key.type.below(key.field).keys
        else:
            keys.append(key)
    return Section(tuple(keys), default, check, also, conditions)


def _replaced(record: Any, field: str, value: Any) -> Any:
    if field == ".":
        return value
    first, _, rest = field.partition(".")
    if rest:
        value = _replaced(getattr(record, first), rest, value)
    return record._replace(**{first: value})
