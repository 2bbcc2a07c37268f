"""The text about the decisions that govern some files: for a person, and for a model."""

from collections.abc import Collection, Iterator

from ..text import counted, listed, printable
from .base_decisions import BaseDecisions
from .governing import Governing

BUDGET = 1_600
"""Characters of a text, by default."""


def decisions_text(decisions: BaseDecisions, files: Collection[str], budget: int) -> str:
    """Return the decisions, the strongest first, and a line with those that do not fit.

    The first one is shown whatever the budget is.
    """
    if not decisions.governing:
        names = listed([printable(file) for file in files])
        read = counted(decisions.accepted, "accepted ADR")
        return f"no accepted ADR of {printable(decisions.base)} names {names} ({read} read)\n"
    shown = ""
    waiting = list(decisions.governing)
    while waiting:
        block = _block(waiting[0])
        left = _left(waiting[1:])
        if shown and len(shown) + len(block) + len(left) > budget:
            break
        shown += block
        waiting.pop(0)
    return shown + _left(waiting)


def doubts(decisions: BaseDecisions) -> Iterator[str]:
    """Yield a line for each reason why decisions may be missing."""
    if decisions.undecided:
        number = counted(decisions.undecided, "ADR")
        yield f"{number} of {decisions.base} without a known status: not counted as accepted"
    if decisions.unread:
        names = listed([printable(path) for path in decisions.unread])
        yield f"{names} can't be read at {decisions.base}, so decisions may be missing"


def _left(waiting: list[Governing]) -> str:
    """Return a line that names the decisions which are not shown."""
    names = [_name(item) for item in waiting]
    return f"not shown: {listed(names, 10)}\n" if names else ""


def _name(item: Governing) -> str:
    id = item.decision.id
    return f"ADR-{id}" if id[:1].isdigit() else id


def _block(item: Governing) -> str:
    return "".join(f"{printable(line)}\n" for line in _lines(item))


def _lines(item: Governing) -> Iterator[str]:
    decision = item.decision
    yield f"{_name(item)}: {decision.title} ({decision.path})"
    yield f"  {decision.sentence}"
    if decision.rejected:
        yield f"  rejected: {'; '.join(decision.rejected)}"
    yield f"  governs {', '.join(f'{one.file} ({one.way}: {one.by})' for one in item.files)}"
