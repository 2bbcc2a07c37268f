"""The ids of models."""

import re

from ..yaml_reader import Value
from .declaration import Type


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


MODEL = Type(model_of, "model")
