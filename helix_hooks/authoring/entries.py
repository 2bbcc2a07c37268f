"""All ADRs of a work tree, read for the decision graph and for the index."""

from collections.abc import Iterable
from contextlib import closing
from functools import partial
from typing import NamedTuple

from .. import parallel
from ..adr.corpus import entry
from ..adr.examine import Source, adr_id, read
from ..check import files, watched
from ..check.trees import Index, Tree
from ..check.work_tree import WorkTree
from ..config.settings import Settings, load
from ..config.watched import no_adr, watch
from ..errors import UsageError
from ..report.adr_table import DatedEntry


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
        results = parallel.each(paths, partial(_read_one, tree, settings), tree.after_fork)
    return _entries_and_notes(results, [] if paths else [no_adr(settings)])


def _entries_and_notes(results: Iterable[DatedEntry | str], notes: list[str]) -> WorkTreeAdrs:
    """Return the entries, and the notes with those on the ADRs that can't be read."""
    entries: list[DatedEntry] = []
    for result in results:
        if isinstance(result, str):
            notes.append(result)
        else:
            entries.append(result)
    return WorkTreeAdrs(tuple(entries), tuple(notes))


def entries_at(tree: Tree, settings: Settings, paths: Iterable[str]) -> tuple[DatedEntry, ...]:
    """Return the ADRs of a tree that can be read."""
    results = (_read_one(tree, settings, path) for path in paths)
    return tuple(result for result in results if isinstance(result, DatedEntry))


def _read_one(tree: Tree, settings: Settings, path: str) -> DatedEntry | str:
    """Return the ADR at a path, or a note with the reason why it is left out."""
    doc = tree.document(path)
    if doc.defect:
        return f"{path} is left out: {doc.defect.message}"
    adr = read(Source(doc), settings.ruleset)
    return DatedEntry(entry(adr, adr_id(adr)), adr.header.text("date"))
