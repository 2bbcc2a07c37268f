"""Compute the state, check conclusion and exit code of a run. Pure. The check succeeds only if every step ran and every approval was given.

The facts are the results of the steps, the pull request, the votes, the policy of the base, and the time.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..config.policy import Policy
from .deadline import AUTO_APPROVED, ESCALATED, standing
from .deadline import BLOCKED as EXPIRED
from .handover import Handover
from .overrides import overridden
from .pull_request import PullRequest
from .reasons import reasons_in_queue, reasons_of
from .statements import Statement
from .states import APPROVED, BLOCKED, CONCLUSIONS, EXIT_CODES, FAILED, MOVED, REJECTED, Reason, worst
from .votes import Ballot, Vote

_AROUND = "who administers the repository takes `helix` out of the ruleset to merge another policy"


class Outcome(NamedTuple):
    """`reasons` are those of this state; where a judge failed, also the other open questions and objections. `refused` are votes that do not
    count; `given` is what the state rests on, with what was overridden. `due` is when time alone will change it, in seconds since 1970
    (0 for never), and `escalated` says that it did once. `asked` are the questions that an approval answers now: none where anything else
    stands in the way, so that no line is offered that would change nothing.
    """

    state: str
    reasons: tuple[Reason, ...]
    refused: tuple[Vote, ...] = ()
    given: Handover | None = None
    due: int = 0
    escalated: bool = False
    asked: tuple[Reason, ...] = ()

    @property
    def conclusion(self) -> str:
        return CONCLUSIONS[self.state]

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.state]


def outcome(given: Handover, pull: PullRequest, ballot: Ballot = Ballot(), now: int = 0) -> Outcome:  # noqa: B008 - it is frozen
    """What a run found, at the head that the pull request has by now, with what people say to it, at a time (seconds since 1970)."""
    given, asked = overridden(given, ballot.overrides)
    if moved := _moved(given, pull):
        return Outcome(MOVED, (moved,), ballot.refused, given)
    reasons = [*(reasons_in_queue(given, pull) if given.subject.merges else reasons_of(given)), *asked]
    state = worst([reason.state for reason in reasons])
    told = tuple(reason for reason in reasons if reason.state == state)
    is_open = all(reason.state == APPROVED or reason.is_question for reason in reasons)
    if not given.applies or not is_open:
        return Outcome(state, told, ballot.refused, given)
    against = _against(given, ballot)
    if given.subject.merges or state == APPROVED:  # in a queue nobody approves any more
        told = against or told
        return Outcome(worst([reason.state for reason in told]), told, ballot.refused, given)
    found = _decided(given, tuple(reason for reason in reasons if reason.is_question), against, ballot, now)
    stuck = _stuck(given.policy, pull.author.login) if found.asked else ""
    return found._replace(reasons=tuple(reason._replace(way_out=stuck) for reason in found.reasons), asked=()) if stuck else found


def _against(given: Handover, ballot: Ballot) -> tuple[Reason, ...]:
    """Objections, and votes that somebody else has changed."""
    last = dict(ballot.last)
    touched = [item for item in given.kept.tampered if last.get(item.id, 0) <= item.at]
    found = [
        Reason(FAILED, f"{item.by} edited or deleted a vote of @{item.login}", f"@{item.login} votes again", by=(item.login,)) for item in touched
    ]
    found += [
        Reason(REJECTED, _said(said, given), f"the author fixes it, then @{said.by.login} approves", by=(said.by.login,))
        for said in ballot.objections
    ]
    state = worst([reason.state for reason in found]) if found else ""
    return tuple(reason for reason in found if reason.state == state)


def _said(said: Statement, given: Handover) -> str:
    """What was taken for a type and is none was a word."""
    is_known = set(said.types) <= set(given.types)
    words = said.words if is_known else f"for {', '.join(said.types)} {said.words}"
    about = f" of {', '.join(said.types)}" if said.types and is_known else ""
    return f"@{said.by.login} asks for changes{about}{f': {words}' if words else ''}"


def _decided(given: Handover, asked: tuple[Reason, ...], against: tuple[Reason, ...], ballot: Ballot, now: int) -> Outcome:
    """Return what is asked of people, each question for itself. An objection stands before an open question, and behind a judge that failed."""
    since, policy = given.kept.since or now, given.policy if not given.subject.draft else given.policy._replace(deadlines=())
    here = ballot._replace(approvals=tuple(said for said in ballot.approvals if given.subject.head.startswith(said.commit)))
    answers = [_answered(reason, here if reason.state == FAILED else ballot, policy, since, now) for reason in asked]
    failed = any(answer.state == FAILED for answer in answers)
    if against and not failed:
        return Outcome(worst([reason.state for reason in against]), against, ballot.refused, given)
    state = worst([reason.state for reason in (*against, *answers)])
    left = tuple(dict.fromkeys(answer for answer in answers if answer.state == state or (failed and answer.state != APPROVED)))
    late = tuple(Vote(said, "it came after the deadline; `/helix review` sets a new deadline") for said in _late(asked, ballot, policy, since, now))
    elsewhere = [said for said in ballot.approvals if failed and said not in here.approvals]
    refused = (*ballot.refused, *late, *(Vote(said, f"it was for {said.commit[:7]}, and the judge failed here") for said in elsewhere))
    if state == APPROVED:
        return Outcome(state, _by_whom(left), refused, given)
    ends = [standing(item.category, since, policy, now).state for item in left]
    if against or EXPIRED in ends:
        return Outcome(state, (*against, *left), refused, given)
    due = min((item.due for item in left if item.due), default=0)
    return Outcome(state, left, refused, given, due, ESCALATED in ends, left)


def _stuck(policy: Policy, author: str) -> str:
    """Where nobody can approve, who can change that; "" where somebody can."""
    left = policy.deciders.left_without(author)
    if left is None or left >= policy.deciders.minimum:
        return ""
    return f"nobody can approve it: policy.approvers names {', '.join(policy.deciders.people)}, and @{author} wrote it; {_AROUND}"


def _by_whom(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple({reason.what: reason for reason in reasons}.values())


def _answered(reason: Reason, ballot: Ballot, policy: Policy, since: int, now: int) -> Reason:
    """A question with what people said to it, or with what its deadline makes of it."""
    now_is = standing(reason.category, since, policy, now)
    people = {said.by.id: said for said in ballot.approvals if _covers(said, reason) and (not now_is.until or said.at < now_is.until)}
    wanted, names = policy.deciders.minimum, [_name(said, policy) for said in people.values()]
    if len(people) >= wanted:
        about = f"{reason.about}: " if reason.about else ""
        commit = next(iter(people.values())).commit[:7]
        logins = tuple(said.by.login for said in people.values())
        return Reason(APPROVED, f"{about}{' and '.join(names)} approved {commit}", about=reason.about, by=logins)
    if now_is.state == AUTO_APPROVED:
        return Reason(APPROVED, f"{reason.what}: nobody objected before the deadline, so policy.on_expiry approves it", about=reason.about)
    if now_is.state == EXPIRED:
        state = FAILED if reason.state == FAILED else BLOCKED  # the judge still gave no verdict
        return reason._replace(state=state, what=f"{reason.what}: nobody decided before the deadline", way_out="`/helix review` sets a new deadline")
    some = f" ({len(people)} of {wanted} approvals: {', '.join(names)})" if people else ""
    return reason._replace(what=f"{reason.what}{some}", due=now_is.due)


def _name(said: Statement, policy: Policy) -> str:
    sole = said.by.login.casefold() == policy.deciders.sole.casefold()
    return f"@{said.by.login}{' (whom policy.sole_maintainer lets approve their own changes)' if sole else ''}"


def _covers(said: Statement, reason: Reason) -> bool:
    return not said.types or reason.about in said.types


def _late(asked: tuple[Reason, ...], ballot: Ballot, policy: Policy, since: int, now: int) -> list[Statement]:
    """The approvals that came too late for all that they are about."""
    ends = [(reason, standing(reason.category, since, policy, now).until) for reason in asked]
    about = [(said, [until for reason, until in ends if _covers(said, reason)]) for said in ballot.approvals]
    return [said for said, untils in about if untils and all(until and said.at >= until for until in untils)]


def _moved(given: Handover, pull: PullRequest) -> Reason | None:
    if given.subject.merges:
        return None
    if pull.head != given.subject.head:
        return Reason(MOVED, f"{pull.head[:7]} was pushed meanwhile", "wait for the run for that commit")
    if given.subject.base_ref and pull.base_ref != given.subject.base_ref:
        return Reason(MOVED, f"the pull request now goes to {pull.base_ref}, not to {given.subject.base_ref}", "wait for the run for that branch")
    return None
