"""The title of a run: its state and who must act next, in a few words. Pure.

It is shown in the list of checks, on top of the summary comment, in answers, logs and the queue.
"""

from ..decision.decide import Decision
from ..decision.handover import BASE, CHANGE, Handover
from ..decision.states import APPROVED, BLOCKED, BROKEN, FAILED, MOVED, PENDING, REJECTED
from ..decision.who_may import whose
from ..text import counted, plain
from ..verification.result import UNMET

LONGEST = 60
"""Maximum characters of a title: a phone shows no more of it in the list of checks."""

_MOST_NAMES = 2
"""Maximum number of people or pull requests that a title names."""

_PLAIN = {
    MOVED: "Superseded by a newer run",
    BLOCKED: "Deadline passed: ask again with /helix review",
}


def title(handover: Handover, decision: Decision) -> str:
    """Return the state and who must act next."""
    text = plain(_title(decision.handover or handover, decision))
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 1]}…"


def _title(handover: Handover, decision: Decision) -> str:
    state, first = decision.state, decision.reasons[0]
    if state == APPROVED:
        return _approved(handover, decision)
    if first.text.startswith("see #"):  # another pull request at this commit
        return f"Not approved: {first.text}"
    if state == REJECTED:
        return _rejected(handover, decision)
    if decision.asked:
        return _asking(handover, decision)
    if state == FAILED:
        return _failed(decision)
    if state == BROKEN:
        return _broken(handover)
    return _pending(handover, decision) if state == PENDING else _PLAIN[state]


def _approved(handover: Handover, decision: Decision) -> str:
    names = dict.fromkeys(f"@{name}" for reason in decision.reasons for name in reason.by)
    if names:
        return f"Approved by {_first_of([*names])}"
    if not handover.applies:
        return "Approved: no relevant changes"
    return "Approved by the judge" if handover.judged else "Approved: no judge was needed"


def _rejected(handover: Handover, decision: Decision) -> str:
    first = decision.reasons[0]
    if first.by:
        return f"Changes requested by @{first.by[0]}: author to fix"
    errors = sum(item.finding.severity == "error" for item in handover.findings)
    if errors:
        return f"Author to fix: {counted(errors, 'error')}"
    unmet = [item.name for item in handover.claimed if item.blocks and item.state == UNMET]
    if not unmet:
        return f"Author to fix: {first.text}"
    if len(unmet) > 1:
        return f"Author to fix: {len(unmet)} ADRs are not implemented"
    return f"Author to fix: {unmet[0]} is not implemented"


def _asking(handover: Handover, decision: Decision) -> str:
    deciders = handover.deciders
    if decision.state == FAILED:
        verb = "decide" if deciders.minimum > 1 else "decides"
        return f"No verdict: {whose(deciders)} {verb}"
    types = {reason.about for reason in decision.asked}
    question = counted(len(decision.asked), "question")
    if len(types) == 1 and "" not in types:
        question = f"approve {types.pop()}"
    return f"Waiting for {whose(deciders)}: {question}"


def _failed(decision: Decision) -> str:
    first = decision.reasons[0]
    if first.by and first.state == REJECTED:
        return f"No verdict, changes requested by @{first.by[0]}"
    if first.by:
        return f"Vote changed: @{first.by[0]} votes again"
    if any(reason.is_question for reason in decision.reasons):
        return "No verdict: ask the judge again"
    return "No result: run it again"


def _broken(handover: Handover) -> str:
    sides = {item.side for item in handover.broken}
    if BASE in sides:
        return "Settings of the base are broken: repair them first"
    if CHANGE in sides:
        return "Author to fix: the change breaks the settings"
    return "Settings are broken: repair them first"


def _pending(handover: Handover, decision: Decision) -> str:
    """Return what a change waits for, if it is no approval."""
    first = decision.reasons[0]
    if first.by:
        return f"Waiting for @{first.by[0]}: a reason for the objection"
    if not handover.target.merges:
        return "Waiting: action required"
    words = [reason.text.partition(" ")[0] for reason in decision.reasons]
    numbers = [word for word in words if word.startswith("#")]
    # A group of one needs no number.
    blocking = _first_of(numbers) if numbers and len(handover.group) > 1 else "it"
    return f"Not approved: take {blocking} out of the queue"


def _first_of(names: list[str]) -> str:
    """Return all names; of more than _MOST_NAMES the first, and the number of the others."""
    if len(names) > _MOST_NAMES:
        return f"{names[0]} and {len(names) - 1} more"
    return " and ".join(names)
