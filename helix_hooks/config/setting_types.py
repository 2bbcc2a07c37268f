"""Types of settings that several files share: a model, a command, whether a judge reads a text."""

import re
import shlex

from ..yaml_reader import Value
from .declaration import Type

SEMANTIC = ("auto", "true", "false")
_NO, _YES = ("no", "off"), ("yes", "on")
_SIGNS_OF_A_SHELL = frozenset(("|", "||", "&&", "&", ";", ">", ">>", "<", "2>&1"))


def semantic_of(value: Value) -> str:
    """Return "auto", "true" or "false". Any spelling of a YAML boolean is allowed."""
    text = value.text().lower()
    if text in _NO:
        return "false"
    if text in _YES:
        return "true"
    return value._replace(data=text).choice(SEMANTIC)


def is_model(text: str) -> bool:
    """Return whether a text can be the id of a model. A command line never reads it as a flag."""
    return re.fullmatch(r"\w[\w.:/@\[\]-]*", text) is not None


def model_of(value: Value) -> str:
    """Return the id of a model.

    Raises:
        ConfigError: The text cannot be one.
    """
    text = value.text()
    if not is_model(text):
        raise value.fail(f"invalid model id {text!r} (expected e.g. claude-opus-4-1)")
    return text


def words_of(value: Value) -> tuple[str, ...]:
    """Return the arguments of a command: a list, or a text that is split. No shell reads it.

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


SEMANTIC_TYPE = Type(semantic_of, "semantic")
MODEL = Type(model_of, "model")
WORDS = Type(words_of, "words")
