"""A command of the settings: a list of arguments, or a text that is split. No shell reads it."""

import shlex

from ..yaml_reader import Value
from .declaration import Type

_SIGNS_OF_A_SHELL = frozenset(("|", "||", "&&", "&", ";", ">", ">>", "<", "2>&1"))


def words_of(value: Value) -> tuple[str, ...]:
    """Return the arguments of a command.

    Raises:
        ConfigError: There is none, or the text has the syntax of a shell.
    """
    words = _split(value) if isinstance(value.data, str) else value.texts()
    if not words:
        raise value.fail("expected a command, e.g. pytest -q")
    return words


def _split(value: Value) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(value.text()))
    except ValueError as error:
        raise value.fail(f"the command can't be split into words: {error}") from None
    signs = _SIGNS_OF_A_SHELL & {*words}
    if signs:
        raise value.fail(
            f"commands run without a shell, so {min(signs)!r} is not supported; use "
            '["sh", "-c", "..."] if you need one'
        )
    return words


WORDS = Type(words_of, "words")
