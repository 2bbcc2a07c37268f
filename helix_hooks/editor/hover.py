"""The text that an editor shows over a mention of an ADR."""

from collections.abc import Iterable

from ..report import graph
from ..report.adr_table import DatedEntry
from ..text.sanitize import code, inline, without_tokens

_LONGEST = 300
"""Characters of a title, a status or a date."""


def hover_text(adr: DatedEntry, successors: Iterable[DatedEntry]) -> str:
    """Return title, status, date, path and successors of an ADR, in Markdown."""
    entry = adr.entry
    facts = [inline(entry.status or _cut(entry.status_text) or "no status")]
    if adr.date:
        facts.append(inline(_cut(adr.date)))
    facts.append(code(entry.path))
    lines = [f"**{_named(adr)}**", " · ".join(facts)]
    lines += [f"Superseded by {_named(other)} ({code(other.entry.path)})" for other in successors]
    return "\n\n".join(lines)


def _named(adr: DatedEntry) -> str:
    """Return the short name of an ADR and its title."""
    parts = (graph.name(adr.entry), _cut(graph.title(adr.entry)))
    return ": ".join(inline(part) for part in parts if part)


def _cut(text: str) -> str:
    """Return the beginning of a text without tokens."""
    # Masked before the cut: a part of a token would not be recognised.
    return without_tokens(text)[:_LONGEST]
