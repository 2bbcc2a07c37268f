"""Answer one question by the approvals of people, or by its deadline. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..config.policy import Policy
from .deadline import AUTO_APPROVED, DeadlineStatus, deadline_status
from .deadline import BLOCKED as EXPIRED
from .states import APPROVED, BLOCKED, FAILED, Reason
from .votes import Vote

_NEW_DEADLINE = "`/helix review` sets a new deadline"


class Clock(NamedTuple):
    """The policy with its deadlines, and the times that deadlines depend on.

    `since` is when people were asked, and `now` the current time, both in seconds since 1970.
    """

    policy: Policy
    since: int
    now: int

    def status(self, category: str) -> DeadlineStatus:
        """Return the deadline status of a question of a category."""
        return deadline_status(category, self.since, self.policy, self.now)


def answer(question: Reason, approvals: Iterable[Vote], clock: Clock) -> Reason:
    """Return a question with its answer: by approvals, or by its deadline; else still open."""
    deadline = clock.status(question.category)
    votes = one_a_right(_in_time(approvals, question, deadline))
    if len(votes) >= clock.policy.deciders.minimum:
        return _approved(question, votes, clock.policy)
    if deadline.state == AUTO_APPROVED:
        text = (
            f"{question.text}: nobody objected before the deadline, so policy.on_expiry approves it"
        )
        return Reason(state=APPROVED, text=text, about=question.about)
    if deadline.state == EXPIRED:
        # A failed judge stays a failure: it still gave no verdict.
        state = FAILED if question.state == FAILED else BLOCKED
        text = f"{question.text}: nobody decided before the deadline"
        return question._replace(state=state, text=text, way_out=_NEW_DEADLINE)
    text = f"{question.text}{_some(votes, clock.policy)}"
    return question._replace(text=text, due=deadline.due)


def _in_time(
    approvals: Iterable[Vote], question: Reason, deadline: DeadlineStatus
) -> Iterator[Vote]:
    """Yield the approvals of a question that were given before its deadline."""
    for vote in approvals:
        if covers(vote, question) and (not deadline.until or vote.at < deadline.until):
            yield vote


def one_a_right(votes: Iterable[Vote]) -> tuple[Vote, ...]:
    """Return one vote for each right: the last one of its owner, else of the first delegate.

    A person and their delegates share one right.
    """
    chosen: dict[str, Vote] = {}
    for vote in votes:
        earlier = chosen.setdefault(vote.right, vote)
        # The vote of the owner replaces that of a delegate, and a later vote one's own earlier.
        is_own = bool(earlier.stands_for) and not vote.stands_for
        if is_own or vote.by.id == earlier.by.id:
            chosen[vote.right] = vote
    return tuple(chosen.values())


def doubles(questions: Iterable[Reason], approvals: Sequence[Vote]) -> list[tuple[Vote, str]]:
    """Return the approvals whose right another person has used already, each with the reason why
    it does not count.
    """
    used: set[tuple[str, int]] = set()
    relevant: dict[Vote, None] = {}
    for question in questions:
        votes = [vote for vote in approvals if covers(vote, question)]
        used |= {(vote.right, vote.by.id) for vote in one_a_right(votes)}
        relevant |= dict.fromkeys(votes)
    return [(vote, _same_right(vote)) for vote in relevant if (vote.right, vote.by.id) not in used]


def _same_right(vote: Vote) -> str:
    giver = vote.stands_for or vote.by.login
    return f"@{giver} and their delegate share one vote"


def _approved(question: Reason, votes: Sequence[Vote], policy: Policy) -> Reason:
    topic = f"{question.about}: " if question.about else ""
    names = " and ".join(_name(vote, policy) for vote in votes)
    return Reason(
        state=APPROVED,
        text=f"{topic}{names} approved {votes[0].commit[:7]}",
        about=question.about,
        by=tuple(vote.by.login for vote in votes),
    )


def _some(votes: Sequence[Vote], policy: Policy) -> str:
    """Return how many approvals there are, if not yet enough; "" without any."""
    if not votes:
        return ""
    names = ", ".join(_name(vote, policy) for vote in votes)
    return f" ({len(votes)} of {policy.deciders.minimum} approvals: {names})"


def _name(vote: Vote, policy: Policy) -> str:
    name = f"@{vote.by.login}{as_delegate(vote)}"
    if vote.by.login.casefold() == policy.deciders.sole.casefold():
        return f"{name} (allowed by policy.sole_maintainer)"
    return name


def as_delegate(vote: Vote) -> str:
    """Return the note on a delegate's vote that names the person represented; "" for others."""
    if not vote.stands_for:
        return ""
    return f" (as delegate of @{vote.stands_for})"


def covers(vote: Vote, question: Reason) -> bool:
    """Return whether a vote is about a question.

    A vote without approval types is about all of them.
    """
    return not vote.types or question.about in vote.types


def late(
    questions: Iterable[Reason], approvals: Iterable[Vote], clock: Clock
) -> list[tuple[Vote, str]]:
    """Return the approvals that came after the deadlines of all their questions, each with the
    reason why it does not count.
    """
    ends = [(question, clock.status(question.category).until) for question in questions]
    why = f"it came after the deadline; {_NEW_DEADLINE}"
    return [(vote, why) for vote in approvals if _is_late(vote, ends)]


def _is_late(vote: Vote, ends: Iterable[tuple[Reason, int]]) -> bool:
    untils = [until for question, until in ends if covers(vote, question)]
    return bool(untils) and all(until and vote.at >= until for until in untils)
