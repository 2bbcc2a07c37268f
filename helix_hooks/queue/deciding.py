"""Answer entries of the queue, each at its source.

Each source checks the right to decide by current facts: a role may have changed since the entry.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..decision.who_may import giver_of, right_of
from ..errors import HelixError, UsageError
from ..flow import answering
from ..flow.answering import RunAnswer, leave_to_worker
from ..flow.open_questions import questions_of
from ..phases.run_state import Decider
from ..text.masking import masked, secrets_of
from ..waiting.entry import EXPIRED, FLOW, PULL_REQUEST, REQUEST, REVIEW, ProjectPolicy, QueueEntry
from ..waiting.flow_entry import entry as flow_entry
from ..waiting.request import PENDING, PROXY, Note, RequestVote
from ..waiting.request_entry import entry as request_entry
from ..waiting.selection import stamp
from ..waiting.trail import ASKED_BACK, HANDED_OVER
from . import store
from .deciding_person import DecidingPerson, QueueAnswer, decider_in_run, named_decider
from .place import QueuePlace


class EntryAnswered(NamedTuple):
    """The result of an answer: a line about it, and its exit code, 0 for one that was given."""

    entry: QueueEntry
    line: str
    exit_code: int = 0


class DecidingPlace(NamedTuple):
    """The place where answers are given: the work tree, its policy, and the environment."""

    place: QueuePlace
    by: ProjectPolicy
    environment: Mapping[str, str]


def answer_all(
    where: DecidingPlace,
    entries: Iterable[QueueEntry],
    answer: QueueAnswer,
    person: DecidingPerson,
) -> Iterator[EntryAnswered]:
    """Answer each entry. A failed answer does not stop the others.

    Answered runs continue in the background.
    """
    goes_on = False
    try:
        for entry in entries:
            try:
                line = answer_one(where, entry, answer, person)
            except HelixError as error:
                yield EntryAnswered(entry, str(error), error.exit_code)
                continue
            goes_on = goes_on or entry.source == FLOW
            yield EntryAnswered(entry, line)
    finally:
        if goes_on:
            leave_to_worker()


def answer_one(
    where: DecidingPlace, entry: QueueEntry, answer: QueueAnswer, person: DecidingPerson
) -> str:
    """Answer one entry, and return a result line.

    Secrets in the reason are masked, because others read it and it is never deleted.
    Raises HelixError if the answer does not count.
    """
    answer = answer._replace(reason=_masked(where, person, answer.reason))
    _require_valid(entry, answer)
    if entry.source == PULL_REQUEST:
        return _on_pull_request(where, entry, answer, person)
    if entry.source == FLOW:
        return _in_run(where, entry, answer, person)
    if entry.source == REQUEST:
        return _of_request(where, entry, answer, person)
    if entry.source == REVIEW:
        raise UsageError(
            "a review cannot be approved or rejected: it ends when the ADR says so on the main "
            f"branch; possible now: {'; or '.join(entry.ways_on)}"
        )
    raise UsageError(
        "a verification cannot be approved or rejected. Finish the work or change the decision, "
        f"then clear the question; possible now: {'; '.join(entry.ways_on)}"
    )


def ask_back(where: DecidingPlace, entry: QueueEntry, text: str, person: DecidingPerson) -> str:
    """Ask the requester something, and return a result line. Only those who may decide can.

    Raises:
        HelixError: The person has no right to decide, or the request was decided.
    """
    if entry.source != REQUEST:
        ways = "write a comment on the pull request, or reject the phase with feedback"
        raise UsageError(f"{entry.id} is no request, so nobody can be asked back; {ways}")
    text = _masked(where, person, text).strip()
    if not text:
        raise UsageError("a question to the requester is missing")
    with store.opened(where.place.flow) as db:
        now = db.now()
        by = _decider(where, entry, person, now)
        db.note(entry.id, ASKED_BACK, Note(by, text, now))
    return f"asked back by {by.in_words}; the deadline stands still until the requester replies"


def _decider(where: DecidingPlace, entry: QueueEntry, person: DecidingPerson, now: int) -> Decider:
    """Return the person as a decider about a request. Raises UsageError if they are none."""
    by, _ = _voter(where, entry, QueueAnswer(approves=True), person, now)
    if by.verified and by.name.casefold() in map(str.casefold, entry.requester):
        raise UsageError(f"@{by.name} is the requester, and no decider about it")
    return by


def hand_over(
    where: DecidingPlace, entry: QueueEntry, to: str, text: str, person: DecidingPerson
) -> str:
    """Hand a request over to another person who may decide it, and return a result line.

    Raises:
        HelixError: One of the two may not decide, or the request was decided.
    """
    if entry.source != REQUEST:
        raise UsageError(f"{entry.id} is no request; ask for a review by that person instead")
    text = _masked(where, person, text).strip()
    with store.opened(where.place.flow) as db:
        now = db.now()
        by = _decider(where, entry, person, now)
        if by.name.casefold() in map(str.casefold, entry.excluded):
            raise UsageError(f"{by.in_words} has asked for it, and can't hand it over")
        if to.casefold() in map(str.casefold, entry.approved_by):
            raise UsageError(f"@{to} has approved it already")
        other = named_decider(where.place, where.by, to, person.token, where.environment)
        _voter(where, entry, QueueAnswer(approves=True), other, now)
        if to.casefold() in map(str.casefold, entry.excluded):
            raise UsageError(f"@{to} has asked for it, and can't approve it")
        words = f"handed over to @{to}" + (f": {text}" if text else "")
        db.note(entry.id, HANDED_OVER, Note(by, words, now), other.name)
    return f"handed over to @{other.name} by {by.in_words}"


def _require_valid(entry: QueueEntry, answer: QueueAnswer) -> None:
    """Raise UsageError if an entry cannot have such an answer."""
    has_reason = bool(answer.reason.strip())
    if not answer.approves and not has_reason:
        raise UsageError("a rejection needs a reason, which the requester reads: --reason TEXT")
    if answer.override and not has_reason:
        raise UsageError("an override needs a reason, which is recorded with your name")
    if answer.override and not entry.needs_override:
        raise UsageError(f"nothing has rejected {entry.id}; approve it without --override")
    if answer.approves and entry.state == EXPIRED:
        raise UsageError(f"its deadline has passed; ask again first: {'; '.join(entry.ways_on)}")


def _on_pull_request(
    where: DecidingPlace, entry: QueueEntry, answer: QueueAnswer, person: DecidingPerson
) -> str:
    from .pull_answer import post

    if not person.token:
        raise UsageError(
            f"a pull request is decided on GitHub in your name: set GITHUB_TOKEN, log in with `gh "
            f"auth login`, or write a comment at {entry.url or entry.id}"
        )
    url = post(entry, answer.action, answer.reason, person.token, where.environment)
    return f"{_done(answer)} in your comment: {url}"


def _in_run(
    where: DecidingPlace, entry: QueueEntry, answer: QueueAnswer, person: DecidingPerson
) -> str:
    run, _, phase = entry.id.rpartition("/")
    place, now = where.place.flow, int(time.time())
    wish = RunAnswer(answer.action, run, phase, answer.reason, answer.override)
    checked = answering.checked(place, wish, now)
    if answer.approves:
        _require_same(where, entry, now)
    by = decider_in_run(person, where.by, checked.asked_by, approves=answer.approves)
    answering.send(place, checked, by)
    return f"{_done(answer)} by {by.in_words}; the run continues in the background"


def _require_same(where: DecidingPlace, entry: QueueEntry, now: int) -> None:
    """Raise UsageError if the question of a run differs from the one that the person saw."""
    run = entry.id.rpartition("/")[0]
    asked = [flow_entry(item, where.by, now) for item in questions_of(where.place.flow, run)]
    if stamp(entry) not in map(stamp, asked):
        raise UsageError(f"{entry.id} has changed since it was shown; look at it again")


def _of_request(
    where: DecidingPlace, entry: QueueEntry, answer: QueueAnswer, person: DecidingPerson
) -> str:
    with store.opened(where.place.flow) as db:
        now = db.now()
        by, right = _voter(where, entry, answer, person, now)
        vote = RequestVote(
            by=by,
            approves=answer.approves,
            at=now,
            reason=answer.reason,
            right=right,
            via=person.via,
        )
        after = db.answer(entry.id, vote, where.by.policy, notes=len(entry.notes))
    if after.status != PENDING:
        return f"{_done(answer)} by {by.in_words}"
    waiting = request_entry(after, where.by)
    return f"{_done(answer)} by {by.in_words}, {waiting.approvals} of {waiting.minimum} approvals"


def _voter(
    where: DecidingPlace, entry: QueueEntry, answer: QueueAnswer, person: DecidingPerson, at: int
) -> tuple[Decider, str]:
    """Return the voter and their right. Raises UsageError if they have none."""
    who, deciders = person.identity, where.by.policy.deciders
    if not who:
        return Decider(person.name, verified=False), "a person at a terminal"
    login = who.person.login
    if who.person.is_bot or not (who.person.id or person.via == PROXY):
        raise UsageError(f"@{login} is a bot; only people can decide")
    without = tuple(map(str.casefold, entry.excluded)) if answer.approves else ()
    right = right_of(login, who.facts, deciders, deciders.delegates, at, without)
    if right.refused:
        raise UsageError(right.refused)
    giver = giver_of(right.text)
    return Decider(login, verified=True, delegate_of=giver), right.text


def _masked(where: DecidingPlace, person: DecidingPerson, text: str) -> str:
    return masked(text, secrets_of({**where.environment, "GITHUB_TOKEN": person.token}))


def _done(answer: QueueAnswer) -> str:
    return "approved" if answer.approves else "rejected"
