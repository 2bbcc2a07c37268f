"""One declaration a setting: its key, type, default and meaning, and which change is weaker. Pure.

A setting is a field of a record, as in `timeout: int = key(integer(1), 60)`. The reader, the
relaxations, the JSON Schema and the tables of the documentation derive from it, the last two by
`scripts/declared.py`.
"""

import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from ..errors import ConfigError
from ..paths import glob_problem, is_inside, is_markdown, matches
from ..text import listed
from ..yaml_reader import Value, load

Places = Mapping[str, tuple[str, int]]
"""The file and line of a setting, by its keys, as in `policy.autonomy`."""

Weaker = Callable[[Any, Any], str | dict[str, str]]
"""Return how the new value is weaker than the old one, as in "2 -> 1"; "" if it is not. For a
mapping it may be a text by key.
"""


# Which change of a setting is weaker: the comparisons, and the line that names it.

MOST_NAMES = 10
"""Maximum names on one line."""
_FOLDER = re.compile(r"[^*?{]*/\*\*")
"""A glob for all files of one folder."""


def lines(name: str, change: str | dict[str, str], places: Places) -> Iterator[str]:
    """Yield a line for a setting that is weaker, or for each entry of it that is.

    As in "policy.minimum_approvals 2 -> 1 (config/approvals.yaml:12)". `change` is the result of a
    comparison.
    """
    for entry, text in {"": change}.items() if isinstance(change, str) else change.items():
        path = f"{name}.{entry}".rstrip(".")
        if text:
            yield f"{path} {text}{nearest_place(places, path)}"


# Comparisons of the old and the new value.


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


def another(old: Any, new: Any) -> str:
    """Return both values if there is a new one, and it is another."""
    return changed(old, new) if new else ""


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
    return f"adds {listed(names, MOST_NAMES)}" if names else ""


def lost(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    now = set(new)
    names = [name for name in old if name not in now]
    return f"leaves out {listed(names, MOST_NAMES)}" if names else ""


def covers_less(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    """Return the globs that the new ones may not cover."""
    before, now = set(old), set(new)
    folders = tuple(glob[:-2] for glob in new if _FOLDER.fullmatch(glob))
    gone = [glob for glob in old if glob not in now and not glob.startswith(folders)]
    if gone and "**" not in now:
        return f"leaves out {listed(gone, MOST_NAMES)}"
    excludes_more = any(glob.startswith("!") and glob not in before for glob in new)
    return "changed" if excludes_more else ""


def lost_entries(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """Return how the entries of a mapping were changed or removed; a new one is stricter."""
    gone = [name for name in old if new.get(name) != old[name]]
    return {name: "changed" if name in new else "was removed" for name in gone}


def changed_entries(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """Return how the entries of a mapping were changed, added or removed."""
    return lost_entries(old, new) | {name: "was added" for name in new if name not in old}


# The places of settings.


def places_in(text: str, path: str) -> Places:
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


# The declaration.


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


# Types of settings: each reads a value, or fails with what is allowed.

MOST_TOGETHER = 20_000
"""Maximum characters of all patterns of a setting. Each may cost time at each character of a
path.
"""

_NO_NAME = re.compile(r"/$|//|(?:^|/)\.{1,2}(?:/|$)")
"""Parts of a pattern that match no file in git: an empty name, `.`, `..`, or a folder (`src/`
instead of `src/**`).
"""
_SIGNS_OF_A_SHELL = frozenset(("|", "||", "&&", "&", ";", ">", ">>", "<", "2>&1"))


def seconds(text: str, units: str) -> int | None:
    """Return a time such as 30m in seconds; None if it has none of the units s, m, h and d."""
    match = re.fullmatch(rf"(0|[1-9][0-9]{{0,4}})([{units}])", text)
    return int(match[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[match[2]] if match else None


def several(item: Type) -> Type:
    """Return the type of a list, or of one item."""
    read = item.read or Value.text
    return Type(lambda value: tuple(map(read, value.one_or_more())), {"one or more": item})


def matching(pattern: str, kind: str, expected: str) -> Type:
    """Return the type of a text that matches a pattern; its schema has the name of the kind.

    `expected` is for the message of the error.
    """

    def read(value: Value) -> str:
        """Return the text. Raise ConfigError if it does not match."""
        if not re.fullmatch(pattern, value.text()):
            raise value.fail(f"invalid {kind} {value.data!r} (expected {expected})")
        return value.text()

    return Type(read, kind)


def named(value: Value, kind: str, pattern: str, expected: str) -> dict[str, Value]:
    """Return the entries of a mapping whose keys are names, each with the line of its key.

    Raises:
        ConfigError: It is not a mapping, or a name does not match the pattern.
    """
    entries = value.mapping()
    for name, item in entries.items():
        entries[name] = item._replace(line=value.data[name].line)
        if not re.fullmatch(pattern, name):
            raise entries[name].fail(f"invalid {kind} {name!r} (expected {expected})")
    return entries


def repository_path(kind: str, example: str) -> Type:
    """Return the type of a path in the repository; its schema has the name of the kind."""

    def read(value: Value) -> str:
        """Return the path. Raise ConfigError if it is outside, or in the folder of git."""
        if "\0" in value.text() or not is_inside(value.text()):
            raise value.fail(
                f"invalid path {value.data!r} (expected relative to the repository root, e.g. "
                f"{example})"
            )
        return value.text()

    return Type(read, kind)


def one_of(options: Collection[str]) -> Type:
    return Type(lambda value: value.choice(options), {"enum": tuple(options)})


def integer(low: int, high: int | None = None) -> Type:
    limits = {"type": "integer", "minimum": low}
    if high is None:
        return Type(lambda value: value.integer(low), limits)
    return Type(lambda value: value.integer(low, high), {**limits, "maximum": high})


MOST_SECONDS, MOST_RETRIES = 7 * 86_400, 100
SECONDS, RETRIES = integer(1, MOST_SECONDS), integer(0, MOST_RETRIES)
"""A time limit of at most a week, and the number of tries after the first one."""


def number(low: float, high: float) -> Type:
    limits = {"type": "number", "minimum": low, "maximum": high}
    return Type(lambda value: value.number(low, high), limits)


def is_model(text: str) -> bool:
    """Return whether a text can be the id of a model. A command line never reads it as a flag."""
    return re.fullmatch(r"\w[\w.:/@\[\]-]*", text) is not None


def words_of(value: Value) -> tuple[str, ...]:
    """Return the arguments of a command: a list, or a text that is split. No shell reads it.

    Raises:
        ConfigError: There is none, or the text has the syntax of a shell.
    """
    words = value.texts()
    if isinstance(value.data, str):
        try:
            words = tuple(shlex.split(value.data))
        except ValueError as error:
            raise value.fail(f"the command can't be split into words: {error}") from None
        signs = _SIGNS_OF_A_SHELL & {*words}
        if signs:
            raise value.fail(
                f"commands run without a shell, so {min(signs)!r} is not supported; use "
                '["sh", "-c", "..."] if you need one'
            )
    if not words:
        raise value.fail("expected a command, e.g. pytest -q")
    return words


def _model(value: Value) -> str:
    if not is_model(value.text()):
        raise value.fail(f"invalid model id {value.data!r} (expected e.g. claude-opus-4-1)")
    return value.text()


def _semantic(value: Value) -> str:
    """Return "auto", "true" or "false". Any spelling of a YAML boolean is allowed."""
    text = value.text().lower()
    text = {"no": "false", "off": "false", "yes": "true", "on": "true"}.get(text, text)
    return value._replace(data=text).choice(("auto", "true", "false"))


def check_glob(value: Value, pattern: str) -> None:
    """Check a pattern.

    Raises:
        ConfigError: The pattern can match nothing, or takes too long.
    """
    if pattern.startswith("/") or _NO_NAME.search(pattern) or "\\" in pattern or "[" in pattern:
        raise value.fail(f"invalid pattern {pattern[:80]!r}: patterns are relative to the "
                         "repository root, use `/`, end in a file name or /**, "
                         "and support **, *, ? and {a,b}")  # fmt: skip
    if problem := glob_problem(pattern):
        raise value.fail(problem)
    try:
        matches("", (pattern,))
    except RecursionError:
        raise value.fail(f"the braces of {pattern[:80]!r}... are nested too deeply") from None


def check_globs(value: Value, patterns: tuple[str, ...]) -> None:
    """Check the patterns of a setting together.

    Raises:
        ConfigError: The patterns take too long together.
    """
    if sum(map(len, patterns)) > MOST_TOGETHER:
        raise value.fail(
            f"the patterns are too long together (maximum {MOST_TOGETHER} characters); use folders "
            "instead of files"
        )


def globs(value: Value | None) -> tuple[str, ...]:
    """Return the globs of a setting; none if it is missing."""
    if value is None:
        return ()
    for item in value.one_or_more():
        check_glob(item, item.text())
    patterns = value.texts()
    check_globs(value, patterns)
    return patterns


def path_globs(value: Value) -> tuple[str, ...]:
    """Return the globs of `paths`.

    Raises:
        ConfigError: There is none, or one that can match no Markdown file.
    """
    patterns = value.texts()
    if not patterns:
        raise value.fail(
            "`paths` is empty, so no ADR would be checked; add a pattern such as "
            "docs/adr/**/*.md, or delete the key"
        )
    for pattern in patterns:
        check_glob(value, pattern)
        if not (is_markdown(pattern) or pattern.endswith(("*", "}"))):
            raise value.fail(
                f"{pattern!r} matches no Markdown file; for all files of a folder use "
                f"{pattern.rstrip('/')}/**/*.md"
            )
    check_globs(value, patterns)
    return patterns


def exclude_globs(value: Value) -> tuple[str, ...]:
    """Return the globs of `exclude`.

    Raises:
        ConfigError: One is invalid, or excludes every file.
    """
    patterns = value.texts()
    for pattern in patterns:
        if not pattern.strip("*/."):
            raise value.fail(
                f"{pattern!r} excludes every ADR; list only the folders or files to exclude"
            )
        check_glob(value, pattern)
    check_globs(value, patterns)
    return patterns


TEXT = Type(Value.text, "text")
TEXTS = Type(Value.texts, {"one or more": TEXT})
BOOLEAN = Type(Value.boolean, "boolean")
GLOBS = Type(globs, {"one or more": "glob"})
MODEL = Type(_model, "model")
SEMANTIC = Type(_semantic, "semantic")
WORDS = Type(words_of, "words")
BRIEF = matching(r"\w[\w-]*", "brief", "the name of a file in checks/, without .md")
DOLLARS = number(0, 1_000_000)
