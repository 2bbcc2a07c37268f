"""The question of a decider to the requester, its reply, and the withdrawal of a request. Pure.

While the requester must reply, the clock of the deadline stops.
"""

from ..errors import UsageError
from ..phases.run_state import Decider
from .request import PENDING, WITHDRAWN, ApprovalRequest, Asker, Note
from .trail import ASKED_BACK, HANDED_OVER, REPLIED
from .trail import WITHDRAWN as WITHDRAWN_EVENT


def noted(request: ApprovalRequest, kind: str, note: Note, to: str = "") -> ApprovalRequest:
    """Return a request after a note; `kind` is that of its event.

    A note is a question, a reply, a withdrawal, or a hand-over to the login `to`.

    Raises:
        UsageError: The request was decided, or nobody has asked anything.
    """
    if request.status != PENDING:
        raise UsageError(f"request {request.id} is {request.status}, so nothing changes")
    notes = (*request.notes, note)
    if kind == WITHDRAWN_EVENT:
        return request._replace(
            status=WITHDRAWN, notes=notes, decided_at=note.at, comment=note.text
        )
    if kind in (ASKED_BACK, HANDED_OVER) and request.asked_back_at:
        raise UsageError(f"the requester of {request.id} must reply to another question first")
    if kind == HANDED_OVER:
        return request._replace(notes=notes, handed_to=to)
    if kind == ASKED_BACK:
        return request._replace(notes=notes, asked_back_at=note.at)
    if kind != REPLIED or not request.asked_back_at:
        raise UsageError(f"nobody has asked the requester of {request.id} anything")
    stopped = max(note.at - request.asked_back_at, 0)
    return request._replace(
        notes=notes,
        votes=(),  # those who have approved before have not seen the reply
        asked_back_at=0,
        stopped=request.stopped + stopped,
        expires_at=request.expires_at and request.expires_at + stopped,
    )


def question(request: ApprovalRequest) -> Note | None:
    """Return the question that the requester must answer, None for none."""
    return request.notes[-1] if request.asked_back_at and request.notes else None


def speaker(request: ApprovalRequest, asker: Asker) -> Decider:
    """Return who speaks for the requester of a request.

    A request of a login that GitHub confirmed is that login's, or the user's for whom a bot asked.
    Nobody can tell who else asked, so anyone who can ask in the clone may speak for them: a reply
    approves nothing.

    Raises:
        UsageError: The request is of another login.
    """
    requester = request.requested_by
    if requester.verified:
        names = [name.casefold() for name in (requester.name, requester.on_behalf_of) if name]
        if not asker.verified or asker.name.casefold() not in names:
            raise UsageError(f"only @{requester.name} can speak for this request")
    return Decider(asker.name, verified=asker.verified)
