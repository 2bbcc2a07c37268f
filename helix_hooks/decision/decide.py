"""Compute the state, check conclusion and exit code of a run. Pure.

The check succeeds only if every step ran and every approval was given. The local `approve` and the
Action use the same function. Only the answers differ: on a pull request people vote and deadlines
pass; on a machine a question stays open.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import starmap
from typing import NamedTuple

from ..config.policy import CRITICAL, EXPERTISE, MILESTONE, ROUTINE, UNCERTAINTY, Deciders
from .answers import Clock, answer, as_delegate, doubles, late
from .counting import CountedVote
from .deadline import BLOCKED as EXPIRED
from .deadline import ESCALATED
from .effective_votes import EffectiveVotes
from .facts import Facts
from .handover import Handover
from .run_state import Tampering
from .states import APPROVED, CONCLUSIONS, EXIT_CODES, FAILED, PENDING, REJECTED, Reason, worst
from .votes import Vote

_AROUND = "an administrator can remove the check `helix` from the ruleset to merge a new policy"
_BY_WEIGHT = (CRITICAL, UNCERTAINTY, EXPERTISE, MILESTONE, ROUTINE)
"""Categories, starting with those that no deadline approves."""


class Decision(NamedTuple):
    """The state of a run, with its reasons.

    `reasons` are those of this state; if a judge failed, also the other questions and objections.
    `refused` are votes that do not count. `handover` has the facts, with overrides applied; None
    for a local review. `due` is when time alone will change the state, in seconds since 1970 (0 for
    never), and `escalated` tells whether it did so once. `asked` are the questions that an approval
    answers now; it is empty while anything else blocks, because an approval would change nothing.
    `author` opened the pull request, and so may not answer them.
    """

    state: str
    reasons: tuple[Reason, ...]
    refused: tuple[CountedVote, ...] = ()
    handover: Handover | None = None
    due: int = 0
    escalated: bool = False
    asked: tuple[Reason, ...] = ()
    author: str = ""

    @property
    def conclusion(self) -> str:
        """The conclusion of the check run."""
        return CONCLUSIONS[self.state]

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return EXIT_CODES[self.state]

    @property
    def category(self) -> str:
        """The most critical category of the questions to a person; "" in any other state."""
        if self.state != PENDING:
            return ""
        return weightiest(self.reasons)


def weightiest(reasons: Iterable[Reason]) -> str:
    """Return the most critical category of some reasons, "" if none has one."""
    categories = {reason.category for reason in reasons}
    return next((category for category in _BY_WEIGHT if category in categories), "")


def decide(facts: Facts) -> Decision:
    """Compute the decision: the worst state of all reasons, with questions answered by people."""
    decision = _before_votes(facts)
    handover = facts.handover
    if handover is None or not handover.applies:
        return decision
    # A failed step or a finding to fix is no question, so no vote changes it.
    if not all(reason.state == APPROVED or reason.is_question for reason in facts.reasons):
        return decision
    against = _against(handover, facts.votes)
    # In a merge queue only objections count: approvals were given before.
    if handover.target.merges or decision.state == APPROVED:
        if not against:
            return decision
        return decision._replace(state=against[0].state, reasons=against)
    decision = _after_votes(decision, facts, handover, against)
    return _with_stuck_reason(decision, handover.deciders, facts.author)


def _before_votes(facts: Facts) -> Decision:
    """Return the decision before any vote."""
    state = worst([reason.state for reason in facts.reasons])
    reasons = tuple(reason for reason in facts.reasons if reason.state == state)
    return Decision(
        state=state, reasons=reasons, refused=facts.votes.refused, handover=facts.handover
    )


def _against(handover: Handover, votes: EffectiveVotes) -> tuple[Reason, ...]:
    """Return the objections; or, which is worse, the votes that another user has changed."""
    last = dict(votes.last)
    tampered = [item for item in handover.carried.tampered if last.get(item.id, 0) <= item.at]
    if tampered:
        return tuple(_of_tampering(item) for item in tampered)
    # An objection with a reason comes first: the author can do something about it.
    objections = sorted(votes.objections, key=lambda vote: vote.is_unexplained)
    return tuple(_of_objection(vote, handover) for vote in objections)


def _of_tampering(item: Tampering) -> Reason:
    return Reason(
        state=FAILED,
        text=f"{item.by} edited or deleted a vote of @{item.login}",
        way_out=f"@{item.login} votes again",
        by=(item.login,),
    )


def _of_objection(vote: Vote, handover: Handover) -> Reason:
    if vote.is_unexplained:
        return Reason(
            state=PENDING,
            text=f"@{vote.by.login}{as_delegate(vote)} objects without a reason",
            way_out=f"@{vote.by.login} gives a reason, or approves",
            by=(vote.by.login,),
        )
    types = ", ".join(vote.types)
    topic, words = "", vote.words
    if set(vote.types) <= set(handover.types):
        topic = f" of {types}" if types else ""
    else:
        # `for` with an unknown type is part of the reason, as in "for now, keep it".
        words = f"for {types} {words}"
    reason = f": {words}" if words else ""
    return Reason(
        state=REJECTED,
        text=f"@{vote.by.login}{as_delegate(vote)} asks for changes{topic}{reason}",
        way_out=f"the author fixes it, then @{vote.by.login} approves",
        by=(vote.by.login,),
    )


def _after_votes(
    decision: Decision, facts: Facts, handover: Handover, against: tuple[Reason, ...]
) -> Decision:
    """Return the decision with each question answered separately.

    An objection outranks an open question, and a failed judge outranks an objection.
    """
    clock, approvals = _clock(facts, handover), facts.votes.approvals
    questions = tuple(reason for reason in facts.reasons if reason.is_question)
    at_head = _at_head(approvals, handover.target.head)
    # An approval of the same content elsewhere relied on a verdict, which is missing here.
    answers = [
        answer(question, at_head if question.state == FAILED else approvals, clock)
        for question in questions
    ]
    state = worst([item.state for item in answers])
    if against and state != FAILED:
        return decision._replace(state=against[0].state, reasons=against)
    unused = [*late(questions, approvals, clock), *doubles(questions, approvals)]
    if state == FAILED:
        unused += _elsewhere(approvals, at_head)
    refused = (*facts.votes.refused, *starmap(CountedVote, unused))
    decision = decision._replace(state=state, refused=refused)
    if state == APPROVED:
        return decision._replace(reasons=_without_doubles(answers))
    return _open(decision, _unanswered(answers, state), against, clock)


def _at_head(approvals: Iterable[Vote], head: str) -> list[Vote]:
    return [vote for vote in approvals if head.startswith(vote.commit)]


def _elsewhere(approvals: Iterable[Vote], at_head: Collection[Vote]) -> Iterator[tuple[Vote, str]]:
    """Yield the approvals of other commits, each with the reason why it does not count."""
    for vote in approvals:
        if vote not in at_head:
            yield vote, f"it was for {vote.commit[:7]}, and the judge failed here"


def _unanswered(answers: Iterable[Reason], state: str) -> tuple[Reason, ...]:
    """Return the open questions of a state, each once; if a judge failed, those of all states."""
    if state == FAILED:
        questions = [item for item in answers if item.state != APPROVED]
    else:
        questions = [item for item in answers if item.state == state]
    return tuple(dict.fromkeys(questions))


def _open(
    decision: Decision, questions: tuple[Reason, ...], against: tuple[Reason, ...], clock: Clock
) -> Decision:
    """Return the decision while questions are open. No approval answers an expired one."""
    deadlines = [clock.status(question.category).state for question in questions]
    if against or EXPIRED in deadlines:
        return decision._replace(reasons=(*against, *questions))
    due = min((question.due for question in questions if question.due), default=0)
    return decision._replace(
        reasons=questions, due=due, escalated=ESCALATED in deadlines, asked=questions
    )


def _clock(facts: Facts, handover: Handover) -> Clock:
    """Return the clock of the questions. A draft has no deadlines."""
    policy = handover.policy._replace(deciders=handover.deciders)
    if handover.target.draft:
        policy = policy._replace(deadlines={})
    return Clock(policy, handover.carried.since or facts.now, facts.now)


def _with_stuck_reason(decision: Decision, deciders: Deciders, author: str) -> Decision:
    """Return the decision, without its question if too few people may approve."""
    stuck = _stuck(deciders, author) if decision.asked else ""
    if not stuck:
        return decision._replace(author=author)
    reasons = tuple(reason._replace(way_out=stuck) for reason in decision.reasons)
    return decision._replace(reasons=reasons, asked=())


def _stuck(deciders: Deciders, author: str) -> str:
    """Return why there are too few deciders besides the author, "" if there are enough."""
    others = deciders.left_without(author)
    if others is None or others >= deciders.minimum:
        return ""
    names = ", ".join(deciders.people)
    line = f"; if that is meant, add `sole_maintainer: {author}` to `policy`"
    if not deciders.are_named(author):
        line = ""
    return (
        f"nobody can approve it: policy.approvers names {names}, and @{author} wrote it; "
        f"{_AROUND}{line}"
    )


def _without_doubles(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple({reason.text: reason for reason in reasons}.values())
