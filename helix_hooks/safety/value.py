"""Safe access to a YAML value of unknown shape: a missing or other kind of value is empty."""

from ..yaml_values import Value


def at(value: Value | None, key: str) -> Value | None:
    """Return the value of a key of a mapping."""
    return entries(value).get(key)


def entries(value: Value | None) -> dict[str, Value]:
    """Return a mapping; {} if it is none."""
    if not value or not isinstance(value.data, dict):
        return {}
    return {key: entry.value for key, entry in value.data.items()}


def items(value: Value | None) -> list[Value]:
    """Return a list; [] if it is none."""
    return value.data if value and isinstance(value.data, list) else []


def text(value: Value | None) -> str:
    """Return a string; "" if it is none."""
    return value.data if value and isinstance(value.data, str) else ""
