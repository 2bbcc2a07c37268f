"""A request after it was asked: its decision, or how it is decided."""

from typing import NamedTuple

from ..config.policy import duration
from ..text.moment import moment
from ..text.sanitize import at_line_start, printable
from ..waiting.request import (
    APPROVED,
    AUTO_APPROVED,
    BLOCKED,
    EXPIRED,
    PENDING,
    REJECTED,
    ApprovalRequest,
)
from ..waiting.request_json import request_json
from .json import dumped

VERSION = 1
_DECISIONS = {
    PENDING: PENDING,
    APPROVED: APPROVED,
    AUTO_APPROVED: APPROVED,
    REJECTED: REJECTED,
    EXPIRED: BLOCKED,
}
EXIT_CODES = {APPROVED: 0, REJECTED: 1, BLOCKED: 1, PENDING: 4}
"""The exit code of each decision: only an approval is 0."""

_SHORT = 8
"""Characters of the id in command lines, as in `git log --oneline`."""


class AskedRequest(NamedTuple):
    """A request, and the address of its page, "" for none."""

    request: ApprovalRequest
    url: str = ""

    @property
    def decision(self) -> str:
        """The decision that the asker gets: approved, rejected, blocked, or pending."""
        return _DECISIONS[self.request.status]

    @property
    def ways(self) -> tuple[tuple[str, str], ...]:
        """Lines that approve and reject the request, while it is pending."""
        if self.decision != PENDING:
            return ()
        short = self.request.id[:_SHORT]
        return (
            ("approve", f"helix-hooks queue approve {short}"),
            ("reject", f"helix-hooks queue reject {short} --reason TEXT"),
        )


def render(asked: AskedRequest, format: str) -> str:
    """Return a request as text, or as JSON with the version 1."""
    if format == "json":
        ways = dict(asked.ways)
        value = {
            "version": VERSION,
            "decision": asked.decision,
            "request": request_json(asked.request),
            "approve": ways.get("approve"),
            "reject": ways.get("reject"),
            "url": asked.url or None,
        }
        return dumped(value, 0)
    return "".join(f"{line}\n" for line in _lines(asked))


def _lines(asked: AskedRequest) -> list[str]:
    request = asked.request
    head = f"{asked.decision}  {printable(request.title, 200)}"
    lines = [at_line_start(head), f"  id        {request.id}"]
    if asked.decision == PENDING:
        lines.append(f"  category  {request.category}: {printable(request.why, 300)}")
        lines += [f"  {name:<8}  {way}" for name, way in asked.ways]
        lines += [f"  page      {printable(asked.url)}"] if asked.url else []
        lines += [f"  deadline  {moment(request.expires_at)}"] if request.expires_at else []
        return lines
    lines += [f"  by        {_by(request)}"]
    lines += [f"  reason    {printable(request.comment, 1000)}"] if request.comment else []
    lines.append(f"  after     {_after(request)}")
    return lines


def _by(request: ApprovalRequest) -> str:
    if request.status in (EXPIRED, AUTO_APPROVED):
        return "nobody"
    side = request.status == APPROVED
    names = [vote.by.in_words for vote in request.votes if vote.approves is side]
    return printable(", ".join(names), 300)


def _after(request: ApprovalRequest) -> str:
    seconds = request.decided_at - request.requested_at
    return duration(seconds // 60 * 60) if seconds >= 60 else f"{max(seconds, 0)} s"
