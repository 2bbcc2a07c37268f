"""The states that a run can come to, and what each rests on."""

from typing import NamedTuple

APPROVED, REJECTED, PENDING, FAILED, BROKEN, MOVED, BLOCKED = "approved", "rejected", "pending", "failed", "broken", "moved", "blocked"
CONCLUSIONS = {
    APPROVED: "success",
    REJECTED: "failure",
    BLOCKED: "failure",
    PENDING: "action_required",
    FAILED: "failure",
    BROKEN: "failure",
    MOVED: "cancelled",
}
"""Never neutral, never skipped: GitHub lets a required check of either pass (docs.github.com, "Troubleshooting required status checks")."""

EXIT_CODES = {APPROVED: 0, REJECTED: 1, BLOCKED: 1, BROKEN: 2, FAILED: 3, MOVED: 3, PENDING: 4}
_ORDER = (BROKEN, MOVED, FAILED, REJECTED, BLOCKED, PENDING, APPROVED)
"""From worst to best."""


class Reason(NamedTuple):
    """Something that a state rests on: what it is, and who can do what about it.

    Of what a person is asked, `category` says why, `about` which approval type ("" for the gate as a whole), and `due` when the answer is
    overdue, in seconds since 1970 (0 for never). `by` are logins: of those who approved or objected, or whose vote was changed.
    `finding` is the text of the finding that a person is asked about, as it stands in `what`.
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
        """Return whether an approval may answer it. A judge that failed is one (it has a category), a step that failed is none."""
        return self.state == PENDING or (self.state == FAILED and bool(self.category))


def worst(states: list[str]) -> str:
    return min(states, key=_ORDER.index)
