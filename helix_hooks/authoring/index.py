"""The file with the table of all ADRs: find it, compare it with the ADRs, write it.

The table is between two comments, and the rest of the file is never changed.
"""

import os
import posixpath
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .. import git, writing
from ..adr.parse.document import parse
from ..adr.reference import collection
from ..errors import HelixError, UsageError
from ..report.adr_table import DatedEntry, cells, table
from ..report.graph import order
from ..text.invisible import BYTE_ORDER_MARK

BEGIN, END = "<!-- helix-index -->", "<!-- /helix-index -->"
README = "README.md"
_NAMES = (README, "index.md")
CURRENT, STALE, MISSING, WRITTEN = "current", "stale", "missing", "written"

_NEW = f"# Architecture decisions\n\n{BEGIN}\n{END}\n"


class IndexState(NamedTuple):
    """The file of the index and its state: CURRENT, STALE, MISSING or WRITTEN."""

    path: str
    state: str


class IndexFile(NamedTuple):
    """A file's text before, in and after the place of the table, and its line ending."""

    before: str
    table: str
    after: str
    newline: str


def path_in(repository: str | None, file: str) -> str:
    """Return a file as a path in the repository.

    Raises:
        UsageError: The file is outside of the repository.
    """
    (path,) = git.paths_in(repository, [file])
    if os.path.isabs(path):
        raise UsageError(f"{file} is outside of the repository, so its links would be broken")
    return path


def default_path(adrs: Sequence[DatedEntry]) -> str:
    """Return the README of the folder that has most ADRs; "" without ADRs."""
    if not adrs:
        return ""
    folders = Counter(collection(adr.entry.path) for adr in sorted(adrs, key=_order))
    folder, _ = folders.most_common(1)[0]
    return posixpath.join(folder, README)


def marked_files(root: str, adrs: Sequence[DatedEntry]) -> list[str]:
    """Return the READMEs beside and above ADRs that have a place for the table."""
    folders: dict[str, None] = {}
    for adr in sorted(adrs, key=_order):
        folders.update(dict.fromkeys(_upwards(adr.entry.path)))
    paths: list[str] = []
    for folder in folders:
        paths += [posixpath.join(folder, name) for name in _NAMES]
    return [path for path in paths if _is_marked(root, path)]


def _upwards(path: str) -> list[str]:
    """Return the folder of an ADR and all folders above it; "" is the root."""
    names = path.split("/")[:-1]
    return ["/".join(names[:count]) for count in range(len(names), -1, -1)]


def _is_marked(root: str, path: str) -> bool:
    """Return whether a file of the repository has one of the two comments on a line of its own."""
    file = os.path.join(root, path)
    is_inside = os.path.realpath(file) == os.path.join(os.path.realpath(root), path)
    if not is_inside or not os.path.isfile(file):
        return False
    return bool(_marks(_read(file, path) or ""))


def update(root: str, path: str, adrs: Sequence[DatedEntry], only_check: bool) -> IndexState:
    """Write the table into the file unless it is current; with `only_check`, write nothing.

    Raises:
        UsageError: The file can't be read, or it has no place for the table.
        HelixError: The file can't be written.
    """
    file = os.path.join(root, path)
    text = _read(file, path)
    index_file = _parse(_NEW if text is None else text, path)
    new_table = table(sorted(adrs, key=_order), path)
    # Cells are compared, not text: formatters such as prettier change the padding of a table.
    if text is not None and cells(index_file.table) == cells(new_table):
        return IndexState(path, CURRENT)
    if only_check:
        return IndexState(path, MISSING if text is None else STALE)
    _save(file, path, index_file, new_table)
    return IndexState(path, WRITTEN)


def refreshed(text: str, path: str, adrs: Sequence[DatedEntry]) -> str:
    """Return the text of the file with the current table; the same text if it has no stale one."""
    try:
        index_file = _parse(text, path)
    except UsageError:
        return text
    new_table = table(sorted(adrs, key=_order), path)
    if cells(index_file.table) == cells(new_table):
        return text
    return _with_table(index_file, new_table)


def _with_table(index_file: IndexFile, new_table: str) -> str:
    inside = f"\n{new_table}\n\n".replace("\n", index_file.newline)
    return f"{index_file.before}{inside}{index_file.after}"


def _order(adr: DatedEntry) -> tuple[str, bool, int, str]:
    return order(adr.entry)


def _read(file: str, path: str) -> str | None:
    """Return the text of a file; None if it does not exist. Raises UsageError."""
    if os.path.islink(file) or (os.path.exists(file) and not os.path.isfile(file)):
        raise UsageError(f"{path} is a link or a folder; name a file")
    try:
        with open(file, "rb") as opened:
            # Bytes that are not UTF-8 are written again as they were.
            return opened.read().decode(errors="surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from None


def _save(file: str, path: str, index_file: IndexFile, new_table: str) -> None:
    text = _with_table(index_file, new_table)
    try:
        writing.replace(file, text.encode(errors="surrogateescape"))
    except OSError as error:
        raise HelixError(f"{path} could not be written: {error.strerror}") from None


def _parse(text: str, path: str) -> IndexFile:
    """Split a file at the two comments, each on a line of its own. Raises UsageError."""
    lines, marks = _lines(text), _marks(text)
    if not marks:
        add = f"add the two lines `{BEGIN}` and `{END}` where it belongs"
        raise UsageError(f"{path} has no place for the index; {add}")
    if [mark for _, mark in marks] != [BEGIN, END]:
        present = ", ".join(f"`{mark}` in line {number + 1}" for number, mark in marks)
        needed = f"one line `{BEGIN}` and below it one line `{END}`"
        raise UsageError(f"{path} needs {needed}; it has {present}")
    (first, _), (last, _) = marks
    return IndexFile(
        before="".join(lines[: first + 1]),
        table="".join(lines[first + 1 : last]),
        after="".join(lines[last:]),
        newline="\r\n" if lines[first].endswith("\r\n") else "\n",
    )


def _lines(text: str) -> list[str]:
    # Not splitlines(), which also splits at form feeds and other characters.
    return re.findall("[^\n]*\n|[^\n]+", text)


def _marks(text: str) -> list[tuple[int, str]]:
    """Return the two comments, if on lines of their own, each with the index of its line.

    One in a fenced block of code is an example, and left out.
    """
    stripped = (line.strip(f"{BYTE_ORDER_MARK} \t\r\n") for line in _lines(text))
    marks = [(number, mark) for number, mark in enumerate(stripped) if mark in (BEGIN, END)]
    if not marks:
        return []
    code = _fenced(text)
    return [mark for mark in marks if not any(mark[0] in lines for lines in code)]


def _fenced(text: str) -> list[range]:
    """Return the lines of each fenced block of code, from 0."""
    plain = text.replace("\r\n", "\n").replace("\r", " ")
    doc = parse(plain.encode(errors="replace"), README)
    return [
        range(doc.line_at(fence.start) - 1, doc.line_at(fence.stop - 1))
        for fence in doc.fences
        if fence.info is not None
    ]
