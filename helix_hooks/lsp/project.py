"""The ADRs of one repository as an editor has them open: reports, other ADRs, texts.

For one thread. The findings of an ADR on its own are cached until the ADR, another file or the
settings change. Findings across ADRs are computed for each report, which takes milliseconds.
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
from ..check import files
from ..check.corpus import lost_files
from ..check.lost import history_of
from ..check.versions import BaseVersions, Siblings, source
from ..config.settings import Settings
from ..errors import ConfigError
from ..report.adr_table import DatedEntry
from .clone import OpenRepository, opened, read_clone, stamp_of

Mark = bytes | tuple[int, int] | None
"""The state of a file: the content of a buffer, or modification time and size."""


class Project:
    """A repository with its open buffers. `root` is its folder."""

    def __init__(self, root: str, *, is_repository: bool) -> None:
        self.root, self._is_repository = root, is_repository
        self._buffers: dict[str, bytes] = {}
        self._clone: OpenRepository | None = None
        self._former: Settings | None = None
        self._entries: dict[str, tuple[Mark, DatedEntry | None]] = {}
        # Paths whose entries are current: files on the disk are not examined again.
        self._current: set[str] = set()
        self._reports: dict[str, tuple[bytes | None, FileReport]] = {}
        self._fates: dict[tuple[str, ...], dict[str, PathHistory]] = {}

    def update(self, buffers: Mapping[str, bytes]) -> None:
        """Replace the contents of all open buffers, by path."""
        if buffers == self._buffers:
            return
        names = {*buffers, *self._buffers}
        changed = {path for path in names if buffers.get(path) != self._buffers.get(path)}
        is_typing = buffers.keys() == self._buffers.keys() and self._are_adrs(changed)
        self._buffers = dict(buffers)
        if is_typing and self._clone:
            self._clone.tree.put(self._buffers)
        else:
            self.forget()

    def _are_adrs(self, paths: Iterable[str]) -> bool:
        """Return whether the current settings are readable and call all paths ADRs."""
        settings = self._clone.settings if self._clone else None
        return settings is not None and all(map(settings.is_adr, paths))

    def edited(self, texts: Mapping[str, str]) -> "Project":
        """Return the repository with other texts of some files. Its `forget` closes it."""
        made = Project(self.root, is_repository=self._is_repository)
        data = {path: text.encode(errors="surrogateescape") for path, text in texts.items()}
        made.update({**self._buffers, **data})
        return made

    def forget(self) -> None:
        """Drop settings, files and the last commit. They are read again when they are needed."""
        if self._clone:
            self._former = self._clone.settings
            self._clone.close()
        self._clone = None
        self._current.clear()
        self._reports.clear()
        self._fates.clear()

    @property
    def clone(self) -> OpenRepository:
        """The repository, read again after a commit, a staging or a switch of branches."""
        clone = self._clone
        if clone and clone.stamp != stamp_of(self.root, clone.target.repository):
            self.forget()
            clone = None
        if not clone:
            tree, target = opened(self.root, is_repository=self._is_repository)
            tree.put(self._buffers)
            clone = self._clone = read_clone(self.root, tree, target, self._former)
        return clone

    @property
    def broken(self) -> ConfigError | None:
        """The error in the current settings."""
        return self.clone.broken

    def is_adr(self, path: str) -> bool:
        """Return whether a path is an ADR by the settings."""
        clone = self.clone
        if not clone.settings:
            return False
        if not self._is_repository:
            return clone.settings.is_adr(path)
        return files.is_adr(clone.tree, clone.settings, path)

    def text(self, path: str) -> str | None:
        """Return the text to which edits refer; None if the file can't be read."""
        data = self._buffers.get(path)
        if data is None:
            data = self.clone.tree.raw(path)
        if data is None:
            return None
        return data.decode(errors="surrogateescape")

    def adr(self, path: str) -> Adr | None:
        """Return the ADR at a path; None if it can't be read."""
        clone = self.clone
        doc = clone.tree.document(path)
        if doc.defect or not clone.settings:
            return None
        return read(Source(doc), clone.settings.ruleset)

    def reports(self, paths: Iterable[str]) -> list[FileReport]:
        """Return the reports on some ADRs, the same as those of `check`.

        Raises:
            GitError: The last commit could not be read.
        """
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
        """Return the ADRs around some examined ones; outside git only these."""
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
            for folder in dict.fromkeys(collection(item.path) for item in entries):
                corpus.add(tree.folder(folder))
        return corpus

    def all_adrs(self) -> list[DatedEntry]:
        """Return all readable ADRs of the repository; outside git the open ones."""
        clone = self.clone
        if not clone.settings:
            return []
        if self._is_repository:
            paths = files.adrs(clone.tree, clone.settings)
        else:
            paths = [path for path in self._buffers if clone.settings.is_adr(path)]
        return [adr for path in paths if (adr := self.dated(path))]

    def dated(self, path: str) -> DatedEntry | None:
        """Return an ADR as other ADRs refer to it; None if it can't be read."""
        cached = self._entries.get(path)
        if cached and path in self._current and path not in self._buffers:
            return cached[1]
        mark = self._mark(path)
        if not cached or cached[0] != mark:
            cached = mark, self._read(path)
            self._entries[path] = cached
        self._current.add(path)
        return cached[1]

    def _entry(self, path: str) -> Entry | None:
        adr = self.dated(path)
        return adr.entry if adr else None

    def _read(self, path: str) -> DatedEntry | None:
        adr = self.adr(path)
        if not adr:
            return None
        return DatedEntry(entry_of(adr, adr_id(adr)), adr.header.text("date"))

    def _mark(self, path: str) -> Mark:
        if path in self._buffers:
            return self._buffers[path]
        try:
            facts = os.stat(os.path.join(self.root, path))
        except OSError:
            return None
        return facts.st_mtime_ns, facts.st_size

    def _examined(self, path: str, settings: Settings) -> FileReport:
        """Return the report on one ADR without the other ADRs."""
        data = self._buffers.get(path)
        cached = self._reports.get(path)
        if cached and cached[0] == data:
            return cached[1]
        tree = self.clone.tree
        versions = self._versions(path)
        siblings = Siblings(versions.trees[0], settings) if versions else None
        adr = source(tree, settings, None, versions, path, siblings)
        report = examine(adr, settings.ruleset, tree.present)
        self._reports[path] = data, report
        return report

    def _versions(self, path: str) -> BaseVersions | None:
        """Return the version of the last commit, with which the ADR is compared."""
        base = self.clone.target.head
        if not base:
            return None
        data = self._buffers.get(path)
        if data is None:
            data = self.clone.tree.content(path)
        is_same = base.has(path) and _unix(base.content(path)) == _unix(data)
        return BaseVersions((base,), frozenset(() if is_same else (path,)))

    def _fates_of(self, entries: list[Entry]) -> dict[str, PathHistory]:
        """Return the history of the paths that the ADRs name and that do not exist."""
        lost = tuple(lost_files(entries))
        if not lost:
            return {}
        if lost not in self._fates:
            repository = self.clone.target.repository
            fates, _ = history_of(list(lost), entries, repository, staged=False, commit="")
            self._fates[lost] = fates
        return self._fates[lost]


def _unix(data: bytes) -> bytes:
    """Return a text as git stores it: without a byte order mark, with the line ends of Unix."""
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
