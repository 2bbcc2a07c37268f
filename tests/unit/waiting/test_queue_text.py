"""The queue at terminals of three widths, an entry, and both for programs; each is a file."""

import json
from pathlib import Path

import pytest

from helix_hooks.pages import queue as queue_page
from helix_hooks.pages.view import QueuePage
from helix_hooks.waiting import queue_json, queue_text
from helix_hooks.waiting.entry import FLOW, EntryDetail, NotShown, Queue, QueueEntry, Viewer
from helix_hooks.waiting.selection import Filters, selected
from tests.conftest import ROOT
from tests.unit.waiting.queued import ALL, MAX, NOBODY, NOW, PULL, QUEUE

CASES = ROOT / "tests" / "cases" / "queue"


def listed(columns: int, viewer: Viewer = MAX, *, color: bool = False) -> str:
    queue = selected(QUEUE, Filters(), viewer)
    return queue_text.as_text(queue, viewer, color, columns)


def case(name: str) -> str:
    return (CASES / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_the_list(columns: int) -> None:
    assert listed(columns) == case(f"list-{columns}.txt")
    entries, _ = listed(columns).split("\n\n  helix-hooks", 1)
    assert max(map(len, entries.splitlines()[1:])) <= columns


def test_a_list_for_nobody_in_particular() -> None:
    assert "6 decisions wait, 1 of them for you (Mona)\n" in listed(0, NOBODY)


def test_nothing_waits() -> None:
    assert queue_text.as_text(Queue((), NOW), MAX) == "no pending entries\n"
    unread = Queue((), NOW, ("the flows could not be read: it is locked",))
    assert (
        queue_text.as_text(unread, MAX)
        == "no pending entries, but some sources could not be read\n"
    )


_HIDDEN = (
    NotShown(other_projects=(("acme/pay", 3),)),
    NotShown(filtered=3),
    NotShown(unreadable=3),
    NotShown(sources=(FLOW,)),
)


@pytest.mark.parametrize("hidden", _HIDDEN)
@pytest.mark.parametrize("entries", [(), ALL])
def test_no_list_hides_entries_in_silence(
    hidden: NotShown, entries: tuple[QueueEntry, ...]
) -> None:
    """Each kind of entry that is not shown has a line, in the table and on the page."""
    assert {name for item in _HIDDEN for name, value in item._asdict().items() if value} == {
        *NotShown._fields
    }
    queue = Queue(entries, NOW, not_shown=hidden)
    (line,) = (*queue_text.not_shown(queue.not_shown),)
    table = queue_text.as_text(queue, MAX)
    assert line in table
    assert "no pending entries\n" not in table
    page = queue_page.page(QueuePage(rows=(), now=NOW, not_shown=queue.not_shown))
    assert line in page
    assert "No pending decisions." not in page


@pytest.mark.parametrize("number", range(len(ALL)))
def test_an_entry(number: int) -> None:
    name = ("pull", "flow", "request", "failed", "expired", "verification")[number]
    assert queue_text.show(ALL[number], MAX, NOW) == case(f"show-{name}.txt")


@pytest.mark.parametrize("shown", [listed(80), listed(120), queue_text.show(ALL[3], MAX, NOW)])
def test_nothing_of_others_moves_the_cursor(shown: str) -> None:
    assert "\x1b" not in shown and "\u202e" not in shown and "\\x1b[31mred" in shown


def test_colours_are_ours_alone() -> None:
    shown = listed(120, color=True)
    assert "\x1b[1;31mdeadline passed\x1b[0m" in shown and "\x1b[31m" not in shown


def hostile(entry: QueueEntry) -> QueueEntry:
    bad = "x\n\x1b[2J::error::\u202e ghp_" + "a" * 36
    return entry._replace(
        title=bad,
        turn=bad,
        asked_by=bad,
        reasons=(bad,),
        ways_on=(bad,),
        url=bad,
        impact=bad,
        description=bad,
        invalidated=(bad,),
        files=(bad,),
        recommendation=entry.recommendation._replace(reasoning=bad, by=bad),
    )


def test_texts_of_others_are_inert_and_secrets_masked() -> None:
    entry = hostile(PULL)
    queue = Queue((entry, *ALL[1:]), NOW)
    texts = [
        queue_text.as_text(queue, MAX, columns=80),
        queue_text.as_text(queue, NOBODY),
        queue_text.show(entry, MAX, NOW),
        queue_json.as_json(queue, MAX),
        queue_json.detail_json(EntryDetail(entry), MAX, NOW),
    ]
    for text in texts:
        assert "\x1b" not in text and "\u202e" not in text and "ghp_aaaa" not in text
        assert not any(line.startswith("::") for line in text.splitlines())


def test_for_programs() -> None:
    value = json.loads(queue_json.as_json(QUEUE._replace(partial=("a line",)), MAX))
    assert (value["version"], value["now"], value["partial"]) == (1, NOW, ["a line"])
    assert value["viewer"] == {"name": "max", "login": "max"}
    first = value["entries"][0]
    assert first["your_turn"] and first["refused"] is None and first["due_at"] == PULL.due_at
    assert value["entries"][2]["refused"].startswith("@max is the requester")
    page = Path(ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    missing = [name for name in {*value, *first} if f"`{name}`" not in page]
    assert not missing
