"""The title of a run: its state, and who must act next. Pure."""

from ..decision.decide import Decision
from ..decision.handover import BASE, CHANGE, Handover
from ..decision.states import APPROVED, BLOCKED, BROKEN, FAILED, MOVED, PENDING, REJECTED
from ..decision.whose import whose
from ..text import counted, plain
from ..verification.result import UNMET

LONGEST = 60
"""Maximum characters of a title: a phone shows no more of it in the list of checks."""

_NAMED = 2
"""Maximum number of people or pull requests that a title names."""

_PLAIN = {
    PENDING: "Waiting: action required",
    MOVED: "Superseded by a newer run",
    BLOCKED: "Deadline passed: ask again with /helix review",
}


def title(handover: Handover, decision: Decision) -> str:
    """Return the state and who must act next, for the list of checks."""
    text = plain(_title(decision.handover or handover, decision))
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 1]}…"


def _title(handover: Handover, decision: Decision) -> str:
    first = decision.reasons[0]
    if decision.state == APPROVED:
        return _approved(handover, decision)
    if first.text.startswith("see #"):  # another pull request at this commit
        return f"Not approved: {first.text}"
    if decision.state == REJECTED:
        return _rejected(handover, decision)
    if decision.asked:
        return _asking(handover, decision)
    if decision.state == FAILED:
        return _failed(decision)
    if decision.state == BROKEN:
        return _broken(handover)
    return _without_question(handover, decision)


def _without_question(handover: Handover, decision: Decision) -> str:
    if decision.state != PENDING:
        return _PLAIN[decision.state]
    if decision.reasons[0].by:
        return f"Waiting for @{decision.reasons[0].by[0]}: a reason for the objection"
    if handover.target.merges:
        return f"Not approved: take {_to_take_out(handover, decision)} out of the queue"
    return _PLAIN[PENDING]


def _to_take_out(handover: Handover, decision: Decision) -> str:
    """Return the pull requests that block a group; "it" if the group has no other."""
    words = [reason.text.partition(" ")[0] for reason in decision.reasons]
    numbers = [word for word in words if word.startswith("#")]
    if len(handover.group) < _NAMED or not numbers:
        return "it"
    if len(numbers) > _NAMED:
        return f"{numbers[0]} and {len(numbers) - 1} more"
    return " and ".join(numbers)


def _broken(handover: Handover) -> str:
    sides = {item.side for item in handover.broken}
    if BASE in sides:
        return "Settings of the base are broken: repair them first"
    if CHANGE in sides:
        return "Author to fix: the change breaks the settings"
    return "Settings are broken: repair them first"


def _asking(handover: Handover, decision: Decision) -> str:
    deciders = handover.deciders
    if decision.state != FAILED:
        return f"Waiting for {whose(deciders)}: {_questions(decision)}"
    verb = "decide" if deciders.minimum > 1 else "decides"
    return f"No verdict: {whose(deciders)} {verb}"


def _failed(decision: Decision) -> str:
    first = decision.reasons[0]
    if first.by and first.state == REJECTED:
        return f"No verdict, changes requested by @{first.by[0]}"
    if first.by:
        return f"Vote changed: @{first.by[0]} votes again"
    if any(reason.is_question for reason in decision.reasons):
        return "No verdict: ask the judge again"
    return "No result: run it again"


def _approved(handover: Handover, decision: Decision) -> str:
    names: dict[str, None] = {}
    for reason in decision.reasons:
        names |= dict.fromkeys(f"@{name}" for name in reason.by)
    if len(names) > _NAMED:
        return f"Approved by {next(iter(names))} and {len(names) - 1} more"
    if names:
        return f"Approved by {' and '.join(names)}"
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
    return f"Author to fix: {_not_implemented(handover) or first.text}"


def _not_implemented(handover: Handover) -> str:
    names = [item.name for item in handover.claimed if item.blocks and item.state == UNMET]
    if not names:
        return ""
    if len(names) > 1:
        return f"{len(names)} ADRs are not implemented"
    return f"{names[0]} is not implemented"


def _questions(decision: Decision) -> str:
    types = dict.fromkeys(reason.about for reason in decision.asked)
    if len(types) == 1 and "" not in types:
        return f"approve {next(iter(types))}"
    return counted(len(decision.asked), "question")
