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
    """A reason for a state: its text, and the next step (`way_out`).

    In a question to a person, `category` is why it is asked, `about` the approval type ("" for the
    change as a whole), and `due` the deadline, in seconds since 1970 (0 for none). `by` are logins:
    of those who approved or objected, or whose vote was changed. `finding` is the part of `text`
    that is the text of a finding.
    """

    state: str
    text: str
    way_out: str = ""
    category: str = ""
    about: str = ""
    due: int = 0
    by: tuple[str, ...] = ()
    finding: str = ""

    @property
    def is_question(self) -> bool:
        """Return whether an approval may answer it; a failed judge can be replaced, a step not."""
        return self.state == PENDING or (self.state == FAILED and bool(self.category))


def worst(states: list[str]) -> str:
    """Return the worst of several states."""
    return min(states, key=_ORDER.index)
