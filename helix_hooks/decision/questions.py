"""Questions to a person that no verdict answers: from the level of autonomy, and about protected files. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from ..config.autonomy import CRITICAL, EXPERTISE, MILESTONE, ROUTINE, UNCERTAINTY, category
from ..verdict.verdict import APPROVED
from .judged import PENDING, Decision

_NAMED = 3
_BY_WEIGHT = (CRITICAL, UNCERTAINTY, EXPERTISE, MILESTONE, ROUTINE)
"""Categories, first those that no deadline approves."""


class Asked(NamedTuple):
    """A question to a person, with its category; `about` is an approval type, "" for the change as a whole."""

    what: str
    category: str
    about: str = ""

    @property
    def text(self) -> str:
        return f"{self.about}: {self.what}" if self.about else self.what


def of_protected(paths: tuple[str, ...], left_out: int = 0) -> tuple[Asked, ...]:
    """The question about changed paths that are protected, with the number of those that are not among them."""
    return (Asked(f"the change touches what is protected: {few(paths, left_out)}", CRITICAL),) if paths else ()


def of_autonomy(level: str, actions: Iterable[tuple[str, str]]) -> tuple[Asked, ...]:
    """The questions about approval types, each with the action for which the level asks a person."""
    return tuple(Asked(f"autonomy {level} asks a person about this {action.replace('_', ' ')}", category(action), name) for name, action in actions)


def few(paths: tuple[str, ...], left_out: int = 0) -> str:
    """Some paths for a line, and the number of the others."""
    others = max(0, len(paths) - _NAMED) + left_out
    more = f", and {others} more" if others else ""
    return f"{', '.join(paths[:_NAMED])}{more}"


def capped(decision: Decision, asked: Iterable[Asked], named: bool = True) -> Decision:
    """A decision that is no better than pending while a person is asked; `named` says of each question which type it is about."""
    questions = [*asked]
    if not questions or decision.state not in (APPROVED, PENDING):
        return decision
    kept = decision.reasons if decision.state == PENDING else ()
    categories = {decision.category, *(item.category for item in questions)}
    worst = next(category for category in _BY_WEIGHT if category in categories)
    return Decision(PENDING, (*kept, *(item.text if named else item.what for item in questions)), worst)
