"""The setting `semantic`: whether a judge reads the content."""

from ..yaml_reader import Value
from .declaration import Type

SEMANTIC = ("auto", "true", "false")
_NO, _YES = ("no", "off"), ("yes", "on")


def semantic_of(value: Value) -> str:
    """Return "auto", "true" or "false". Any spelling of a YAML boolean is allowed."""
    text = value.text().lower()
    if text in _NO:
        return "false"
    if text in _YES:
        return "true"
    return value._replace(data=text).choice(SEMANTIC)


SEMANTIC_TYPE = Type(semantic_of, "semantic")
