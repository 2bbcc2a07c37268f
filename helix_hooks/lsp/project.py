"""The ADRs of one repository as an editor has them open: reports, neighbours, texts.

For one thread. What the rules find in an ADR is kept until the ADR, another file or the settings
change; what they find among ADRs is computed anew, which takes milliseconds.
"""

import os
from collections.abc import Iterable, Mapping
from functools import partial

from ..adr.check_report import FileReport
from ..adr.corpus import Corpus, Entry, PathHistory
from ..adr.corpus import entry as entry_of
from ..adr.examine import Source, adr_id, examine, read
from ..adr.finish import Terms, finish
from ..adr.model import Adr
from ..adr.reference import collection
from ..check.corpus import lost_files
from ..check.fates import fates_of
from ..check.versions import BaseVersions, source
from ..config.settings import Settings
from ..errors import ConfigError
from ..report.adr_table import DatedEntry
from ..repository import files
from ..repository.staged_tree import StagedTree
from .clone import OpenRepository, opened, read_clone, stamp_of

Mark = bytes | tuple[int, int] | None
"""The state of a file: the content of a buffer, or time of change and size."""


class Project:
    """A repository with its open buffers; `root` is its folder."""

    def __init__(self, root: str, *, is_repository: bool) -> None:
        self.root, self._is_repository = root, is_repository
        self._buffers: dict[str, bytes] = {}
        self._clone: OpenRepository | None = None
        self._former: Settings | None = None
        self._entries: dict[str, tuple[Mark, DatedEntry | None]] = {}
        self._seen: set[str] = set()
        self._reports: dict[str, tuple[bytes | None, FileReport]] = {}
        self._fates: dict[tuple[str, ...], dict[str, PathHistory]] = {}

    def update(self, buffers: Mapping[str, bytes]) -> None:
        """Take the contents of all open buffers, by path."""
        if buffers == self._buffers:
            return
        names = {*buffers, *self._buffers}
        changed = {path for path in names if buffers.get(path) != self._buffers.get(path)}
        has_same_names = buffers.keys() == self._buffers.keys()
        self._buffers = dict(buffers)
        settings = self._clone.settings if self._clone else None
        if not settings or not has_same_names or not all(map(settings.is_adr, changed)):
            self.forget()
        elif self._clone:
            self._clone.tree.put(self._buffers)

    def edited(self, texts: Mapping[str, str]) -> "Project":
        """Return the repository with other texts of some files; `forget` closes it."""
        made = Project(self.root, is_repository=self._is_repository)
        data = {path: text.encode(errors="surrogateescape") for path, text in texts.items()}
        made.update({**self._buffers, **data})
        return made

    def forget(self) -> None:
        """Read settings, files and the last commit anew when they are next needed."""
        if self._clone:
            self._former = self._clone.settings
            self._clone.close()
        self._clone = None
        self._seen.clear()
        self._reports.clear()
        self._fates.clear()

    @property
    def clone(self) -> OpenRepository:
        known = self._clone
        if known and known.stamp != stamp_of(self.root, known.target.repository):
            self.forget()
            known = None
        if not known:
            tree, target = opened(self.root, is_repository=self._is_repository)
            tree.put(self._buffers)
            known = self._clone = read_clone(self.root, tree, target, self._former)
        return known

    @property
    def broken(self) -> ConfigError | None:
        """Return the error in the current settings."""
        return self.clone.broken

    def is_adr(self, path: str) -> bool:
        """Return whether the settings call a path an ADR."""
        clone = self.clone
        if not clone.settings:
            return False
        if not self._is_repository:
            return clone.settings.is_adr(path)
        return files.is_adr(clone.tree, clone.settings, path)

    def text(self, path: str) -> str | None:
        """Return the text of a file as edits count it; None if it can't be read."""
        data = self._buffers.get(path)
        if data is None:
            data = self.clone.tree.raw(path)
        return None if data is None else data.decode(errors="surrogateescape")

    def adr(self, path: str) -> Adr | None:
        """Return the ADR at a path; None if it can't be read."""
        clone = self.clone
        doc = clone.tree.document(path)
        if doc.defect or not clone.settings:
            return None
        return read(Source(doc), clone.settings.ruleset)

    def reports(self, paths: Iterable[str]) -> list[FileReport]:
        """Return the reports on some ADRs, as `check` makes them. Raises GitError."""
        clone = self.clone
        settings = clone.settings
        if not settings:
            return []
        examined = [self._examined(path, settings) for path in paths]
        entries = [file.entry for file in examined if file.entry]
        corpus = self.corpus(entries)
        counts = clone.baseline.counts if clone.baseline else {}
        return [
            finish(file, settings.ruleset, corpus, Terms(counts=counts.get(file.path)))
            for file in examined
        ]

    def corpus(self, entries: list[Entry]) -> Corpus:
        """Return the ADRs around some that were examined; outside of git those alone."""
        clone = self.clone
        tree, settings = clone.tree, clone.settings
        corpus = Corpus(
            read=self._entry,
            exists=lambda path: bool(tree.present([path])),
            belongs=partial(files.is_adr, tree, settings) if settings else bool,
            widen=partial(tree.folder, "") if self._is_repository else tuple,
            fates=self._fates_of(entries),
            alone=not self._is_repository,
            text=lambda path: tree.content(path).decode(errors="replace"),
        )
        corpus.know(entries)
        if self._is_repository:
            folders = dict.fromkeys(collection(item.path) for item in entries)
            corpus.add(path for folder in folders for path in tree.folder(folder))
        return corpus

    def all_adrs(self) -> list[DatedEntry]:
        """Return all ADRs of the repository that can be read; outside of git the open ones."""
        clone = self.clone
        if not clone.settings:
            return []
        if self._is_repository:
            paths = files.adrs(clone.tree, clone.settings)
        else:
            paths = [path for path in self._buffers if clone.settings.is_adr(path)]
        return [found for path in paths if (found := self.dated(path))]

    def dated(self, path: str) -> DatedEntry | None:
        """Return what others need to know of an ADR; None if it can't be read."""
        known = self._entries.get(path)
        if known and path in self._seen and path not in self._buffers:
            return known[1]
        mark = self._mark(path)
        if not known or known[0] != mark:
            known = mark, self._read(path)
            self._entries[path] = known
        self._seen.add(path)
        return known[1]

    def _entry(self, path: str) -> Entry | None:
        found = self.dated(path)
        return found.entry if found else None

    def _read(self, path: str) -> DatedEntry | None:
        adr = self.adr(path)
        return DatedEntry(entry_of(adr, adr_id(adr)), adr.header.text("date")) if adr else None

    def _mark(self, path: str) -> Mark:
        if path in self._buffers:
            return self._buffers[path]
        try:
            facts = os.stat(os.path.join(self.root, path))
        except OSError:
            return None
        return facts.st_mtime_ns, facts.st_size

    def _examined(self, path: str, settings: Settings) -> FileReport:
        """Return what the rules find in one ADR on its own."""
        data = self._buffers.get(path)
        known = self._reports.get(path)
        if known and known[0] == data:
            return known[1]
        tree = self.clone.tree
        adr = source(tree, settings, None, self._versions(path), path)
        found = examine(adr, settings.ruleset, tree.present)
        self._reports[path] = data, found
        return found

    def _versions(self, path: str) -> BaseVersions | None:
        head = self.clone.target.head
        if not head:
            return None
        base = StagedTree(head, self.root)
        now = self._buffers.get(path)
        now = self.clone.tree.content(path) if now is None else now
        is_same = base.has(path) and _unix(base.content(path)) == _unix(now)
        return BaseVersions((base,), frozenset(() if is_same else (path,)))

    def _fates_of(self, entries: list[Entry]) -> dict[str, PathHistory]:
        lost = tuple(lost_files(entries))
        if not lost:
            return {}
        if lost not in self._fates:
            repository = self.clone.target.repository
            known, _ = fates_of(list(lost), entries, repository, staged=False, commit="")
            self._fates[lost] = known
        return self._fates[lost]


def _unix(data: bytes) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
