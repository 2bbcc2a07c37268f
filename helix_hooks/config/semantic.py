"""The setting `semantic`: whether a judge reads the content."""

from ..yaml_values import Value

SEMANTIC = ("auto", "true", "false")
_NO, _YES = ("no", "off"), ("yes", "on")


def semantic_of(value: Value) -> str:
    """Return "auto", "true" or "false" for that word, or for any spelling of a YAML boolean."""
    text = value.text().lower()
    if text in (*_NO, *_YES):
        return "false" if text in _NO else "true"
    return value._replace(data=text).choice(SEMANTIC)
