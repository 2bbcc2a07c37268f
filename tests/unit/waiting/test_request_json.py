"""Requests as JSON: what is written is read, and nothing else is."""

import pytest

from helix_hooks.errors import HelixError
from helix_hooks.phases.run_state import Decider
from helix_hooks.waiting.answering import with_vote
from helix_hooks.waiting.request import (
    document_of,
    request_from,
    request_json,
    request_of,
)
from tests.unit.waiting.asked import policy, request, vote

FULL = with_vote(
    request(policy(deadline=60, action="escalate"))._replace(
        title="\ud800 \x00 <script>", confidence=0.5, recommendation="reject", why="because"
    ),
    vote("max", reason="ok")._replace(by=Decider("max", verified=True, delegate_of="alice")),
    policy(minimum=2),
)


@pytest.mark.parametrize("value", [request(), FULL])
def test_what_is_written_is_read(value: object) -> None:
    assert request_of(document_of(value)) == value  # type: ignore[arg-type]
    assert document_of(value).isascii() and "\x00" not in document_of(value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 2}, "this program reads 1"),
        ({"version": True}, "this program reads 1"),
        ({"status": "decided"}, "$.status"),
        ({"votes": [{"by": {"name": "max"}}]}, "$.votes[0]"),
        ({"minimum": -1}, "$.minimum"),
        ({"minimum": "1"}, "$.minimum"),
        ({"title": None}, "$.title"),
    ],
)
def test_anything_else_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(HelixError) as refused:
        request_from({**request_json(FULL), **change})
    assert words in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "[" * 100_000])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(HelixError):
        request_of(text)
