"""Describe the ADRs that a change adds or edits: name, title, status, superseded ADRs."""

from collections.abc import Container

from ..adr.check_report import CheckReport
from ..adr.corpus import Entry
from ..decision.handover import ChangedAdr
from ..report import graph

_MOST = 20
_LONGEST = 200


def changed_adrs(report: CheckReport, touched: Container[str]) -> tuple[ChangedAdr, ...]:
    """Return the ADRs of a report that the change touches, 20 at most, without those that it only affects."""
    entries = (file.entry for file in report.files if file.entry and file.path in touched)
    return tuple(_described(entry) for entry, _ in zip(entries, range(_MOST), strict=False))


def _described(entry: Entry) -> ChangedAdr:
    old = dict.fromkeys(_name(reference.key or reference.path) for reference in entry.of("supersedes"))
    status = entry.status or " ".join(entry.said.split())
    name, title = graph.name(entry)[:_LONGEST], graph.title(entry)[:_LONGEST]
    return ChangedAdr(entry.path, name, title, status[:_LONGEST], tuple(old)[:_MOST])


def _name(key: str) -> str:
    return f"ADR-{int(key):03}" if key.isascii() and key.isdigit() else key[:_LONGEST]
