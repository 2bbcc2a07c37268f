"""The chain of hashes: each kind of change to a trail is named."""

import json
from collections.abc import Callable

import pytest

from helix_hooks.errors import HelixError
from helix_hooks.waiting.answering import with_vote
from helix_hooks.waiting.request_events import answer_event, opening_events
from helix_hooks.waiting.trail import TrailRow, TrailTip, event_of, row_of, verified
from tests.unit.waiting.asked import draft, policy, request, vote

KEY = b"a long secret of the record"


def trail(key: bytes = b"") -> list[TrailRow]:
    asked = [request(wanted=draft(id=f"id-{number}")) for number in range(3)]
    ended = with_vote(asked[1], vote("max"), policy())
    events = [event for item in asked for event in opening_events(item)]
    rows: list[TrailRow] = []
    tip = TrailTip()
    for event in (*events, answer_event(ended, vote("max"))):
        rows.append(row_of(event, tip, key))
        tip = TrailTip(rows[-1].number, rows[-1].hash)
    return rows


def faults(rows: list[TrailRow], tip: TrailTip | None = None, key: bytes = b"") -> list[str]:
    last = trail(key)[-1]
    return list(verified(rows, tip or TrailTip(last.number, last.hash), key))


def forged(row: TrailRow, **fields: object) -> TrailRow:
    """Return a row with other fields and the hash that belongs to them."""
    body = json.dumps({**json.loads(row.body), **fields}, sort_keys=True, separators=(",", ":"))
    return row_of(event_of(row._replace(body=body)), TrailTip())._replace(body=body)


@pytest.mark.parametrize("key", [b"", KEY])
def test_a_trail_that_nobody_touched(key: bytes) -> None:
    assert faults(trail(key), key=key) == []
    assert list(verified([], TrailTip(), key)) == []
    assert [event_of(row).number for row in trail(key)] == [1, 2, 3, 4]


CHANGES: dict[str, tuple[Callable[[list[TrailRow]], list[TrailRow]], str]] = {
    "a text": (lambda rows: [rows[0], rows[1]._replace(body=rows[1].body.replace("jane", "eve")), *rows[2:]], "event 2 was changed"),
    "a text and its hash": (lambda rows: [rows[0], forged(rows[1], at=5)._replace(number=2), *rows[2:]], "event 3 has a wrong hash of the previous one"),
    "spaces": (lambda rows: [rows[0]._replace(body=rows[0].body.replace(":", ": ", 1)), *rows[1:]], "event 1 can't be read"),
    "no JSON": (lambda rows: [rows[0]._replace(body="{"), *rows[1:]], "event 1 can't be read"),
    "depth": (lambda rows: [rows[0]._replace(body="[" * 100_000), *rows[1:]], "event 1 can't be read"),
    "another object": (lambda rows: [rows[0]._replace(body="{}"), *rows[1:]], "event 1 can't be read"),
    "one removed": (lambda rows: [rows[0], *rows[2:]], "event 2 is missing"),
    "the first removed": (lambda rows: rows[1:], "event 1 is missing"),
    "the last removed": (lambda rows: rows[:-1], "event 4 is missing at the end"),
    "the last two removed": (lambda rows: rows[:-2], "events 3 to 4 are missing at the end"),
    "all removed": (lambda _: [], "events 1 to 4 are missing at the end"),
    "two swapped": (lambda rows: [rows[0], rows[2]._replace(number=2), rows[1]._replace(number=3), rows[3]], "event 2 can't be read"),
    "one added": (lambda rows: [*rows, row_of(event_of(rows[-1]), TrailTip(4, rows[-1].hash))], "the audit trail does not end with event 4"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_named(name: str) -> None:
    change, words = CHANGES[name]
    assert any(words in fault for fault in faults(change(trail()))), faults(change(trail()))


def test_a_trail_that_was_written_anew_needs_the_key() -> None:
    rows: list[TrailRow] = []
    tip = TrailTip()
    for row in trail(KEY):
        rows.append(row_of(event_of(row)._replace(at=5), tip))
        tip = TrailTip(rows[-1].number, rows[-1].hash)
    assert list(verified(rows, tip)) == []
    assert list(verified(rows, tip, KEY)) == ["event 4 is not signed"]


def test_another_key_is_named() -> None:
    (fault, *_) = faults(trail(KEY), TrailTip(4, trail(KEY)[-1].hash), b"another")
    assert fault.startswith("event 1 was not signed with this key, but with the key ")


def test_an_event_that_was_changed_is_not_read() -> None:
    row = trail()[0]
    with pytest.raises(HelixError, match="event 1 of the audit trail can't be read"):
        event_of(row._replace(body=row.body.replace('"number":1', '"number":2')))
