"""What a message says of the notices that wait for a channel, and the pauses after failures."""

from collections.abc import Mapping

from helix_hooks.config.notify import NotifySettings
from helix_hooks.notify.notices import Ending, Notice, ended
from helix_hooks.notify.recipients import Address, worth_telling
from helix_hooks.notify.sender import PAUSES, pause_after
from helix_hooks.text.masking import NO_SECRETS
from tests.unit.notify.notified import notice, people, person

BOB = Address("bob", "mail")
ALICE = Address("alice", "mail")
SETTINGS = people(person("bob"), person("carol"), person("alice"))
TURN = notice(id="acme/shop#1")


def told(
    *notices: Notice,
    to: Address = BOB,
    newest: Mapping[str, Notice] | None = None,
    settings: NotifySettings = SETTINGS,
) -> list[Notice]:
    return [*worth_telling(notices, newest or {}, to, settings)]


def decided(by: str = "carol") -> Notice:
    end = ended(TURN, Ending("approved", by), NO_SECRETS)
    assert end
    return end


def test_several_entries_are_told_together() -> None:
    other = notice(id="acme/shop#2")
    assert told(TURN, other) == [TURN, other]


def test_of_two_changes_of_an_entry_the_last_is_told() -> None:
    escalated = notice(id="acme/shop#1", state="escalated")
    assert told(TURN, escalated) == [escalated]


def test_what_was_decided_before_anybody_was_told_is_told_to_the_asker_alone() -> None:
    end = decided()
    assert told(TURN, end) == []
    assert told(TURN, end, to=ALICE) == [end]
    assert told(end) == [end]


def test_an_older_notice_that_was_enqueued_again_hides_no_newer_one() -> None:
    escalated = notice(id="acme/shop#1", state="escalated")
    assert told(escalated, TURN, newest={TURN.entry: escalated}) == [escalated]


def test_what_has_changed_since_is_not_told() -> None:
    assert told(TURN, newest={TURN.entry: TURN._replace(key="another")}) == []


def test_what_is_told_is_the_newest_text() -> None:
    newer = TURN._replace(ways_on=("/helix approve 1234567",))
    assert told(TURN, newest={TURN.entry: newer}) == [newer]


def test_who_has_approved_meanwhile_is_not_told() -> None:
    approved = TURN._replace(approvals=1, approved_by=("bob",))
    assert told(TURN, newest={TURN.entry: approved}) == []
    assert told(TURN, newest={TURN.entry: approved}, to=Address("carol", "mail")) == [approved]


def test_a_channel_that_was_removed_is_told_nothing() -> None:
    assert told(TURN, settings=people(person("carol"))) == []


def test_pauses_grow_and_end() -> None:
    pauses = [pause_after(failures) for failures in range(1, len(PAUSES) + 1)]
    assert pauses == sorted(set(pauses)) == list(PAUSES)
    assert pause_after(len(PAUSES) + 1) == 0
    assert [pause_after(failures, uncertain=True) > 0 for failures in (1, 2, 3)] == [
        True,
        True,
        False,
    ]
