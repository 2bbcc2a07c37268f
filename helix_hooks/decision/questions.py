"""Questions to a person that no verdict answers: from the autonomy level, and about protected
files. Pure.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..config.policy import CRITICAL, category

_NAMED = 3
"""Maximum number of paths in a line."""


class PolicyQuestion(NamedTuple):
    """A question to a person, with its category.

    `about` is an approval type, "" for the change as a whole.
    """

    question: str
    category: str
    about: str = ""

    @property
    def text(self) -> str:
        """The question with its approval type."""
        if not self.about:
            return self.question
        return f"{self.about}: {self.question}"


def of_protected(paths: tuple[str, ...], left_out: int = 0) -> tuple[PolicyQuestion, ...]:
    """Return the question about changed paths that are protected.

    `left_out` is the number of such paths that `paths` omits.
    """
    if not paths:
        return ()
    text = f"the change touches protected paths: {few(paths, left_out)}"
    return (PolicyQuestion(text, CRITICAL),)


def of_autonomy(level: str, actions: Iterable[tuple[str, str]]) -> tuple[PolicyQuestion, ...]:
    """Return the questions about approval types, each with the action that requires a person."""
    return tuple(_about_action(level, name, action) for name, action in actions)


def _about_action(level: str, name: str, action: str) -> PolicyQuestion:
    question = f"autonomy {level} requires a person for this {action.replace('_', ' ')}"
    return PolicyQuestion(question, category(action), name)


def few(paths: tuple[str, ...], left_out: int = 0) -> str:
    """Return the first paths as one line, and the number of the others."""
    listed = ", ".join(paths[:_NAMED])
    others = max(0, len(paths) - _NAMED) + left_out
    if not others:
        return listed
    return f"{listed}, and {others} more"
