"""The text of the pinned issue: in order, inert, and never too long."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.decision.handover import Handover
from helix_hooks.decision.votes import EffectiveVotes
from helix_hooks.pull.pinned_issue import QUEUE_MARK, is_pinned_issue, is_same, pinned_issue
from helix_hooks.pull.title import title
from helix_hooks.waiting.entry import PULL_REQUEST, Queue, QueueEntry
from helix_hooks.waiting.pull_entry import PullFacts, pull_entry
from tests import series
from tests.unit.decision.draws import PULL, ballots, came_to, handovers, harmless
from tests.unit.pull.hostile import HOSTILE

BOX = "https://github.example/acme/decisions/pull/7#issue-comment-box"
ENTRY = QueueEntry(
    id="acme/decisions#7",
    source=PULL_REQUEST,
    project="acme/decisions",
    title="Use Kafka",
    category="critical",
    state="waiting",
    turn="Waiting for a maintainer: approve adr",
    asked_by="alice",
    asked_at=1_767_603_600,
    url=BOX,
)


def body_of(*entries: QueueEntry, partial: tuple[str, ...] = ()) -> str:
    return pinned_issue(Queue(entries, 0, partial))


@pytest.mark.slow
@settings(max_examples=series.examples(60), deadline=None)
@given(handovers, ballots, st.sampled_from(HOSTILE))
def test_texts_of_others_are_inert(found: Handover, said: EffectiveVotes, text: str) -> None:
    decision = came_to(found, said, [])
    facts = PullFacts(
        turn=title(found, decision),
        url=BOX,
        handover=found,
        decision=decision,
        pull=PULL._replace(title=text),
    )
    body = body_of(pull_entry(facts), partial=(text,))
    shown = body.removesuffix(QUEUE_MARK).replace(f"]({BOX})", "").replace("[#7 ", "[7 ")
    harmless(re.sub(r"`/helix [^`]*`", "", shown))
    assert is_pinned_issue(body) and body.count("<!--") == 1


def test_what_is_due_first_stands_first() -> None:
    entries = [
        ENTRY._replace(id="acme/decisions#1", asked_at=10),
        ENTRY._replace(id="acme/decisions#2", due_at=1_767_900_000),
        ENTRY._replace(id="acme/decisions#3", due_at=1_767_800_000),
        ENTRY._replace(id="acme/decisions#4", asked_at=5),
    ]
    body = body_of(*entries)
    assert re.findall(r"^#### ⏳ \[#(\d)", body, re.MULTILINE) == ["3", "2", "4", "1"]
    assert body == body_of(*reversed(entries))


def test_a_long_list_is_cut_and_known_all_the_same() -> None:
    entries = [
        ENTRY._replace(id=f"acme/decisions#{number}", title="x" * 150, reasons=("y" * 190,) * 9)
        for number in range(1, 300)
    ]
    body = body_of(*entries)
    assert len(body) < 65_000 and is_pinned_issue(body)
    assert body.startswith("### 299 pull requests wait") and "`helix-hooks queue list`" in body


def test_only_a_change_is_one() -> None:
    body = body_of(ENTRY)
    assert is_same(f"{body}\n".replace("\n", "\r\n"), body)
    assert not is_same(body, body_of(ENTRY._replace(approvals=1, minimum=2)))
    assert not is_pinned_issue(f"{body}\nquoted by somebody")
    assert "No pull request waits" in body_of()
