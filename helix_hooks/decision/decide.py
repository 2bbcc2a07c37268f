"""Compute the state, check conclusion and exit code of a run. Pure.

The check succeeds only if every step ran and every approval was given. The local `approve` and the
Action call this one function. What differs is who can answer: on a pull request people vote and
deadlines pass; on a machine a question stays open.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..config.autonomy import CRITICAL, EXPERTISE, MILESTONE, ROUTINE, UNCERTAINTY
from ..config.policy import Deciders
from .answers import Clock, answered, as_delegate, doubles, late
from .counting import CountedVote
from .deadline import BLOCKED as EXPIRED
from .deadline import ESCALATED
from .effective_votes import EffectiveVotes
from .facts import Facts
from .handover import Handover
from .states import APPROVED, CONCLUSIONS, EXIT_CODES, FAILED, PENDING, REJECTED, Reason, worst
from .votes import Vote

_AROUND = "who administers the repository takes `helix` out of the ruleset to merge another policy"
_BY_WEIGHT = (CRITICAL, UNCERTAINTY, EXPERTISE, MILESTONE, ROUTINE)
"""Categories, first those that no deadline approves."""


class Decision(NamedTuple):
    """`reasons` are those of this state; where a judge failed, also the other questions and
    objections.

    `refused` are votes that do not count. `handover` is what the state rests on, with what was
    overridden; None for a local review. `due` is when time alone will change the state, in seconds
    since 1970 (0 for never), and `escalated` says that it did once. `asked` are the questions that
    an approval answers now: none where anything else stands in the way, so that no line is offered
    that would change nothing.
    """

    state: str
    reasons: tuple[Reason, ...]
    refused: tuple[CountedVote, ...] = ()
    handover: Handover | None = None
    due: int = 0
    escalated: bool = False
    asked: tuple[Reason, ...] = ()

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
        """Return the weightiest category of the questions to a person; "" in any other state."""
        return weightiest(self.reasons) if self.state == PENDING else ""


def weightiest(reasons: Iterable[Reason]) -> str:
    """Return the weightiest category of some reasons, "" where none has one."""
    categories = {reason.category for reason in reasons}
    return next((category for category in _BY_WEIGHT if category in categories), "")


def decide(facts: Facts) -> Decision:
    """Compute the decision: the worst state of all reasons, after people have answered the
    questions.
    """
    decision = _undisputed(facts)
    handover = facts.handover
    is_open = all(reason.state == APPROVED or reason.is_question for reason in facts.reasons)
    if handover is None or not handover.applies or not is_open:
        return decision
    against = _against(handover, facts.votes)
    if handover.target.merges or decision.state == APPROVED:  # in a queue nobody approves any more
        return decision._replace(state=against[0].state, reasons=against) if against else decision
    decision = _answered(decision, facts, handover, against)
    stuck = _stuck(handover.deciders, facts.author) if decision.asked else ""
    if not stuck:
        return decision
    reasons = tuple(reason._replace(way_out=stuck) for reason in decision.reasons)
    return decision._replace(reasons=reasons, asked=())


def _undisputed(facts: Facts) -> Decision:
    """Return the decision before anybody votes."""
    state = worst([reason.state for reason in facts.reasons])
    reasons = tuple(reason for reason in facts.reasons if reason.state == state)
    return Decision(
        state=state, reasons=reasons, refused=facts.votes.refused, handover=facts.handover
    )


def _against(handover: Handover, votes: EffectiveVotes) -> tuple[Reason, ...]:
    """Return the objections; or the votes that somebody else has changed, which are worse."""
    last = dict(votes.last)
    touched = [item for item in handover.carried.tampered if last.get(item.id, 0) <= item.at]
    if touched:
        return tuple(
            Reason(
                state=FAILED,
                text=f"{item.by} edited or deleted a vote of @{item.login}",
                way_out=f"@{item.login} votes again",
                by=(item.login,),
            )
            for item in touched
        )
    return tuple(
        Reason(
            state=REJECTED,
            text=_objection(vote, handover),
            way_out=f"the author fixes it, then @{vote.by.login} approves",
            by=(vote.by.login,),
        )
        for vote in votes.objections
    )


def _objection(vote: Vote, handover: Handover) -> str:
    """Return the text of an objection; an unknown word behind `for` is part of the reason."""
    is_known = set(vote.types) <= set(handover.types)
    words = vote.words if is_known else f"for {', '.join(vote.types)} {vote.words}"
    about = f" of {', '.join(vote.types)}" if vote.types and is_known else ""
    reason = f": {words}" if words else ""
    return f"@{vote.by.login}{as_delegate(vote)} asks for changes{about}{reason}"


def _answered(
    decision: Decision, facts: Facts, handover: Handover, against: tuple[Reason, ...]
) -> Decision:
    """Return the decision after the answers, each question for itself.

    An objection counts more than an open question, and less than a judge that failed.
    """
    clock, votes = _clock(facts, handover), facts.votes
    questions = tuple(reason for reason in facts.reasons if reason.is_question)
    here = tuple(vote for vote in votes.approvals if handover.target.head.startswith(vote.commit))
    answers = [
        answered(question, here if question.state == FAILED else votes.approvals, clock)
        for question in questions
    ]
    has_failed = any(answer.state == FAILED for answer in answers)
    if against and not has_failed:
        return decision._replace(state=against[0].state, reasons=against)
    state = worst([reason.state for reason in (*against, *answers)])
    elsewhere = [vote for vote in votes.approvals if has_failed and vote not in here]
    refused = [
        *late(questions, votes.approvals, clock),
        *doubles(questions, votes.approvals),
        *((vote, f"it was for {vote.commit[:7]}, and the judge failed here") for vote in elsewhere),
    ]
    decision = decision._replace(
        state=state, refused=(*votes.refused, *(CountedVote(vote, why) for vote, why in refused))
    )
    if state == APPROVED:
        return decision._replace(reasons=_without_doubles(answers))
    left = [
        answer
        for answer in answers
        if answer.state == state or (has_failed and answer.state != APPROVED)
    ]
    return _open(decision, tuple(dict.fromkeys(left)), against, clock)


def _open(
    decision: Decision, left: tuple[Reason, ...], against: tuple[Reason, ...], clock: Clock
) -> Decision:
    """Return the decision while questions are `left`. What has expired, no approval answers."""
    deadlines = [clock.status(question.category).state for question in left]
    if against or EXPIRED in deadlines:
        return decision._replace(reasons=(*against, *left))
    due = min((question.due for question in left if question.due), default=0)
    return decision._replace(reasons=left, due=due, escalated=ESCALATED in deadlines, asked=left)


def _clock(facts: Facts, handover: Handover) -> Clock:
    """Return the clock of the questions. A draft has no deadlines."""
    policy = handover.policy._replace(deciders=handover.deciders)
    if handover.target.draft:
        policy = policy._replace(deadlines=())
    return Clock(policy, handover.carried.since or facts.now, facts.now)


def _stuck(deciders: Deciders, author: str) -> str:
    """Return the people who can make an approval possible; "" if it is possible."""
    left = deciders.left_without(author)
    if left is None or left >= deciders.minimum:
        return ""
    names = ", ".join(deciders.people)
    return (
        f"nobody can approve it: policy.approvers names {names}, and @{author} wrote it; {_AROUND}"
    )


def _without_doubles(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple({reason.text: reason for reason in reasons}.values())
