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
    number = fitting(decisions.governing, budget - len(shown))
    shown += "".join(map(_block, decisions.governing[:number]))
    shown += _left(decisions.governing[number:])
    return shown + titles(decisions.others, budget - len(shown))


def fitting(decisions: Sequence[Governing], budget: int) -> int:
    """Return how many decisions fit, with the names of the others; at least one of some."""
    size = 0
    for number, item in enumerate(decisions):
        size += len(_block(item))
        if number and size + len(_left(decisions[number + 1 :])) > budget:
            return number
    return len(decisions)


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


def _left(waiting: Sequence[Governing]) -> str:
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
