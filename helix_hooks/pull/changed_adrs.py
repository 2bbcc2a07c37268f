"""The ADRs that a change adds or edits: name, title, status, superseded ADRs."""

from collections.abc import Container
from itertools import islice

from ..adr.check_report import CheckReport
from ..adr.corpus import Entry
from ..decision.handover import MOST_CHANGED, ChangedAdr
from ..report import graph

_MOST = 20
"""Maximum number of ADRs that one of them supersedes."""

_LONGEST = 200
"""Maximum number of characters of a text."""


def changed_adrs(report: CheckReport, touched: Container[str]) -> tuple[ChangedAdr, ...]:
    """Return the ADRs of a report that the change touches, at most 20."""
    files = (file for file in report.files if file.path in touched)
    entries = (file.entry for file in files if file.entry)
    return tuple(map(_changed_adr, islice(entries, MOST_CHANGED)))


def _changed_adr(entry: Entry) -> ChangedAdr:
    references = entry.of("supersedes")
    old = dict.fromkeys(_name(reference.key or reference.path) for reference in references)
    status = entry.status or " ".join(entry.status_text.split())
    name, title = graph.name(entry)[:_LONGEST], graph.title(entry)[:_LONGEST]
    return ChangedAdr(entry.path, name, title, status[:_LONGEST], tuple(old)[:_MOST])


def _name(key: str) -> str:
    if key.isascii() and key.isdigit():
        return f"ADR-{int(key):03}"
    return key[:_LONGEST]
