"""Questions to a person that no verdict answers: from the level of autonomy, and about protected
files. Pure.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..config.autonomy import CRITICAL, category

_NAMED = 3


class PolicyQuestion(NamedTuple):
    """A question to a person, with its category; `about` is an approval type, "" for the change as
    a whole.
    """

    question: str
    category: str
    about: str = ""

    @property
    def text(self) -> str:
        """The question with the approval type that it is about."""
        return f"{self.about}: {self.question}" if self.about else self.question


def of_protected(paths: tuple[str, ...], left_out: int = 0) -> tuple[PolicyQuestion, ...]:
    """Return the question about changed paths that are protected.

    `left_out` more are not among `paths`.
    """
    if not paths:
        return ()
    return (
        PolicyQuestion(f"the change touches what is protected: {few(paths, left_out)}", CRITICAL),
    )


def of_autonomy(level: str, actions: Iterable[tuple[str, str]]) -> tuple[PolicyQuestion, ...]:
    """Return the questions about approval types, each with the action for which a person is
    asked.
    """
    return tuple(_about_action(level, name, action) for name, action in actions)


def _about_action(level: str, name: str, action: str) -> PolicyQuestion:
    question = f"autonomy {level} asks a person about this {action.replace('_', ' ')}"
    return PolicyQuestion(question, category(action), name)


def few(paths: tuple[str, ...], left_out: int = 0) -> str:
    """Return some paths for a line, and the number of the others."""
    others = max(0, len(paths) - _NAMED) + left_out
    more = f", and {others} more" if others else ""
    return f"{', '.join(paths[:_NAMED])}{more}"
