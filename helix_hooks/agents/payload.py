"""The strict parser of hook payloads. Other names, types or events are another protocol."""

import json
from collections.abc import Mapping

from ..text import printable
from .stop import MAX_PAYLOAD_BYTES

Fields = Mapping[str, object]

_MAX_NAME = 300
"""Maximum characters of a session's name."""

_MAX_SHOWN = 60
"""Maximum characters of a value in a message."""


class UnknownPayloadError(Exception):
    """The payload is not a stop event of this agent. The message has the reason."""


def fields_of(payload: bytes) -> Fields:
    """Return the JSON object in a payload. Raises UnknownPayloadError."""
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise UnknownPayloadError(f"it is larger than {MAX_PAYLOAD_BYTES:,} bytes")
    if not payload.strip():
        raise UnknownPayloadError("it is empty")
    try:
        value: object = json.loads(payload)
    except RecursionError:
        raise UnknownPayloadError("it is nested too deeply") from None
    except ValueError:
        raise UnknownPayloadError("it is not JSON, or was cut off") from None
    if not isinstance(value, dict):
        raise UnknownPayloadError("it is not a JSON object")
    return value


def expect(fields: Fields, key: str, value: str) -> None:
    """Raise UnknownPayloadError if a field has another value."""
    actual = fields.get(key)
    if actual != value:
        raise UnknownPayloadError(f"{key} is {_shown(actual)}, expected {_shown(value)}")


def text(fields: Fields, key: str) -> str:
    """Return a string that can be a path. Raises UnknownPayloadError."""
    value = fields.get(key)
    if not isinstance(value, str) or not value.strip() or "\0" in value or _has_surrogate(value):
        raise UnknownPayloadError(f"{key} is {_shown(value)}, expected a string")
    return value


def name(fields: Fields, key: str) -> str:
    """Return a short printable string. Raises UnknownPayloadError."""
    value = text(fields, key)
    if len(value) > _MAX_NAME or not value.isprintable():
        raise UnknownPayloadError(f"{key} is {_shown(value)}, expected a short name")
    return value


def flag(fields: Fields, key: str) -> bool:
    """Return a boolean. Raises UnknownPayloadError, also for a string such as "false"."""
    value = fields.get(key)
    if not isinstance(value, bool):
        raise UnknownPayloadError(f"{key} is {_shown(value)}, expected true or false")
    return value


def _has_surrogate(value: str) -> bool:
    """Return whether a string has a lone surrogate, which JSON allows and UTF-8 does not."""
    return any("\ud800" <= character <= "\udfff" for character in value)


def _shown(value: object) -> str:
    """Return a value of a payload in short form for a message."""
    if value is None:
        return "missing"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return printable(json.dumps(value), _MAX_SHOWN)
