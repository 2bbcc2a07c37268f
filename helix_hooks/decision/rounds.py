"""Count the rejections of a pull request; after some a person decides. Pure."""

from collections import Counter
from collections.abc import Iterable

from ..config.policy import MOST_ROUNDS
from ..text import counted
from ..verdict.approval_result import APPROVED, ApprovalResult
from .handover import Handover
from .run_state import RejectedRound

_NAME = 16
"""Characters of the name of a commit."""


def with_rounds(
    earlier: Iterable[RejectedRound], new: Iterable[RejectedRound]
) -> tuple[RejectedRound, ...]:
    """Return all rounds, each once; for each type as many as a policy can allow."""
    numbers: Counter[str] = Counter()
    rounds = []
    for round in dict.fromkeys((*earlier, *new)):
        numbers[round.approval_type] += 1
        if numbers[round.approval_type] <= MOST_ROUNDS:
            rounds.append(round)
    return tuple(rounds)


def rejected(head: str, verdicts: Iterable[ApprovalResult]) -> tuple[RejectedRound, ...]:
    """Return the rounds that a run adds. A judge that failed has rejected nothing."""
    return tuple(
        RejectedRound(verdict.approval_type, head[:_NAME])
        for verdict in verdicts
        if not verdict.failed and verdict.result != APPROVED
    )


def exhausted(handover: Handover) -> str:
    """Return why no further judge runs; "" if one may run.

    Rejections of the head itself count, since it may be pushed again. A person with the right to
    request a run gets another round.
    """
    if handover.is_requested:
        return ""
    numbers = Counter(item.approval_type for item in handover.carried.rounds)
    most = handover.policy.max_rounds
    for name, number in numbers.items():
        if number >= most:
            rounds = counted(number, "round")
            return f"{name} was rejected in {rounds} (policy.max_rounds: {most})"
    return ""
