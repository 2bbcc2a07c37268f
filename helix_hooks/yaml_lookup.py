"""Safe access to a YAML value of unknown structure. A missing value, or one of another kind, is
empty.
"""

from .yaml_values import Value


def at(value: Value | None, key: str) -> Value | None:
    """Return the value of a key of a mapping."""
    return entries(value).get(key)


def entries(value: Value | None) -> dict[str, Value]:
    """Return a mapping; {} if it is not one."""
    if not value or not isinstance(value.data, dict):
        return {}
    return {key: entry.value for key, entry in value.data.items()}


def items(value: Value | None) -> list[Value]:
    """Return a list; [] if it is not one."""
    if not value or not isinstance(value.data, list):
        return []
    return value.data


def text(value: Value | None) -> str:
    """Return a string; "" if it is not one."""
    if not value or not isinstance(value.data, str):
        return ""
    return value.data
