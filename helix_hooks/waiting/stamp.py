"""A hash of the content of an entry, which ties an answer to that content. Pure."""

import hashlib
import json
import re

from .entry import FLOW, PULL_REQUEST, REQUEST, QueueEntry

_CHARACTERS = 16
_SHORT, _SHORT_COMMIT = 8, 12
_MARKED = re.compile(r"(.+)@([0-9a-f]{7,40})", re.DOTALL)


def stamp(entry: QueueEntry) -> str:
    """Return the hash of an entry's question and content; answers of others do not change it."""
    parts = (
        entry.id,
        entry.source,
        entry.project,
        entry.title,
        entry.category,
        entry.action,
        entry.asked_by,
        entry.asked_at,
        entry.attempt,
        entry.head,
        entry.description,
        entry.impact,
        entry.files,
        entry.recommendation,
        [finding.message for finding in entry.findings],
        entry.notes,
    )
    text = json.dumps(parts, default=str)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:_CHARACTERS]


def marked(entry: QueueEntry) -> str:
    """Return the id of an entry with a mark of its content: ID@COMMIT, or ID@HASH."""
    if entry.source == PULL_REQUEST and entry.head:
        return f"{entry.id}@{entry.head[:_SHORT_COMMIT]}"
    if entry.source in (FLOW, REQUEST):
        return f"{written_id(entry)}@{stamp(entry)[:_SHORT]}"
    return entry.id


def written_id(entry: QueueEntry) -> str:
    """Return the id of an entry in command lines: for a request, the first digits of its UUID."""
    return entry.id[:_SHORT] if entry.source == REQUEST else entry.id


def unmarked(name: str) -> tuple[str, str]:
    """Split a written id into the id and its mark, "" for no mark."""
    match = _MARKED.fullmatch(name)
    if not match:
        return name, ""
    return match[1], match[2]


def is_as_marked(entry: QueueEntry, mark: str) -> bool:
    """Return whether the content of an entry matches a mark."""
    return entry.head.startswith(mark) or stamp(entry).startswith(mark)
