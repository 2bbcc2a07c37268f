"""The contract of an ADR: each file in its header, and each acceptance criterion."""

from collections.abc import Iterator
from typing import NamedTuple

from ..adr.model import Adr
from ..adr.parse.document import AdrDocument, Task, tasks
from ..adr.parse.header import Header
from .criteria import Named, names_in

KINDS = ("create", "modify", "delete", "docs")
"""The kinds of promises about files: the keys of `files:` in the header."""


_MAX_FAILED_SEARCHES = 100
"""Maximum searches for a path that reach the end of an ADR, since each takes linear time."""


class Promise(NamedTuple):
    """A file or a criterion that an ADR promises.

    `kind` is create, modify, delete, docs or criterion. `subject` is a path as written, or the text
    of a criterion, and `line` its line in the ADR. `names` are the files, tests and commands in a
    criterion.
    """

    kind: str
    subject: str
    line: int
    names: tuple[Named, ...] = ()


class Contract(NamedTuple):
    """The promises of the approved version of an ADR. `hash` is the git hash of its content."""

    adr_id: str
    path: str
    title: str
    hash: str
    promises: tuple[Promise, ...]


def promises_of(adr: Adr) -> tuple[Promise, ...]:
    """Return the promises of an ADR, each once, in the order of its text."""
    unique: dict[tuple[str, str], Promise] = {}
    for promise in (*_files(adr.doc, adr.header), *_criteria(adr)):
        unique.setdefault((promise.kind, promise.subject), promise)
    return tuple(unique.values())


def _files(doc: AdrDocument, header: Header) -> list[Promise]:
    promises: list[Promise] = []
    for kind in KINDS:
        field = header.fields.get(f"files_{kind}")
        if not field:
            continue
        texts = [text.strip().strip("`").strip() for text in field.texts]
        paths = [path for path in texts if path]
        lines = _lines_of(doc, paths, field.line)
        promises += [Promise(kind, path, line) for path, line in zip(paths, lines, strict=True)]
    return promises


def _lines_of(doc: AdrDocument, paths: list[str], first: int) -> Iterator[int]:
    """Yield the line of each path, at or after the line of the path before it.

    It is `first` for a path that the header has in another spelling, such as an escaped one.
    """
    rows = doc.data.decode(errors="replace").split("\n")
    current, failures = first, 0
    for path in paths:
        line = _line_with(path, rows, current) if failures < _MAX_FAILED_SEARCHES else 0
        if line:
            current = line
        else:
            failures += 1
        yield line or first


def _line_with(path: str, rows: list[str], start: int) -> int:
    """Return the first line from `start` on that has a path; 0 if none has."""
    for line in range(start, len(rows) + 1):
        if path in rows[line - 1]:
            return line
    return 0


def _criteria(adr: Adr) -> list[Promise]:
    doc = adr.doc
    items: list[tuple[Task, int]] = []
    for section in adr.h2.get("acceptance-criteria", []):
        items += [(task, section.stop) for task in tasks(doc, section)]
    promises = []
    for index, (task, section_end) in enumerate(items):
        if not task.text:
            continue
        end = section_end
        if index + 1 < len(items):
            end = min(section_end, items[index + 1][0].offset)
        source = _first_paragraph(doc.data[task.offset : end])
        text = " ".join(task.text.split())
        promises.append(Promise("criterion", text, doc.line_at(task.offset), names_in(source)))
    return promises


def _first_paragraph(data: bytes) -> str:
    """Return the Markdown of a list item up to a blank line, a nested item or a quote."""
    rows = data.decode(errors="replace").lstrip("\n").split("\n")
    paragraph = rows[:1]
    for row in rows[1:]:
        if not row.strip() or row.lstrip().startswith(("- ", "* ", "+ ", ">", "#")):
            break
        paragraph.append(row)
    return "\n".join(paragraph)
