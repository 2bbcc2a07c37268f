"""The queue for programs, version 1; docs/json.md describes its fields."""

from ..config.policy import Deciders
from ..waiting.entry import ChangedDocument, EntryDetail, Queue, QueueEntry, Viewer
from ..waiting.right import is_turn, refusal
from .flow_json import finding_fields
from .json import dumped

VERSION = 1


def as_json(queue: Queue, viewer: Viewer) -> str:
    """Return the entries in their order as JSON."""
    return dumped(payload(queue, viewer), sum(len(item.findings) for item in queue.entries))


def payload(queue: Queue, viewer: Viewer) -> dict[str, object]:
    """Return the queue as a JSON value."""
    return {
        "version": VERSION,
        "now": queue.now,
        "viewer": {"name": viewer.name, "login": viewer.login or None},
        "entries": [entry(item, viewer) for item in queue.entries],
        "partial": list(queue.partial),
        "not_shown": {
            "other_projects": dict(queue.not_shown.other_projects),
            "filtered": queue.not_shown.filtered,
            "sources": list(queue.not_shown.sources),
        },
    }


def detail_json(detail: EntryDetail, viewer: Viewer, now: int) -> str:
    """Return one entry with its documents as JSON. `now` is in seconds since 1970."""
    value = {
        "version": VERSION,
        "now": now,
        "entry": entry(detail.entry, viewer),
        "documents": [_document(item) for item in detail.documents],
        "left_out": list(detail.left_out),
    }
    return dumped(value, len(detail.entry.findings))


def entry(item: QueueEntry, viewer: Viewer) -> dict[str, object]:
    """Return an entry as a value of JSON."""
    return {
        "id": item.id,
        "source": item.source,
        "project": item.project,
        "title": item.title,
        "category": item.category,
        "action": item.action or None,
        "state": item.state,
        "turn": item.turn,
        "your_turn": is_turn(viewer, item),
        "refused": refusal(viewer, item) or None,
        "asked_by": item.asked_by,
        "asked_at": item.asked_at,
        "due_at": item.due_at or None,
        "reasons": list(item.reasons),
        "ways_on": list(item.ways_on),
        "url": item.url or None,
        "who_may_decide": _deciders(item.deciders),
        "needs_login": item.needs_login,
        "excluded": list(item.excluded),
        "escalated_to": list(item.escalated_to),
        "head": item.head or None,
        "approvals": item.approvals,
        "approved_by": list(item.approved_by),
        "minimum": item.minimum,
        "needs_override": item.needs_override,
        "invalidated": list(item.invalidated),
        "recommendation": item.recommendation._asdict(),
        "files": list(item.files),
        "impact": item.impact,
        "description": item.description,
        "findings": [finding_fields(finding) for finding in item.findings],
        "cost_usd": round(item.cost_usd, 6),
    }


def _deciders(deciders: Deciders) -> dict[str, object]:
    return {
        "minimum": deciders.minimum,
        "roles": list(deciders.roles),
        "users": list(deciders.users),
        "teams": list(deciders.teams),
        "sole_maintainer": deciders.sole or None,
        "delegates": [item.as_json for item in deciders.delegates],
    }


def _document(item: ChangedDocument) -> dict[str, object]:
    return {"path": item.path, "before": item.before, "after": item.after}
