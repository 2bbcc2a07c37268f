"""Who is told of which change, and that nobody is told twice."""

from typing import Any

import pytest

from helix_hooks.config.notify import DECIDED, ESCALATED, EXPIRED, TURN, NotifiedPerson
from helix_hooks.config.policy import Deciders, Delegate
from helix_hooks.notify.messages import MOST_TOLD, message
from helix_hooks.notify.notices import (
    Covered,
    Ending,
    Notice,
    changes,
    ended,
    never_told,
    notice_of,
)
from helix_hooks.notify.recipients import Address, addresses, unreached
from helix_hooks.text.masking import NO_SECRETS, secrets_of
from helix_hooks.waiting import entry as entries
from helix_hooks.waiting.entry import PULL_REQUEST, Queue
from tests.unit.notify.notified import ENTRY, NOW, PROJECT, chat, notice, people, person
from tests.unit.pull.hostile import HOSTILE, LIVE

READ = Covered(((PULL_REQUEST, PROJECT),))
BY_ROLE = Deciders(roles=("maintain",))
DAVE = Delegate("bob", "Dave", "2026-11-18", "2026-11-18")
LATER = Delegate("bob", "Dave", "2026-11-19", "2026-11-30")
IN_TEAM = Deciders(roles=(), teams=("acme/architects",))


def told(notice: Notice, *found: NotifiedPerson) -> list[str]:
    return [address.owner for address in addresses(notice, people(*found))]


def changed(
    queue: Queue, last: dict[str, Notice], endings: dict[str, Ending] | None = None
) -> list[Notice]:
    found = changes(queue, last, READ, endings or {}, NO_SECRETS)
    return [*found.new, *found.ends]


def test_the_deciders_are_told_and_not_the_asker() -> None:
    everybody = (person("Bob"), person("carol"), person("alice"), person("dave"))
    assert told(notice(), *everybody) == ["Bob", "carol"]


def test_a_hand_over_is_a_notice_for_that_person_alone() -> None:
    everybody = (person("bob"), person("carol"))
    before = notice()
    handed_over = notice_of(ENTRY._replace(handed_to="Carol"), NOW, NO_SECRETS, before)
    assert told(handed_over, *everybody) == ["carol"] and handed_over.key != before.key
    again = notice_of(ENTRY._replace(handed_to="Carol"), NOW + 60, NO_SECRETS, handed_over)
    assert again is handed_over
    back = notice_of(ENTRY._replace(handed_to="bob"), NOW, NO_SECRETS, handed_over)
    assert told(back, *everybody) == ["bob"] and back.key not in (before.key, handed_over.key)


QUESTION = ENTRY._replace(is_asked_back=True, requester=("alice",), notes=("bob: Why now?",))
"""An entry about which a decider has asked the requester."""


def test_a_question_is_for_the_requester_alone_and_the_reply_is_a_new_turn() -> None:
    everybody = (person("bob"), person("carol"), person("alice"))
    question = notice_of(QUESTION, NOW, NO_SECRETS, notice())
    assert told(question, *everybody) == ["alice"] and question.key != notice().key
    reply = ENTRY._replace(notes=("bob: Why now?", "alice: It is due."))
    replied = notice_of(reply, NOW, NO_SECRETS, question)
    assert told(replied, *everybody) == ["bob", "carol"]
    assert replied.key not in (question.key, notice().key)
    again = QUESTION._replace(notes=(*reply.notes, "carol: And the cost?"))
    assert notice_of(again, NOW, NO_SECRETS, replied).key not in (question.key, replied.key)


def test_the_end_of_a_question_is_told_to_the_deciders() -> None:
    question = notice_of(QUESTION, NOW, NO_SECRETS)
    end = ended(question, Ending("withdrawn", "alice"), NO_SECRETS)
    assert end
    assert told(end, person("bob"), person("alice")) == ["bob"]


def test_the_end_of_what_nobody_was_told_of_is_for_the_requester() -> None:
    end = ended(never_told(ENTRY, NOW, NO_SECRETS), Ending("approved", "bob"), NO_SECRETS)
    assert end
    assert told(end, person("alice"), person("bob"), person("carol")) == ["alice"]


@pytest.mark.parametrize(
    ("fields", "preferences", "expected"),
    [
        ({}, [], ("@bob", "@carol")),  # alice has written it
        ({}, [person("Bob")], ("@carol",)),
        ({}, [person("bob", events=(DECIDED,)), person("carol")], ("@bob",)),
        ({"approved_by": ("bob",)}, [person("carol")], ()),
        ({"handed_to": "dave"}, [person("bob")], ("@dave",)),
        ({"deciders": IN_TEAM}, [person("erin")], ("acme/architects",)),
        ({"deciders": IN_TEAM}, [person("erin", teams=("Acme/Architects",))], ()),
        ({"deciders": BY_ROLE}, [person("erin")], ("people with a role",)),
        ({"deciders": BY_ROLE}, [person("erin", projects=("acme/*",))], ()),
        ({"is_asked_back": True}, [person("bob")], ("@\u200balice",)),
        ({"is_asked_back": True}, [person("alice")], ()),
    ],
)
def test_who_gets_nothing_is_known(
    fields: dict[str, Any], preferences: list[NotifiedPerson], expected: tuple[str, ...]
) -> None:
    assert unreached(notice(**fields), people(*preferences)) == expected


def test_a_shared_channel_reaches_all() -> None:
    assert unreached(notice(), chat("acme/*")) == ()
    assert unreached(notice(), chat("other/*")) == ("@bob", "@carol")


def test_a_sole_maintainer_is_told_of_their_own_change() -> None:
    alone = notice(deciders=Deciders(roles=(), users=("alice",), sole="alice"))
    assert told(alone, person("alice")) == ["alice"]


def test_with_roles_those_are_told_who_name_the_project() -> None:
    by_role = notice(deciders=BY_ROLE)
    assert told(by_role, person("dave", projects=("acme/*",)), person("erin")) == ["dave"]
    assert told(by_role, person("alice", projects=("acme/*",))) == []
    assert told(notice(), person("dave", projects=("acme/*",))) == []  # the policy names users


def test_a_member_of_a_team_is_told() -> None:
    assert told(notice(deciders=IN_TEAM), person("dave", teams=("Acme/Architects",))) == ["dave"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, ["bob", "dave"]),
        ({"excluded": ("bob",)}, []),  # who wrote it has no right to lend
        ({"approved_by": ("bob",)}, []),  # one right gives one vote
        ({"deciders": Deciders(roles=(), users=("carol",), delegates=(DAVE,))}, []),
        ({"deciders": Deciders(roles=(), users=("bob",), delegates=(LATER,))}, ["bob"]),
    ],
)
def test_a_delegate_is_told_in_the_days_of_the_policy(
    fields: dict[str, Any], expected: list[str]
) -> None:
    asked = notice(**{"deciders": Deciders(roles=(), users=("bob",), delegates=(DAVE,)), **fields})
    assert told(asked, person("bob"), person("dave")) == expected


def test_an_escalation_is_told_to_whom_it_turns() -> None:
    escalated = notice(state=entries.ESCALATED, escalated_to=("dave", "acme/leads"))
    everybody = (person("bob"), person("dave"), person("erin", teams=("acme/leads",)))
    assert escalated.event == ESCALATED
    assert told(escalated, *everybody) == ["bob", "dave", "erin"]


def test_the_asker_is_told_of_the_end_and_the_decider_is_not() -> None:
    end = ended(notice(), Ending("approved", "bob"), NO_SECRETS)
    assert end
    assert told(end, person("alice"), person("bob"), person("carol")) == ["alice", "carol"]


def test_who_has_approved_is_not_told_that_it_is_their_turn() -> None:
    escalated = notice(state=entries.ESCALATED, approvals=1, minimum=2, approved_by=("Bob",))
    assert told(escalated, person("bob"), person("carol")) == ["carol"]
    end = ended(escalated, Ending("approved", "carol"), NO_SECRETS)
    assert end
    assert told(end, person("bob")) == ["bob"]


@pytest.mark.parametrize(
    "asked_by",
    ["@alice", "alice (not verified)", "ci[bot] (deployer) on behalf of @alice", "ALICE"],
)
def test_who_asked_is_told_of_the_end_also_through_a_bot(asked_by: str) -> None:
    end = ended(notice(asked_by=asked_by), Ending("approved", "bob"), NO_SECRETS)
    assert end
    assert told(end, person("alice"), person("deployer")) == ["alice"]


def test_events_are_a_choice() -> None:
    assert told(notice(), person("bob", events=(DECIDED,)), person("carol")) == ["carol"]


def test_a_shared_channel_has_the_projects_of_its_glob() -> None:
    assert addresses(notice(), chat("acme/*")) == (Address("projects:acme/*", "chat"),)
    assert addresses(notice(), chat("other/*")) == ()


def test_a_change_is_told_once() -> None:
    [first] = changed(Queue((ENTRY,), NOW), {})
    last = {first.entry: first}
    assert first.event == TURN
    assert changed(Queue((ENTRY,), NOW + 60), last) == []
    later = ENTRY._replace(turn="Waiting for another maintainer", approvals=1)
    assert [change.key for change in changed(Queue((later,), NOW), last)] == [first.key]


@pytest.mark.parametrize(
    ("state", "event"),
    [(entries.ESCALATED, ESCALATED), (entries.EXPIRED, EXPIRED), (entries.FAILED, TURN)],
)
def test_each_state_is_told(state: str, event: str) -> None:
    last = {notice().entry: notice()}
    [change] = changed(Queue((ENTRY._replace(state=state),), NOW), last)
    assert change.event == event


def keys(queue: Queue, before: Notice) -> list[bool]:
    """Return of each change whether it is told, since its key is another one."""
    return [change.key != before.key for change in changed(queue, {before.entry: before})]


def test_a_push_is_told_to_those_alone_who_had_answered() -> None:
    pushed = ENTRY._replace(asked_at=NOW + 5)
    assert keys(Queue((pushed,), NOW), notice()) == [False]
    assert keys(Queue((pushed,), NOW), notice(approvals=1)) == [True]


def test_a_question_that_is_asked_again_after_its_deadline_is_another_one() -> None:
    again = ENTRY._replace(asked_at=NOW + 5)
    assert keys(Queue((again,), NOW), notice(state=entries.EXPIRED)) == [True]
    assert keys(Queue((again,), NOW), notice(state=entries.ESCALATED)) == [True]


def test_the_end_of_what_a_push_has_asked_again_is_told_once() -> None:
    [pushed] = changed(Queue((ENTRY._replace(asked_at=NOW + 5),), NOW), {notice().entry: notice()})
    assert pushed.asked_at == NOW + 5
    end, early = ended(pushed, Ending(), NO_SECRETS), ended(notice(), Ending(), NO_SECRETS)
    assert end and early
    assert end.key == early.key


def reopened(asked_at: int, closed: Notice) -> Notice:
    """Return the notice of an entry that waits again after its end."""
    queue = Queue((ENTRY._replace(asked_at=asked_at),), NOW + 90)
    [found] = changes(queue, {}, READ, {}, NO_SECRETS, closed={closed.entry: closed}).new
    return found


def test_the_same_question_that_waits_again_is_told_anew() -> None:
    end = ended(notice(), Ending("approved"), NO_SECRETS)
    assert end
    again = reopened(NOW, end)
    assert again.key != notice().key
    assert reopened(NOW, end).key == again.key  # two programs that look at once tell it once
    assert changed(Queue((ENTRY,), NOW + 95), {again.entry: again}) == []
    second_end = ended(again, Ending("approved"), NO_SECRETS)
    assert second_end
    third = reopened(NOW, second_end)
    assert len({end.key, second_end.key}) == 2
    assert len({notice().key, again.key, third.key}) == 3
    assert reopened(NOW + 60, end).key == notice(asked_at=NOW + 60).key


@pytest.mark.parametrize("state", [entries.ESCALATED, entries.EXPIRED])
def test_what_waits_again_is_escalated_and_expires_anew(state: str) -> None:
    end = ended(notice(state=state), Ending("approved"), NO_SECRETS)
    assert end
    again = reopened(NOW, end)
    [late] = changed(Queue((ENTRY._replace(state=state),), NOW + 99), {again.entry: again})
    assert late.key != notice(state=state).key


def test_an_answer_after_a_push_tells_nobody_again() -> None:
    pushed = ENTRY._replace(asked_at=NOW + 5)
    [before] = changed(Queue((pushed,), NOW), {notice().entry: notice()})
    answered = pushed._replace(approvals=1, minimum=2)
    [before] = changed(Queue((answered,), NOW), {before.entry: before})
    assert changed(Queue((answered,), NOW), {before.entry: before}) == []


def test_what_was_read_and_is_missing_has_ended() -> None:
    last = {notice().entry: notice()}
    [end] = changed(Queue((), NOW), last, {notice().entry: Ending("rejected", "@bob")})
    assert (end.event, end.outcome, end.ways_on) == (DECIDED, "rejected", ())


def test_what_was_not_read_has_not_ended() -> None:
    last = {notice().entry: notice()}
    assert changes(Queue((), NOW), last, Covered(), {}, NO_SECRETS) == ((), (), ())


def test_an_expiry_is_told_once() -> None:
    waiting, expired = notice(), notice(state=entries.EXPIRED)
    first = ended(waiting, Ending("expired"), NO_SECRETS)
    assert first
    assert (first.event, first.key) == (EXPIRED, expired.key)
    assert ended(expired, Ending("expired"), NO_SECRETS) is None


# Texts of others.


def of_others(text: str) -> str:
    """Return all that a message quotes, where one text stands in each place."""
    fields = dict.fromkeys(("title", "turn", "asked_by", "category"), text)
    hostile = notice(
        **fields, reasons=(text,), ways_on=(f"run {text}",), url=text, project=text, id=text
    )
    shared = message([hostile], shared=True)
    return f"{shared.title}\n{shared.body}"


@pytest.mark.parametrize("text", [*HOSTILE, "<!channel> <!here|x> <@U1>", "x\r\nBcc: all@x.org"])
def test_texts_of_others_do_nothing(text: str) -> None:
    shown = of_others(text)
    assert not LIVE.search(shown)
    assert "<!" not in shown and "<@" not in shown
    assert "\r" not in shown and "\nBcc" not in shown


def test_a_secret_is_not_told() -> None:
    """Attack on notifications: a secret in a title or a reason.
    Answer: it is masked before it is stored or sent.
    Shown by: `test_a_secret_is_not_told`, `test_no_address_and_no_secret_is_stored_or_told`.
    """
    secrets = secrets_of({"API_TOKEN": "0a1B2c3D4e5F6g7H"})
    leaky = ENTRY._replace(
        title="the token is 0a1B2c3D4e5F6g7H",
        reasons=("ghp_" + "a1B2" * 9,),
        url="https://example.org/0a1B2c3D4e5F6g7H",
    )
    text = message([notice_of(leaky, NOW, secrets)], shared=False)
    assert "0a1B2c3D4e5F6g7H" not in str(text)
    assert "ghp_" not in str(text)


def test_the_message_says_state_then_what_to_do_then_why() -> None:
    told = message([notice()], shared=False)
    assert told.title == "Your turn: Adopt Kafka (acme/shop)"
    assert told.body == (
        "Until: Thu, 19 Nov 2026 11:06 UTC\n"
        "Open: https://github.com/acme/shop/pull/12#issue-comment-box\n"
        "To answer there, write:\n"
        "/helix approve 4075451c0f6e2f1f0a4d1b8e9d3c5a7b6e8f9012\n"
        "Why: every architecture decision is for a person\n"
        "Id: acme/shop#12, critical, asked by @\u200balice on Wed, 18 Nov 2026 11:06 UTC\n"
    )


def test_several_changes_are_one_message_the_urgent_ones_first() -> None:
    late = notice(id="acme/shop#13", due_at=0)
    escalated = notice(id="acme/shop#14", state=entries.ESCALATED)
    text = message([late, notice(), escalated], shared=False)
    assert text.title == (
        "Your turn: 3 decisions, 1 escalated (acme/shop), "
        "the first until Thu, 19 Nov 2026 11:06 UTC"
    )
    places = [text.body.index(f"Id: acme/shop#{number}") for number in (14, 12, 13)]
    assert places == sorted(places)


def test_a_shared_channel_reads_whose_turn_it_is() -> None:
    escalated = notice(state=entries.ESCALATED, turn="Escalated to acme/board", due_at=0)
    end = ended(notice(id="acme/shop#9"), Ending("rejected", "bob"), NO_SECRETS)
    assert end
    assert (
        message([escalated], shared=True).title
        == "Escalated to acme/board: Adopt Kafka (acme/shop)"
    )
    several = message([end, escalated], shared=True)
    assert several.title == "1 decision waits, 1 escalated, 1 decided (acme/shop)"
    assert several.body.splitlines()[0].startswith("Escalated to acme/board: ")
    assert "\nRejected by bob: Adopt Kafka" in several.body


def test_a_message_of_very_many_changes_stays_short() -> None:
    many = [notice(id=f"acme/shop#{number}", title="x" * 500) for number in range(500)]
    text = message(many, shared=True)
    assert text.body.count("Id: ") == MOST_TOLD
    assert f"{500 - MOST_TOLD} more changes" in text.body
    assert len(text.body) < 15_000


def test_what_an_owner_has_is_covered() -> None:
    owned = Covered((), "acme")
    assert owned.has(notice())
    assert not owned.has(notice(project="acme2/shop"))
    assert not owned.has(notice(source="flow"))
