"""A request of an agent or a script as an entry of the queue. Pure."""

from .answering import approvals, minimum_of
from .entry import ESCALATED, REQUEST, WAITING, ProjectPolicy, QueueEntry, Recommendation
from .request import ApprovalRequest, Asker
from .talk import question

_SHORT = 8
"""Characters of the id in command lines, as in `git log --oneline`."""


def entry(request: ApprovalRequest, by: ProjectPolicy) -> QueueEntry:
    """Return the entry of a request that is pending."""
    asker, deciders = request.requested_by, by.policy.deciders
    needs_login = by.needs_login or asker.verified
    is_escalated = bool(request.escalated_at)
    requester = [asker.name] if asker.verified else []
    requester += filter(None, [asker.on_behalf_of])
    excluded = dict.fromkeys(filter(None, [asker.name, asker.on_behalf_of]))
    short = request.id[:_SHORT]
    return QueueEntry(
        id=request.id,
        source=REQUEST,
        project=by.project,
        repository=by.repository,
        title=request.title,
        category=request.category,
        state=ESCALATED if is_escalated else WAITING,
        turn=_turn(request, by, needs_login=needs_login),
        asked_by=_asked_by(asker),
        asked_at=request.requested_at,
        action=request.action,
        due_at=request.due_at,
        reasons=(request.why,) if request.why else (),
        ways_on=(
            f"helix-hooks queue approve {short}",
            f"helix-hooks queue reject {short} --reason TEXT",
            f"helix-hooks queue reply {short} --text TEXT"
            if request.asked_back_at
            else f"helix-hooks queue ask-back {short} --question TEXT",
        ),
        deciders=deciders,
        excluded=tuple(name for name in excluded if name.casefold() != deciders.sole.casefold()),
        escalated_to=request.expiry.to if is_escalated else (),
        approvals=approvals(request),
        minimum=minimum_of(request, by.policy),
        recommendation=_recommendation(request),
        files=request.context.files,
        impact=request.context.impact,
        description="\n\n".join(filter(None, (request.description, request.context.text))),
        notes=tuple(f"{note.by.in_words}: {note.text}" for note in request.notes),
        is_asked_back=bool(request.asked_back_at),
        requester=tuple(requester),
        needs_login=needs_login,
        asked_by_login=asker.verified,
        handed_to="" if is_escalated else request.handed_to,
        approved_by=tuple(vote.by.name for vote in request.votes if vote.approves),
    )


def _turn(request: ApprovalRequest, by: ProjectPolicy, *, needs_login: bool) -> str:
    if note := question(request):
        return f"Waiting for the reply of {_asked_by(request.requested_by)}: {note.text}"
    if request.escalated_at:
        return f"Escalated to {', '.join(request.expiry.to)}"
    if request.handed_to:
        return f"Waiting for @{request.handed_to}, by a hand-over"
    return f"Waiting for {by.whose(needs_login=needs_login)}"


def _asked_by(asker: Asker) -> str:
    name = f"@{asker.name}" if asker.verified else f"{asker.name or 'nobody'} (not verified)"
    agent = f" ({asker.agent})" if asker.agent else ""
    behalf = f" on behalf of @{asker.on_behalf_of}" if asker.on_behalf_of else ""
    return f"{name}{agent}{behalf}"


def _recommendation(request: ApprovalRequest) -> Recommendation:
    has_any = request.recommendation or request.reasoning or request.confidence is not None
    if not has_any:
        return Recommendation()
    return Recommendation(
        answer=request.recommendation,
        confidence=request.confidence,
        reasoning=request.reasoning,
        by=request.requested_by.agent or request.requested_by.name,
    )
