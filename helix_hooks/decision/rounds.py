"""Count the rejections of a pull request, after which a person decides. Pure."""

from collections import Counter
from collections.abc import Iterable

from ..config.policy import MOST_ROUNDS
from ..text.plural import counted
from ..verdict.verdict import APPROVED, ApprovalResult
from .handover import Handover
from .run_state import RejectedRound

_NAME = 16
"""Characters of the name of a commit."""


def with_rounds(
    known: Iterable[RejectedRound], more: Iterable[RejectedRound]
) -> tuple[RejectedRound, ...]:
    """Return rounds together, each once; of a type as many as a policy can ask for."""
    numbers: Counter[str] = Counter()
    rounds = []
    for round in dict.fromkeys((*known, *more)):
        numbers[round.approval_type] += 1
        if numbers[round.approval_type] <= MOST_ROUNDS:
            rounds.append(round)
    return tuple(rounds)


def rejected(head: str, verdicts: Iterable[ApprovalResult]) -> tuple[RejectedRound, ...]:
    """Return the rounds that a run adds: a judge that failed has rejected nothing."""
    return tuple(
        RejectedRound(verdict.approval_type, head[:_NAME])
        for verdict in verdicts
        if not verdict.failed and verdict.result != APPROVED
    )


def exhausted(handover: Handover) -> str:
    """Return why no judge is asked any more, "" where one is.

    The head itself counts too, since somebody may push back to it. A person who may ask for a run
    gets another round.
    """
    if handover.is_requested:
        return ""
    numbers = Counter(item.approval_type for item in handover.carried.rounds)
    most = handover.policy.max_rounds
    for name, number in numbers.items():
        if number >= most:
            rounds = counted(number, "round")
            return f"{name} was rejected in {rounds}, and policy.max_rounds is {most}"
    return ""
