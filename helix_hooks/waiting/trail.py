"""The audit trail: an append-only chain of events, each with the hash of the previous one. Pure.

With a key events are signed, and the answers of people must be. Without one, anyone who can write
to the database can write another trail. With one, they can only cut its end. That is noticed if the
newest number and hash were noted elsewhere.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..decision.chain import key_id
from ..errors import HelixError

OPENED, VOTED, APPROVED, REJECTED = "opened", "voted", "approved", "rejected"
ESCALATED, EXPIRED, AUTO_APPROVED, IMPORTED = "escalated", "expired", "auto_approved", "imported"
ASKED_BACK, REPLIED, WITHDRAWN = "asked_back", "replied", "withdrawn"
HANDED_OVER = "handed_over"
_OF_PEOPLE = (VOTED, APPROVED, REJECTED, IMPORTED, ASKED_BACK, REPLIED, WITHDRAWN, HANDED_OVER)
"""Kinds of events that must be signed where there is a key. `voted` is an approval that does not
suffice yet, `imported` a decision that a check run has recorded.
"""

STATE = "state"
"""The field with the hash of the request as the event left it."""


class TrailEvent(NamedTuple):
    """An event.

    `number` counts from 1, without gaps. `at` is in seconds since 1970. `request` is the id of a
    request, "" for an event that is about none. `fields` depend on the kind. `previous` is the hash
    of the event before, "" for the first. `key` names the key of the signature.
    """

    number: int
    at: int
    kind: str
    request: str
    project: str
    fields: Mapping[str, object]
    previous: str = ""
    key: str = ""
    hash: str = ""
    signature: str = ""


class TrailRow(NamedTuple):
    """An event as it is stored: the text over which hash and signature are computed."""

    number: int
    body: str
    hash: str
    signature: str = ""


class TrailTip(NamedTuple):
    """The end of a trail: the number and the hash of its newest event, 0 and "" of none."""

    number: int = 0
    hash: str = ""


def row_of(event: TrailEvent, tip: TrailTip, key: bytes = b"") -> TrailRow:
    """Return an event as the next one after the end of a trail, signed if there is a key."""
    placed = event._replace(number=tip.number + 1, previous=tip.hash, key=key_id(key))
    body = _body(placed)
    signature = _signature(body, key) if key else ""
    return TrailRow(placed.number, body, hashed(body), signature)


def event_of(row: TrailRow) -> TrailEvent:
    """Return the event of a row.

    Raises:
        HelixError: The row can't be read.
    """
    try:
        fields = json.loads(row.body)
        event = TrailEvent(**fields, hash=row.hash, signature=row.signature)
        is_ours = _body(event) == row.body and event.number == row.number
    except (ValueError, TypeError, RecursionError):
        is_ours = False
    if not is_ours:
        raise HelixError(
            f"event {row.number} of the audit trail can't be read; see `helix-hooks queue verify`"
        )
    return event


def verified(rows: Iterable[TrailRow], tip: TrailTip, key: bytes = b"") -> Iterator[str]:
    """Yield the errors in a trail, from its first event to its newest.

    `tip` is its end according to the store.
    """
    before = TrailTip()
    for row in rows:
        if row.number != before.number + 1:
            yield f"{_missing(before.number + 1, row.number - 1)} missing"
        yield from _faults(row, before, key)
        before = TrailTip(row.number, row.hash)
    if before.number < tip.number:
        yield f"{_missing(before.number + 1, tip.number)} missing at the end"
    elif before != tip:
        yield f"the audit trail does not end with event {tip.number}, the newest one in the store"


def _faults(row: TrailRow, before: TrailTip, key: bytes) -> Iterator[str]:
    try:
        event = event_of(row)
    except HelixError:
        yield f"event {row.number} can't be read"
        return
    if hashed(row.body) != row.hash:
        yield f"event {row.number} was changed: wrong hash"
    if before.number == row.number - 1 and event.previous != before.hash:
        yield f"event {row.number} has a wrong hash of the previous one"
    if key:
        yield from _signature_faults(row, event, key)


def _signature_faults(row: TrailRow, event: TrailEvent, key: bytes) -> Iterator[str]:
    if not row.signature:
        # Events of agents need no signature: a later signed event confirms the earlier ones.
        if event.kind in _OF_PEOPLE:
            yield f"event {row.number} is not signed"
        return
    if not hmac.compare_digest(row.signature, _signature(row.body, key)):
        other = f", but with the key {event.key}" if event.key != key_id(key) else ""
        yield f"event {row.number} was not signed with this key{other}"


def _missing(first: int, last: int) -> str:
    return f"event {first} is" if first == last else f"events {first} to {last} are"


def _body(event: TrailEvent) -> str:
    fields = event._asdict()
    written = {name: fields[name] for name in _WRITTEN}
    return json.dumps(written, sort_keys=True, separators=(",", ":"))


_WRITTEN = ("number", "at", "kind", "request", "project", "fields", "previous", "key")


def hashed(body: str) -> str:
    """Return the SHA-256 of an event as it is stored."""
    return hashlib.sha256(body.encode()).hexdigest()


def _signature(body: str, key: bytes) -> str:
    return hmac.new(key, f"helix:trail\0{body}".encode(), hashlib.sha256).hexdigest()
