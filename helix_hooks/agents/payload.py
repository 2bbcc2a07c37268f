"""Read the payload of a hook strictly: other names, types and events belong to another protocol."""

import json
from collections.abc import Mapping

from ..text.sanitize import printable
from .stop import MAX_PAYLOAD_BYTES, AgentStop

Fields = Mapping[str, object]

_MAX_NAME = 300
"""Characters of a session's name."""


_MAX_SHOWN = 60
"""Characters of a value in a message."""


class UnknownPayloadError(Exception):
    """The payload is no stop of this agent. The message says why."""


def fields_of(payload: bytes) -> Fields:
    """Return the object that a payload is. Raises UnknownPayloadError."""
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


def common_stop(agent: str, event: str, fields: Fields) -> AgentStop:
    """Return a stop in the field names that Claude Code introduced and others took over.

    Raises UnknownPayloadError.
    """
    expect(fields, "hook_event_name", event)
    return AgentStop(
        agent=agent,
        session=name(fields, "session_id"),
        folder=text(fields, "cwd"),
        already_blocked=flag(fields, "stop_hook_active"),
    )


def expect(fields: Fields, key: str, value: str) -> None:
    """Raise UnknownPayloadError if a field has another value."""
    found = fields.get(key)
    if found != value:
        raise UnknownPayloadError(f"{key} is {_shown(found)}, expected {_shown(value)}")


def text(fields: Fields, key: str) -> str:
    """Return a string that can name a file or folder. Raises UnknownPayloadError."""
    found = fields.get(key)
    if not isinstance(found, str) or not found.strip() or "\0" in found or _has_surrogate(found):
        raise UnknownPayloadError(f"{key} is {_shown(found)}, expected a text")
    return found


def name(fields: Fields, key: str) -> str:
    """Return a short printable string. Raises UnknownPayloadError."""
    found = text(fields, key)
    if len(found) > _MAX_NAME or not found.isprintable():
        raise UnknownPayloadError(f"{key} is {_shown(found)}, expected a short name")
    return found


def flag(fields: Fields, key: str) -> bool:
    """Return true or false. Raises UnknownPayloadError, for a text such as "false" too."""
    found = fields.get(key)
    if not isinstance(found, bool):
        raise UnknownPayloadError(f"{key} is {_shown(found)}, expected true or false")
    return found


def _has_surrogate(value: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in value)


def _shown(value: object) -> str:
    """Return a value of a payload as a short part of a message."""
    if value is None:
        return "missing"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return printable(json.dumps(value), _MAX_SHOWN)
