"""A table of ADRs in Markdown, for a file of their repository: the index."""

import posixpath
import re
from collections.abc import Sequence
from typing import NamedTuple

from ..adr.corpus import Entry
from ..adr.reference import collection
from ..paths import relative
from ..text.sanitize import markdown_cell
from . import graph
from .sarif import encoded

_HEADS = ("ADR", "Title", "Status", "Date", "Superseded by")
_RULE = ("---",) * len(_HEADS)
_ALWAYS = ("ADR", "Title", "Status")
"""Columns that are shown even if all their cells are empty."""

_LONGEST_DATE = 30

Row = tuple[str, ...]


class DatedEntry(NamedTuple):
    """An ADR among others, and the date that its header states ("" without one)."""

    entry: Entry
    date: str


def table(adrs: Sequence[DatedEntry], path: str) -> str:
    """Return the table for the file at `path`.

    It has the ADRs of the file's own folder; without such ADRs all, one table per folder.
    """
    folder = posixpath.dirname(path)
    successors = _successors(adrs, folder)
    own = [adr for adr in adrs if collection(adr.entry.path) == folder]
    groups: dict[str, list[Row]] = {}
    for adr in own or adrs:
        row = _row(adr, folder, successors.get(adr.entry.path, []))
        groups.setdefault(collection(adr.entry.path), []).append(row)
    columns = _columns([row for rows in groups.values() for row in rows])
    tables = {name: _lines(rows, columns) for name, rows in groups.items()}
    if len(tables) > 1:
        parts = (f"**{markdown_cell(name or '.')}**\n\n{text}" for name, text in tables.items())
        return "\n\n".join(parts)
    return next(iter(tables.values()), "No decision is recorded yet.")


def cells(table: str) -> list[str]:
    """Return the rows without the spaces by which formatters align them, to compare two tables."""
    rows = (re.sub("-{2,}", "--", line.strip()) for line in table.splitlines())
    return [re.sub(r"\s*\|\s*", "|", row) for row in rows if row]


def _columns(rows: list[Row]) -> list[int]:
    """Return the numbers of the columns to show."""
    filled = {number for row in rows for number, cell in enumerate(row) if cell}
    return [number for number, head in enumerate(_HEADS) if head in _ALWAYS or number in filled]


def _lines(rows: list[Row], columns: list[int]) -> str:
    lines = ([row[number] for number in columns] for row in (_HEADS, _RULE, *rows))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _successors(adrs: Sequence[DatedEntry], folder: str) -> dict[str, list[str]]:
    """Return links to the ADRs that supersede an ADR, by its path."""
    entries = {adr.entry.path: adr.entry for adr in adrs}
    links: dict[str, list[str]] = {}
    for edge in graph.decision_graph(entries.values()).edges:
        if edge.kind == "supersedes":
            source = entries[edge.source]
            link = _link(graph.name(source) or graph.title(source), source, folder)
            links.setdefault(edge.target, []).append(f"{link} (in part)" if edge.partly else link)
    return links


def _row(adr: DatedEntry, folder: str, successors: list[str]) -> Row:
    entry = adr.entry
    title = _link(graph.title(entry) or posixpath.basename(entry.path), entry, folder)
    name = markdown_cell(graph.name(entry))
    return name, title, entry.status, _date(adr.date), ", ".join(successors)


def _link(text: str, entry: Entry, folder: str) -> str:
    target = encoded(relative(entry.path, folder))
    return f"[{markdown_cell(' '.join(text.split()))}]({target})"


def _date(text: str) -> str:
    """Return the date in a header's field; "" for the placeholder of a template."""
    iso = re.search(r"\d{4}-\d{2}-\d{2}", text)
    if iso:
        return iso[0]
    has_digits = any(map(str.isdigit, text))
    return markdown_cell(text) if has_digits and len(text) <= _LONGEST_DATE else ""
