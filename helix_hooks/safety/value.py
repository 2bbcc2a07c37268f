"""Steps into a YAML value of which nothing is known: what is not there, or is of another kind, is nothing."""

from ..yaml_values import Value


def at(value: Value | None, key: str) -> Value | None:
    return entries(value).get(key)


def entries(value: Value | None) -> dict[str, Value]:
    return {key: entry.value for key, entry in value.data.items()} if value and isinstance(value.data, dict) else {}


def items(value: Value | None) -> list[Value]:
    return value.data if value and isinstance(value.data, list) else []


def text(value: Value | None) -> str:
    return value.data if value and isinstance(value.data, str) else ""
