"""The records of attempts as JSON, as they are stored."""

import json

from ..errors import HelixError
from .attempts import AttemptKey, Attempts
from .pending import Pending, Records

_VERSION = 1


def to_json(records: Records) -> str:
    listed = [
        {
            **item.attempts.key._asdict(),
            "number": item.attempts.number,
            "fingerprint": item.attempts.fingerprint,
            "capped": item.attempts.capped,
            "at": item.attempts.at,
            "adr_id": item.adr_id,
            "title": item.title,
            "errors": list(item.errors),
            "feedback": item.feedback,
        }
        for item in records
    ]
    return json.dumps({"version": _VERSION, "records": listed}, indent=1)


def from_json(text: str) -> Records:
    """Return the records of a text.

    Raises:
        HelixError: The text differs from what `to_json` writes.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise HelixError("invalid JSON") from None
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        raise HelixError(f"its version is not {_VERSION}")
    listed = data.get("records")
    if not isinstance(listed, list):
        raise HelixError("it has no list of records")
    return tuple(_record(item) for item in listed)


def _record(value: object) -> Pending:
    if not isinstance(value, dict):
        raise HelixError("a record is no object")
    errors = value.get("errors")
    if not isinstance(errors, list):
        raise HelixError("the errors of a record are no list")
    key = AttemptKey(*(_text(value, field) for field in AttemptKey._fields))
    return Pending(
        attempts=Attempts(
            key=key,
            number=_number(value, "number"),
            fingerprint=_text(value, "fingerprint"),
            capped=_text(value, "capped"),
            at=_number(value, "at"),
        ),
        adr_id=_text(value, "adr_id"),
        title=_text(value, "title"),
        errors=tuple(str(error) for error in errors),
        feedback=_text(value, "feedback"),
    )


def _text(value: dict[str, object], field: str) -> str:
    text = value.get(field)
    if not isinstance(text, str):
        raise HelixError(f"{field} of a record is no text")
    return text


def _number(value: dict[str, object], field: str) -> int:
    number = value.get(field)
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise HelixError(f"{field} of a record is no number")
    return number
