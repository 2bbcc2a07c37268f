"""Types of settings: each reads a value, or fails with what is allowed. Pure."""

import re
import shlex
from collections.abc import Collection

from ..globs import globs
from ..paths import is_inside
from ..yaml_reader import Value
from .declaration import Type

_SIGNS_OF_A_SHELL = frozenset(("|", "||", "&&", "&", ";", ">", ">>", "<", "2>&1"))


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


def path(kind: str, example: str) -> Type:
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


def choice(options: Collection[str]) -> Type:
    return Type(lambda value: value.choice(options), {"enum": tuple(options)})


def integer(low: int, high: int | None = None) -> Type:
    limits = {"type": "integer", "minimum": low}
    if high is None:
        return Type(lambda value: value.integer(low), limits)
    return Type(lambda value: value.integer(low, high), {**limits, "maximum": high})


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


TEXT = Type(Value.text, "text")
TEXTS = Type(Value.texts, {"one or more": TEXT})
BOOLEAN = Type(Value.boolean, "boolean")
GLOBS = Type(globs, {"one or more": "glob"})
MODEL = Type(_model, "model")
SEMANTIC = Type(_semantic, "semantic")
WORDS = Type(words_of, "words")
BRIEF = matching(r"\w[\w-]*", "brief", "the name of a file in checks/, without .md")
DOLLARS = number(0, 1_000_000)
