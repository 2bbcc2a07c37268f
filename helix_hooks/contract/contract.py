"""The contract of an ADR: each file that its header names, and each acceptance criterion."""

from collections.abc import Iterator

from ..adr.model import Adr
from ..adr.parse.document import AdrDocument, tasks
from ..adr.parse.header import Header
from ..records import NamedTuple
from .criteria import Named, names_in

KINDS = ("create", "modify", "delete", "docs")
"""The kinds of promises about files, as the keys of `files:` call them."""


_MOST_FAILURES = 100
"""Paths that are looked for to the end of an ADR in vain."""


class Promise(NamedTuple):
    """One thing that an ADR promises.

    `kind` is create, modify, delete, docs or criterion; `subject` is a path as written, or the text
    of a criterion; `line` is its line in the ADR. `names` are the files, tests and commands that a
    criterion names.
    """

    kind: str
    subject: str
    line: int
    names: tuple[Named, ...] = ()


class Contract(NamedTuple):
    """The promises of the approved version of an ADR. `hash` is git's name for its content."""

    adr_id: str
    path: str
    title: str
    hash: str
    promises: tuple[Promise, ...]


def promises_of(adr: Adr) -> tuple[Promise, ...]:
    """Return what an ADR promises, each once, in the order of its text."""
    found = [*_files(adr.doc, adr.header), *_criteria(adr)]
    return tuple({(item.kind, item.subject): item for item in reversed(found)}.values())[::-1]


def _files(doc: AdrDocument, header: Header) -> list[Promise]:
    found = []
    for kind in KINDS:
        field = header.fields.get(f"files_{kind}")
        texts = field.texts if field else ()
        paths = [path for text in texts if (path := text.strip().strip("`").strip())]
        lines = _lines_of(doc, paths, field.line if field else 1)
        found += [Promise(kind, path, line) for path, line in zip(paths, lines, strict=True)]
    return found


def _lines_of(doc: AdrDocument, paths: list[str], first: int) -> Iterator[int]:
    """Yield the line of each path, looked for behind the one before it; `first` for one that stands
    there in another spelling.
    """
    rows = doc.data.decode(errors="replace").split("\n")
    at, failures = first, 0
    for path in paths:
        place = at
        while place <= len(rows) and failures < _MOST_FAILURES and path not in rows[place - 1]:
            place += 1
        is_found = place <= len(rows) and path in rows[place - 1]
        failures += not is_found
        at = place if is_found else at
        yield place if is_found else first


def _criteria(adr: Adr) -> list[Promise]:
    doc = adr.doc
    sections = adr.h2.get("acceptance-criteria", [])
    items = [(task, section.stop) for section in sections for task in tasks(doc, section)]
    ends = [*(task.offset for task, _ in items[1:]), len(doc.data)] if items else []
    found = []
    for (task, section_end), end in zip(items, ends, strict=True):
        if not task.text:
            continue
        source = _first_paragraph(doc.data[task.offset : min(section_end, end)])
        text = " ".join(task.text.split())
        found.append(Promise("criterion", text, doc.line_at(task.offset), names_in(source)))
    return found


def _first_paragraph(data: bytes) -> str:
    """Return the Markdown of a list item up to a blank line, a nested item or a quote."""
    text = data.decode(errors="replace").lstrip("\n")
    rows = text.split("\n")
    kept = rows[:1]
    for row in rows[1:]:
        if not row.strip() or row.lstrip().startswith(("- ", "* ", "+ ", ">", "#")):
            break
        kept.append(row)
    return "\n".join(kept)
