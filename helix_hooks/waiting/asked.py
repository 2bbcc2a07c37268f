"""The output of `ask`: the decision of a request, or the commands that decide it."""

from collections.abc import Iterator
from typing import NamedTuple

from ..config.policy import duration
from ..text import at_line_start, dumped, moment, printable
from ..text.table import table
from .request import (
    APPROVED,
    AUTO_APPROVED,
    BLOCKED,
    EXPIRED,
    PENDING,
    REJECTED,
    WITHDRAWN,
    ApprovalRequest,
    request_json,
)
from .talk import question

VERSION = 1
_DECISIONS = {
    PENDING: PENDING,
    APPROVED: APPROVED,
    AUTO_APPROVED: APPROVED,
    REJECTED: REJECTED,
    EXPIRED: BLOCKED,
    WITHDRAWN: WITHDRAWN,
}
EXIT_CODES = {APPROVED: 0, REJECTED: 1, BLOCKED: 1, WITHDRAWN: 1, PENDING: 4}
"""The exit code of each decision: only an approval is 0."""

_SHORT = 8
"""Characters of the id in command lines, as in `git log --oneline`."""


class AskedRequest(NamedTuple):
    """A request and the address of its page; "" without a page."""

    request: ApprovalRequest
    url: str = ""

    @property
    def decision(self) -> str:
        """The decision for the requester: approved, rejected, blocked, withdrawn or pending."""
        return _DECISIONS[self.request.status]

    @property
    def ways(self) -> tuple[tuple[str, str], ...]:
        """The commands that approve and reject the request; empty if it is not pending."""
        if self.decision != PENDING:
            return ()
        short = self.request.id[:_SHORT]
        return (
            ("approve", f"helix-hooks queue approve {short}"),
            ("reject", f"helix-hooks queue reject {short} --reason TEXT"),
        )


def render(asked: AskedRequest, format: str) -> str:
    """Return a request as text, or as JSON of version 1."""
    request = asked.request
    if format == "json":
        ways = dict(asked.ways)
        value = {
            "version": VERSION,
            "decision": asked.decision,
            "request": request_json(request),
            "approve": ways.get("approve"),
            "reject": ways.get("reject"),
            "url": asked.url or None,
        }
        return dumped(value)
    head = at_line_start(f"{asked.decision}  {printable(request.title, 200)}")
    facts = _pending(asked) if asked.decision == PENDING else _decided(request)
    rows = [("id", request.id), *facts]
    return "".join(f"{line}\n" for line in (head, *table(rows, indent=2)))


def _pending(asked: AskedRequest) -> Iterator[tuple[str, str]]:
    request = asked.request
    yield "category", f"{request.category}: {printable(request.why, 300)}"
    if note := question(request):
        yield "question", f"{note.by.in_words}: {printable(note.text, 1000)}"
        yield "reply", f"helix-hooks queue reply {request.id[:_SHORT]} --text TEXT"
    yield from asked.ways
    if asked.url:
        yield "page", asked.url
    if request.due_at:
        yield "deadline", moment(request.due_at)


def _decided(request: ApprovalRequest) -> Iterator[tuple[str, str]]:
    by = "nobody"
    if request.status == WITHDRAWN:
        by = request.notes[-1].by.in_words
    elif request.status not in (EXPIRED, AUTO_APPROVED):
        is_approval = request.status == APPROVED
        names = [vote.by.in_words for vote in request.votes if vote.approves is is_approval]
        by = printable(", ".join(names), 300)
    yield "by", by
    if request.comment:
        yield "reason", printable(request.comment, 1000)
    # Negative if the clock was set back between request and decision.
    seconds = max(request.decided_at - request.requested_at, 0)
    yield "after", f"{seconds} s" if seconds < 60 else duration(seconds // 60 * 60)
