"""The queue for programs, version 1; docs/api.md describes its fields. Pure."""

from .. import codec
from ..config.policy import Deciders
from ..phases.run_json import finding_fields
from ..text import dumped
from .entry import EntryDetail, Queue, QueueEntry, Viewer
from .right import is_turn, refusal

VERSION = 1
_INTERNAL = ("asked_by_login", "attempt", "deciders", "requester")
_MAY_BE_NULL = ("action", "due_at", "handed_to", "head", "url")


def as_json(queue: Queue, viewer: Viewer) -> str:
    """Return the entries in their order as JSON."""
    value = {
        "version": VERSION,
        "now": queue.now,
        "viewer": {"name": viewer.name, "login": viewer.login or None},
        "entries": [_entry(item, viewer) for item in queue.entries],
        "partial": list(queue.partial),
        "not_shown": {
            "other_projects": dict(queue.not_shown.other_projects),
            "filtered": queue.not_shown.filtered,
            "sources": list(queue.not_shown.sources),
        },
    }
    return dumped(value)


def detail_json(detail: EntryDetail, viewer: Viewer, now: int) -> str:
    """Return one entry with its documents as JSON. `now` is in seconds since 1970."""
    value = {
        "version": VERSION,
        "now": now,
        "entry": _entry(detail.entry, viewer),
        "documents": codec.plain(detail.documents),
        "left_out": list(detail.left_out),
    }
    return dumped(value)


def _entry(item: QueueEntry, viewer: Viewer) -> dict[str, object]:
    fields = {name: value for name, value in item._asdict().items() if name not in _INTERNAL}
    fields |= {name: fields[name] or None for name in _MAY_BE_NULL}
    return {
        **fields,
        "your_turn": is_turn(viewer, item),
        "refused": refusal(viewer, item) or None,
        "who_may_decide": _deciders(item.deciders),
        "recommendation": item.recommendation._asdict(),
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
