"""What is sent now: batches, limits, pauses after failures."""

from collections.abc import Mapping
from typing import Any

from helix_hooks.config.notify import NotifySettings
from helix_hooks.text.masking import NO_SECRETS
from helix_hooks.waiting.notices import Ending, Notice, ended
from helix_hooks.waiting.outbox import PAUSES, Batch, OutboxRow, due, next_attempt
from helix_hooks.waiting.recipients import Address
from tests.unit.waiting.notified import NOW, notice, people, person

BOB = Address("bob", "mail")
SETTINGS = people(person("bob"))


def row(number: int, told: Notice | None = None, to: Address = BOB, **fields: Any) -> OutboxRow:
    return OutboxRow(number, told or notice(id=f"acme/shop#{number}"), to, NOW)._replace(**fields)


def batches(
    *rows: OutboxRow,
    now: int = NOW + 60,
    settings: NotifySettings = SETTINGS,
    sent: Mapping[Address, int] | None = None,
    current: Mapping[str, Notice] | None = None,
) -> list[Batch]:
    return due(rows, current or {}, sent or {}, settings, now)


def test_a_message_waits_for_others() -> None:
    first, second = row(1), row(2, created_at=NOW + 50)
    assert batches(first, second, now=NOW + 59) == []
    assert batches(first, second, now=NOW + 60) == [Batch(BOB, (first, second))]


def test_each_channel_has_its_own_message() -> None:
    mine, others = row(1), row(2, to=Address("carol", "mail"))
    assert [batch.to.owner for batch in batches(mine, others)] == ["bob", "carol"]


def test_beyond_the_limit_messages_wait_and_become_one() -> None:
    full = {BOB: SETTINGS.most}
    assert batches(row(1), sent=full) == []
    assert len(batches(row(1), row(2), row(3), now=NOW + 3600)) == 1


def test_a_pause_after_a_failure_holds_the_channel() -> None:
    assert batches(row(1, next_at=NOW + 300), row(2), now=NOW + 299) == []
    assert len(batches(row(1, next_at=NOW + 300), row(2), now=NOW + 300)) == 1


def test_pauses_grow_and_end() -> None:
    pauses = [next_attempt(attempts, NOW) - NOW for attempts in range(1, len(PAUSES) + 1)]
    assert pauses == sorted(set(pauses)) == list(PAUSES)
    assert next_attempt(len(PAUSES) + 1, NOW) == 0


def decided(by: str = "carol") -> Notice:
    end = ended(notice(id="acme/shop#1"), Ending("approved", by), NO_SECRETS)
    assert end
    return end


def test_of_two_changes_of_an_entry_the_last_is_told() -> None:
    turn, escalated = row(1), row(2, notice(id="acme/shop#1", state="escalated"))
    assert batches(turn, escalated) == [Batch(BOB, (escalated,), (turn,))]


def test_what_was_decided_before_anybody_was_told_is_told_to_the_asker_alone() -> None:
    turn, end = row(1), row(2, decided())
    assert batches(turn, end) == [Batch(BOB, (), (turn, end))]
    alice = Address("alice", "mail")
    asked = (row(1, to=alice), row(2, decided(), to=alice))
    assert batches(*asked) == [Batch(alice, (asked[1],), (asked[0],))]
    assert batches(end) == [Batch(BOB, (end,))]


def test_what_has_changed_since_is_not_told() -> None:
    old = row(1)
    other = old.notice._replace(key="another")
    assert batches(old, current={old.notice.entry: other}) == [Batch(BOB, (), (old,))]


def test_what_is_told_is_the_newest_text() -> None:
    old = row(1)
    newer = old.notice._replace(ways_on=("/helix approve 1234567",))
    [batch] = batches(old, current={old.notice.entry: newer})
    assert batch.rows[0].notice == newer
