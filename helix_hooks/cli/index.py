"""`helix-hooks index`: a table of the ADRs in a README, between two comments, and whether it still holds."""

import os
import posixpath
import re
from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import NamedTuple

from ..adr.corpus import Entry
from ..adr.reference import collection
from ..console.output import complain, write
from ..errors import HelixError, UsageError
from ..report import mermaid
from ..report.markdown import escaped
from ..report.sarif import encoded
from ..repository import git
from ..text.printable import printable
from .graph import Known, everything

EXAMPLE = """examples:
  helix-hooks index                      write the table into the README beside the ADRs
  helix-hooks index docs/decisions.md    into another file
  helix-hooks index --check              exit 1 when the table is stale"""

BEGIN, END = "<!-- helix-index -->", "<!-- /helix-index -->"
README = "README.md"
_NEW = f"# Architecture decisions\n\n{BEGIN}\n{END}\n"
_HEADS = ("ADR", "Title", "Status", "Date", "Superseded by")
_RULE = ("---",) * len(_HEADS)
_ALWAYS = ("ADR", "Title", "Status")
_LONGEST_DATE = 30


class Place(NamedTuple):
    """A file's text around the table, the table, and how the file ends its lines."""

    before: str
    table: str
    after: str
    newline: str


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help=f"default: {README} in the folder that has most ADRs")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the table is stale")


def run(options: Namespace) -> int:
    repository = git.repository()
    path = _inside(repository, options.file) if options.file else ""
    known = sorted(everything(repository), key=lambda item: mermaid.order(item.entry))
    if not known and not path:
        return 0
    path = path or _default(known)
    file = os.path.join(repository or ".", path)
    text = _read(file, path)
    place = _place(_NEW if text is None else text, path)
    table = _table(known, path)
    if text is not None and _cells(place.table) == _cells(table):
        return _said(options, f"{path}: the index is up to date")
    if options.check:
        name = f" {options.file}" if options.file else ""
        complain(f"{path}: the index is {'missing' if text is None else 'stale'}; write it with `helix-hooks index{name}`")
        return 1
    _save(file, path, place, table)
    return _said(options, f"{path}: the index is written")


def _said(options: Namespace, line: str) -> int:
    if not options.quiet:
        write(f"{printable(line)}\n")
    return 0


def _inside(repository: str | None, file: str) -> str:
    (path,) = git.given(repository, [file])
    if os.path.isabs(path):
        raise UsageError(f"{file} lies outside of the repository, so its links would lead nowhere")
    return path


def _default(known: list[Known]) -> str:
    """The README of the folder that has most ADRs."""
    folder, _ = Counter(collection(item.entry.path) for item in known).most_common(1)[0]
    return posixpath.join(folder, README)


def _read(file: str, path: str) -> str | None:
    """The text of a file, None where there is none; bytes that are no UTF-8 stay what they are."""
    if os.path.islink(file) or (os.path.exists(file) and not os.path.isfile(file)):
        raise UsageError(f"{path} is a link or a folder; name a file")
    try:
        with open(file, "rb") as opened:
            return opened.read().decode(errors="surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from None


def _save(file: str, path: str, place: Place, table: str) -> None:
    inside = f"\n{table}\n\n".replace("\n", place.newline)
    try:
        with open(file, "wb") as opened:
            opened.write(f"{place.before}{inside}{place.after}".encode(errors="surrogateescape"))
    except OSError as error:
        raise HelixError(f"{path} could not be written: {error.strerror}") from None


def _place(text: str, path: str) -> Place:
    """Where the table stands: between the two comments, each on a line of its own."""
    lines = re.findall("[^\n]*\n|[^\n]+", text)
    marks = [(number, line.strip("\ufeff \t\r\n")) for number, line in enumerate(lines)]
    marks = [(number, mark) for number, mark in marks if mark in (BEGIN, END)]
    if not marks:
        raise UsageError(f"{path} has no place for the index; add the two lines `{BEGIN}` and `{END}` where it belongs")
    if [mark for _, mark in marks] != [BEGIN, END]:
        found = ", ".join(f"`{mark}` in line {number + 1}" for number, mark in marks)
        raise UsageError(f"{path} needs one line `{BEGIN}` and below it one line `{END}`; it has {found}")
    (first, _), (last, _) = marks
    newline = "\r\n" if lines[first].endswith("\r\n") else "\n"
    return Place("".join(lines[: first + 1]), "".join(lines[first + 1 : last]), "".join(lines[last:]), newline)


def _cells(table: str) -> list[str]:
    """A table without the blanks by which formatters align it."""
    rows = (re.sub(r"\s*\|\s*", "|", re.sub("-{2,}", "--", line.strip())) for line in table.splitlines())
    return [row for row in rows if row]


def _table(known: list[Known], path: str) -> str:
    """The ADRs of the file's own folder, where it has some; else all, a table a folder."""
    folder = posixpath.dirname(path)
    newer = _newer(known, folder)
    groups: dict[str, list[tuple[str, ...]]] = {}
    for item in [item for item in known if collection(item.entry.path) == folder] or known:
        groups.setdefault(collection(item.entry.path), []).append(_row(item, folder, newer.get(item.entry.path, [])))
    columns = [number for number, head in enumerate(_HEADS) if head in _ALWAYS or any(row[number] for rows in groups.values() for row in rows)]
    tables = {place: "\n".join(_line(row, columns) for row in (_HEADS, _RULE, *rows)) for place, rows in groups.items()}
    if len(tables) > 1:
        return "\n\n".join(f"**{escaped(place or '.')}**\n\n{table}" for place, table in tables.items())
    return next(iter(tables.values()), "No decision is recorded yet.")


def _line(row: tuple[str, ...], columns: list[int]) -> str:
    return f"| {' | '.join(row[number] for number in columns)} |"


def _newer(known: list[Known], folder: str) -> dict[str, list[str]]:
    """Links to the ADRs that supersede one, by its path."""
    entries = {item.entry.path: item.entry for item in known}
    found: dict[str, list[str]] = {}
    for edge in mermaid.graph(entries.values()).edges:
        if edge.kind == "supersedes":
            source = entries[edge.source]
            link = _link(mermaid.name(source) or mermaid.title(source), source, folder)
            found.setdefault(edge.target, []).append(f"{link} (in part)" if edge.partly else link)
    return found


def _row(item: Known, folder: str, newer: list[str]) -> tuple[str, ...]:
    entry = item.entry
    title = _link(mermaid.title(entry) or posixpath.basename(entry.path), entry, folder)
    return escaped(mermaid.name(entry)), title, entry.status, _date(item.date), ", ".join(newer)


def _link(text: str, entry: Entry, folder: str) -> str:
    return f"[{escaped(' '.join(text.split()))}]({encoded(posixpath.relpath(entry.path, folder or '.'))})"


def _date(text: str) -> str:
    """The date that a header states; a template's hint is none."""
    iso = re.search(r"\d{4}-\d{2}-\d{2}", text)
    return iso[0] if iso else escaped(text) if any(map(str.isdigit, text)) and len(text) <= _LONGEST_DATE else ""
