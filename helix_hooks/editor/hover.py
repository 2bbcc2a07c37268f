"""The text that an editor shows over the id of an ADR."""

from collections.abc import Iterable

from ..report.adr_table import DatedEntry
from ..text.sanitize import code, inline

_LONGEST_TITLE = 300


def hover_text(adr: DatedEntry, successors: Iterable[DatedEntry]) -> str:
    """Return title, status, date and path of an ADR in Markdown, and what supersedes it."""
    entry = adr.entry
    status = entry.status or entry.status_text[:_LONGEST_TITLE] or "no status"
    facts = [inline(status), *([inline(adr.date[:_LONGEST_TITLE])] if adr.date else [])]
    lines = [f"**{_named(adr)}**", f"{' · '.join(facts)} · {code(entry.path)}"]
    lines += [f"Superseded by {_named(other)} ({code(other.entry.path)})" for other in successors]
    return "\n\n".join(lines)


def _named(adr: DatedEntry) -> str:
    entry = adr.entry
    title = inline(entry.title[:_LONGEST_TITLE])
    return title if not entry.id or entry.id in entry.title else f"{inline(entry.id)}: {title}"
