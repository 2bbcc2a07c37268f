"""The text that an editor shows over the id of an ADR."""

from collections.abc import Iterable

from ..report import graph
from ..report.adr_table import DatedEntry
from ..text.sanitize import code, inline, without_tokens

_LONGEST = 300


def hover_text(adr: DatedEntry, successors: Iterable[DatedEntry]) -> str:
    """Return title, status, date and path of an ADR in Markdown, and what supersedes it."""
    entry = adr.entry
    status = entry.status or _cut(entry.status_text) or "no status"
    facts = [inline(status), *([inline(_cut(adr.date))] if adr.date else [])]
    lines = [f"**{_named(adr)}**", f"{' · '.join(facts)} · {code(entry.path)}"]
    lines += [f"Superseded by {_named(other)} ({code(other.entry.path)})" for other in successors]
    return "\n\n".join(lines)


def _named(adr: DatedEntry) -> str:
    """Return the short name of an ADR and its title, with the number once."""
    parts = (graph.name(adr.entry), _cut(graph.title(adr.entry)))
    return ": ".join(inline(part) for part in parts if part)


def _cut(text: str) -> str:
    """Return the beginning of a text. Tokens are masked first: a part of one has no known form."""
    return without_tokens(text)[:_LONGEST]
