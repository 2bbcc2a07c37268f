"""The index: a table of ADRs in Markdown, for a file of their repository."""

import posixpath
import re
from collections.abc import Sequence
from typing import NamedTuple

from ..adr.corpus import Entry
from ..adr.reference import collection
from ..paths import relative
from ..text import markdown_cell
from . import graph
from .sarif import encoded

_HEADS = ("ADR", "Title", "Status", "Date", "Superseded by")
_RULE = ("---",) * len(_HEADS)
_ALWAYS = ("ADR", "Title", "Status")
"""Columns that are shown even if all their cells are empty."""

_LONGEST_DATE = 30

Row = tuple[str, ...]


class DatedEntry(NamedTuple):
    """An ADR of a corpus, and the date in its header ("" without one)."""

    entry: Entry
    date: str


def table(adrs: Sequence[DatedEntry], path: str) -> str:
    """Return the table for the file at `path`.

    It lists the ADRs of the file's own folder. Without such ADRs it lists all, one table per
    folder.
    """
    folder = posixpath.dirname(path)
    tables = _tables(_groups(adrs, folder))
    if not tables:
        return "No decision is recorded yet."
    if len(tables) == 1:
        return next(iter(tables.values()))
    parts = (f"**{markdown_cell(name or '.')}**\n\n{text}" for name, text in tables.items())
    return "\n\n".join(parts)


def _groups(adrs: Sequence[DatedEntry], folder: str) -> dict[str, list[Row]]:
    """Return the rows of each folder."""
    successors = _successors(adrs, folder)
    own = [adr for adr in adrs if collection(adr.entry.path) == folder]
    groups: dict[str, list[Row]] = {}
    for adr in own or adrs:
        row = _row(adr, folder, successors.get(adr.entry.path, []))
        groups.setdefault(collection(adr.entry.path), []).append(row)
    return groups


def _tables(groups: dict[str, list[Row]]) -> dict[str, str]:
    """Return a table for each group of rows, all with the same columns."""
    columns = _columns([row for rows in groups.values() for row in rows])
    return {name: _lines(rows, columns) for name, rows in groups.items()}


def cells(table: str) -> list[str]:
    """Return the rows of a table without alignment, so that two tables can be compared.

    Formatters of Markdown align cells with spaces and lengthen the dashes under the heading.
    """
    rows = (re.sub("-{2,}", "--", line.strip()) for line in table.splitlines())
    return [re.sub(r"\s*\|\s*", "|", row) for row in rows if row]


def _columns(rows: list[Row]) -> list[int]:
    """Return the numbers of the columns to show."""
    columns = []
    for number, head in enumerate(_HEADS):
        if head in _ALWAYS or any(row[number] for row in rows):
            columns.append(number)
    return columns


def _lines(rows: list[Row], columns: list[int]) -> str:
    lines = ([row[number] for number in columns] for row in (_HEADS, _RULE, *rows))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _successors(adrs: Sequence[DatedEntry], folder: str) -> dict[str, list[str]]:
    """Return links to the ADRs that supersede an ADR, by its path."""
    entries = {adr.entry.path: adr.entry for adr in adrs}
    links: dict[str, list[str]] = {}
    for edge in graph.decision_graph(entries.values()).edges:
        if edge.kind != "supersedes":
            continue
        source = entries[edge.source]
        link = _link(graph.name(source) or graph.title(source), source, folder)
        if edge.partly:
            link = f"{link} (in part)"
        links.setdefault(edge.target, []).append(link)
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
    # A date in another notation has digits; `YYYY-MM-DD` or `{date}` has none.
    if any(map(str.isdigit, text)) and len(text) <= _LONGEST_DATE:
        return markdown_cell(text)
    return ""
