"""All ADRs of a work tree, and the file with their table: find it, compare it, write it.

The table is between two comments, and the rest of the file is never changed.
"""

import os
import posixpath
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple

from .. import git, proc, writing
from ..adr.corpus import entry
from ..adr.examine import Source, adr_id, read
from ..adr.parse.document import parse
from ..adr.reference import collection
from ..check import files, watched
from ..check.trees import Index, Tree
from ..check.work_tree import WorkTree
from ..config.settings import Settings, load
from ..config.watched import no_adr, watch
from ..errors import HelixError, UsageError
from ..report.adr_table import DatedEntry, cells, table
from ..report.graph import order
from ..text import BYTE_ORDER_MARK

BEGIN, END = "<!-- helix-index -->", "<!-- /helix-index -->"
README = "README.md"
_NAMES = (README, "index.md")
CURRENT, STALE, MISSING, WRITTEN = "current", "stale", "missing", "written"

_NEW = f"# Architecture decisions\n\n{BEGIN}\n{END}\n"


class WorkTreeAdrs(NamedTuple):
    """The ADRs that can be read, and a note for each other one, or if there is no ADR."""

    entries: tuple[DatedEntry, ...]
    notes: tuple[str, ...]


def read_all(repository: str | None, *, only_tracked: bool = False) -> WorkTreeAdrs:
    """Read every ADR of the work tree, or those that git tracks.

    Raises:
        UsageError: There is no repository.
        ConfigError: The settings are invalid, or they match no file that could be an ADR.
    """
    if not repository:
        raise UsageError(watched.NO_REPOSITORY)
    with closing(Index(repository)) as index:
        tree = WorkTree(repository, index)
        settings = load(tree.read, files.packaged)
        paths = files.select(tree, [], settings).paths
        if not paths:
            watch(watched.of_work_tree(settings, tree, index))
        if only_tracked:
            tracked = index.entries
            paths = tuple(path for path in paths if path in tracked)
        results = proc.each(paths, partial(_read_one, tree, settings), tree.after_fork)
    entries = tuple(result for result in results if isinstance(result, DatedEntry))
    notes = tuple(result for result in results if isinstance(result, str))
    return WorkTreeAdrs(entries, notes if paths else (no_adr(settings),))


def _read_one(tree: Tree, settings: Settings, path: str) -> DatedEntry | str:
    """Return the ADR at a path, or a note with the reason why it is left out."""
    doc = tree.document(path)
    if doc.defect:
        return f"{path} is left out: {doc.defect.message}"
    adr = read(Source(doc), settings.ruleset)
    return DatedEntry(entry(adr, adr_id(adr)), adr.header.text("date"))


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
    folders = Counter(collection(adr.entry.path) for adr in _sorted(adrs))
    folder, _ = folders.most_common(1)[0]
    return posixpath.join(folder, README)


def marked_files(root: str, adrs: Sequence[DatedEntry]) -> list[str]:
    """Return the READMEs beside and above ADRs that have a place for the table."""
    folders: dict[str, None] = {}
    for adr in _sorted(adrs):
        names = adr.entry.path.split("/")[:-1]
        folders |= dict.fromkeys("/".join(names[:count]) for count in range(len(names), -1, -1))
    marked: list[str] = []
    for path in (posixpath.join(folder, name) for folder in folders for name in _NAMES):
        file = os.path.join(root, path)
        is_inside = os.path.realpath(file) == os.path.join(os.path.realpath(root), path)
        if is_inside and os.path.isfile(file) and _marks(_read(file, path) or ""):
            marked.append(path)
    return marked


def update(root: str, path: str, adrs: Sequence[DatedEntry], only_check: bool) -> str:
    """Write the table into the file unless it is current; with `only_check`, write nothing.

    Return CURRENT, STALE, MISSING or WRITTEN.

    Raises:
        UsageError: The file can't be read, or it has no place for the table.
        HelixError: The file can't be written.
    """
    file = os.path.join(root, path)
    old = _read(file, path)
    new = _with_table(_NEW if old is None else old, path, adrs)
    if new == old:
        return CURRENT
    if only_check:
        return MISSING if old is None else STALE
    try:
        writing.replace(file, new.encode(errors="surrogateescape"))
    except OSError as error:
        raise HelixError(f"{path} could not be written: {error.strerror}") from None
    return WRITTEN


def _with_table(text: str, path: str, adrs: Sequence[DatedEntry]) -> str:
    """Return a text with the current table between the two comments.

    Raises:
        UsageError: The text does not have each of the two comments once, on a line of its own.
    """
    lines, marks = _lines(text), _marks(text)
    if not marks:
        add = f"add the two lines `{BEGIN}` and `{END}` where it belongs"
        raise UsageError(f"{path} has no place for the index; {add}")
    if [mark for _, mark in marks] != [BEGIN, END]:
        present = ", ".join(f"`{mark}` in line {number + 1}" for number, mark in marks)
        needed = f"one line `{BEGIN}` and below it one line `{END}`"
        raise UsageError(f"{path} needs {needed}; it has {present}")
    (first, _), (last, _) = marks
    new = table(_sorted(adrs), path)
    # Cells are compared, not text: formatters such as prettier change the padding of a table.
    if cells("".join(lines[first + 1 : last])) == cells(new):
        return text
    newline = "\r\n" if lines[first].endswith("\r\n") else "\n"
    inside = f"\n{new}\n\n".replace("\n", newline)
    return "".join([*lines[: first + 1], inside, *lines[last:]])


def _sorted(adrs: Sequence[DatedEntry]) -> list[DatedEntry]:
    return sorted(adrs, key=lambda adr: order(adr.entry))


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
