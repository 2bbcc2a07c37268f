"""Flows, states, tasks and events as JSON values in databases, by the types of their fields. Pure.

Databases keep these values for months. A new field must have a default: a value that was written
before does not have it. A default must not change: a field that has it is not stored.
"""

from typing import TypeVar

from .. import codec
from ..errors import HelixError
from .run_state import PersonDecided, StageEnded

_Value = TypeVar("_Value")
_KINDS: dict[str, type[StageEnded] | type[PersonDecided]] = {
    "stage_ended": StageEnded,
    "person_decided": PersonDecided,
}


def read(value: object, kind: type[_Value]) -> _Value:
    """Return a value from its JSON form. Raises HelixError, with the place of what is wrong."""
    try:
        return codec.lenient(value, kind)
    except ValueError as error:
        raise HelixError(f"{kind.__name__} in the database: {error}") from None


def event_json(event: StageEnded | PersonDecided) -> dict[str, object]:
    """Return an event with its kind, which tells the types of events apart."""
    (kind,) = (name for name, type in _KINDS.items() if isinstance(event, type))
    return {"kind": kind, **codec.plain(event)}


def event_from(value: object) -> StageEnded | PersonDecided:
    """Return an event. Raises HelixError."""
    kind = value.get("kind") if isinstance(value, dict) else None
    if kind not in _KINDS:
        raise HelixError(f"an event in the database has the unknown kind {kind!r}")
    return read(value, _KINDS[kind])
