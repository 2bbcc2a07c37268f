"""The text about the decisions that govern some files: for a person, and for a model."""

from collections.abc import Collection, Iterator, Sequence

from ..text import counted, listed, printable
from .base_decisions import BaseDecisions
from .governing import BindingDecision, Governing

BUDGET = 1_600
"""Characters of a text, by default."""
_LONGEST_TITLE = 120
_OTHERS = "accepted too, without naming a file here; they may apply:\n"
_MORE = "  and {} more\n"


def decisions_text(decisions: BaseDecisions, files: Collection[str], budget: int) -> str:
    """Return the decisions, the strongest first, and a line with those that do not fit.

    The first one is shown whatever the budget is. The titles of the other accepted decisions
    follow, as many as fit.
    """
    shown = ""
    if not decisions.governing:
        names = listed([printable(file) for file in files])
        read = counted(decisions.accepted, "accepted ADR")
        shown = f"no accepted ADR of {printable(decisions.base)} names {names} ({read} read)\n"
    waiting = list(decisions.governing)
    while waiting:
        block = _block(waiting[0])
        left = _left(waiting[1:])
        if shown and len(shown) + len(block) + len(left) > budget:
            break
        shown += block
        waiting.pop(0)
    shown += _left(waiting)
    return shown + titles(decisions.others, budget - len(shown))


def titles(decisions: Sequence[BindingDecision], budget: int) -> str:
    """Return the titles of decisions that name no file, as many as fit, and how many do not."""
    lines: list[str] = []
    left = budget - len(_OTHERS) - len(_MORE)
    for item in decisions:
        line = f"  {printable(f'{item.name}: {item.title}', _LONGEST_TITLE)}\n"
        left -= len(line)
        if left < 0:
            break
        lines.append(line)
    more = len(decisions) - len(lines)
    if not lines:
        return ""
    return f"{_OTHERS}{''.join(lines)}{_MORE.format(more) if more else ''}"


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
    names = [item.decision.name for item in waiting]
    return f"not shown: {listed(names, 10)}\n" if names else ""


def _block(item: Governing) -> str:
    return "".join(f"{printable(line)}\n" for line in _lines(item))


def _lines(item: Governing) -> Iterator[str]:
    decision = item.decision
    yield f"{decision.name}: {decision.title} ({decision.path})"
    yield f"  {item.sentence}"
    if decision.rejected:
        yield f"  rejected: {'; '.join(decision.rejected)}"
    yield f"  governs {', '.join(f'{one.file} ({one.way}: {one.by})' for one in item.files)}"
