"""A hash of what a decider reads of an entry, by which a form says what it was about."""

import hashlib
import json

from ..waiting.entry import QueueEntry

_CHARACTERS = 16


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
        entry.head,
        entry.description,
        entry.impact,
        entry.files,
        entry.recommendation,
        [finding.message for finding in entry.findings],
    )
    text = json.dumps(parts, default=str)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:_CHARACTERS]
