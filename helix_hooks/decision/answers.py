"""Answer one question by the approvals of people, or by its deadline. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..config.policy import Policy
from .deadline import AUTO_APPROVED, DeadlineStatus, deadline_status
from .deadline import BLOCKED as EXPIRED
from .states import APPROVED, BLOCKED, FAILED, Reason
from .votes import Vote

_NEW_DEADLINE = "`/helix review` sets a new deadline"


class Clock(NamedTuple):
    """The policy with its deadlines, when people were asked, and the time: both in seconds since
    1970.
    """

    policy: Policy
    since: int
    now: int

    def status(self, category: str) -> DeadlineStatus:
        """Return where the deadline of a question of a category stands."""
        return deadline_status(category, self.since, self.policy, self.now)


def answered(question: Reason, approvals: Iterable[Vote], clock: Clock) -> Reason:
    """Return a question with what people said to it, or with what its deadline makes of it."""
    deadline = clock.status(question.category)
    votes = one_a_right(
        vote
        for vote in approvals
        if covers(vote, question) and (not deadline.until or vote.at < deadline.until)
    )
    if len(votes) >= clock.policy.deciders.minimum:
        return _approved(question, votes, clock.policy)
    if deadline.state == AUTO_APPROVED:
        what = (
            f"{question.text}: nobody objected before the deadline, so policy.on_expiry approves it"
        )
        return Reason(state=APPROVED, text=what, about=question.about)
    if deadline.state == EXPIRED:
        state = FAILED if question.state == FAILED else BLOCKED  # the judge still gave no verdict
        what = f"{question.text}: nobody decided before the deadline"
        return question._replace(state=state, text=what, way_out=_NEW_DEADLINE)
    some = _some(votes, clock.policy) if votes else ""
    return question._replace(text=f"{question.text}{some}", due=deadline.due)


def one_a_right(votes: Iterable[Vote]) -> tuple[Vote, ...]:
    """Return one vote of each right: the last one of whoever has it, else of the first delegate.

    A person and their delegates have one right together.
    """
    chosen: dict[str, Vote] = {}
    for vote in votes:
        before = chosen.setdefault(vote.right, vote)
        is_own = bool(before.stands_for) and not vote.stands_for
        if is_own or vote.by.id == before.by.id:
            chosen[vote.right] = vote
    return tuple(chosen.values())


def doubles(questions: Iterable[Reason], approvals: Sequence[Vote]) -> list[tuple[Vote, str]]:
    """Return the approvals by a right that somebody else has used for the same questions, each with
    why it does not count.
    """
    about = [[vote for vote in approvals if covers(vote, question)] for question in questions]
    used = {(vote.right, vote.by.id) for votes in about for vote in one_a_right(votes)}
    everything = dict.fromkeys(vote for votes in about for vote in votes)
    return [
        (vote, _same_right(vote)) for vote in everything if (vote.right, vote.by.id) not in used
    ]


def _same_right(vote: Vote) -> str:
    giver = vote.stands_for or vote.by.login
    return f"@{giver} and who stands in for @{giver} have one vote together"


def _approved(question: Reason, votes: Sequence[Vote], policy: Policy) -> Reason:
    about = f"{question.about}: " if question.about else ""
    names = " and ".join(_name(vote, policy) for vote in votes)
    what = f"{about}{names} approved {votes[0].commit[:7]}"
    return Reason(
        state=APPROVED, text=what, about=question.about, by=tuple(vote.by.login for vote in votes)
    )


def _some(votes: Sequence[Vote], policy: Policy) -> str:
    names = ", ".join(_name(vote, policy) for vote in votes)
    return f" ({len(votes)} of {policy.deciders.minimum} approvals: {names})"


def _name(vote: Vote, policy: Policy) -> str:
    is_sole = vote.by.login.casefold() == policy.deciders.sole.casefold()
    note = " (whom policy.sole_maintainer lets approve their own changes)" if is_sole else ""
    return f"@{vote.by.login}{as_delegate(vote)}{note}"


def as_delegate(vote: Vote) -> str:
    """Return for whom a vote was given, in words; "" for the voter's own."""
    return f" (as delegate of @{vote.stands_for})" if vote.stands_for else ""


def covers(vote: Vote, question: Reason) -> bool:
    """Return whether a vote is about a question.

    A vote without approval types is about all of them.
    """
    return not vote.types or question.about in vote.types


def late(
    questions: Iterable[Reason], approvals: Iterable[Vote], clock: Clock
) -> list[tuple[Vote, str]]:
    """Return the approvals that came too late for all that they are about, each with why it does
    not count.
    """
    ends = [(question, clock.status(question.category).until) for question in questions]
    about = [
        (vote, [until for question, until in ends if covers(vote, question)]) for vote in approvals
    ]
    why = f"it came after the deadline; {_NEW_DEADLINE}"
    return [
        (vote, why)
        for vote, untils in about
        if untils and all(until and vote.at >= until for until in untils)
    ]
