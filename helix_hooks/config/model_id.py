"""The ids of models."""

import re


def is_model(text: str) -> bool:
    """Return whether a text can be a model's id, and nothing that a command line takes for a
    flag.
    """
    return re.fullmatch(r"\w[\w.:/@\[\]-]*", text) is not None
