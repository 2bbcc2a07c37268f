"""The states of a decision, with check conclusion and exit code, and the reasons for them. Pure."""

from typing import NamedTuple

APPROVED, REJECTED, PENDING, FAILED, BROKEN, MOVED, BLOCKED = (
    "approved",
    "rejected",
    "pending",
    "failed",
    "broken",
    "moved",
    "blocked",
)
CONCLUSIONS = {
    APPROVED: "success",
    REJECTED: "failure",
    BLOCKED: "failure",
    PENDING: "action_required",
    FAILED: "failure",
    BROKEN: "failure",
    MOVED: "cancelled",
}
"""Never neutral, never skipped: GitHub accepts both for a required check (docs.github.com,
"Troubleshooting required status checks").
"""

EXIT_CODES = {APPROVED: 0, REJECTED: 1, BLOCKED: 1, BROKEN: 2, FAILED: 3, MOVED: 3, PENDING: 4}
_ORDER = (BROKEN, MOVED, FAILED, REJECTED, BLOCKED, PENDING, APPROVED)
"""From worst to best."""


class Reason(NamedTuple):
    """A reason for a state. `category`, `about` and `due` belong to a question to a person."""

    state: str
    text: str
    way_out: str = ""
    """The next step for a person."""
    category: str = ""
    """The category of the question, such as expertise."""
    about: str = ""
    """The approval type, "" for the change as a whole."""
    due: int = 0
    """The deadline in seconds since 1970, 0 for none."""
    by: tuple[str, ...] = ()
    """The logins of those who approved or objected, or whose vote was changed."""
    finding: str = ""
    """The part of `text` that is the text of a finding."""

    @property
    def is_question(self) -> bool:
        """Return whether a person's approval can resolve it.

        It can replace a failed judge, but not a failed step.
        """
        return self.state == PENDING or (self.state == FAILED and bool(self.category))


def worst(states: list[str]) -> str:
    """Return the worst of several states."""
    return min(states, key=_ORDER.index)
