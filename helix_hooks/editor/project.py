"""The repository of open files, read as `check` reads it, with the buffers of the editor."""

import os
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, NamedTuple, Self

from pygls.uris import from_fs_path, to_fs_path, urlparse

from ..adr.check_report import FileReport
from ..adr.corpus import Corpus, Entry, PathHistory, entry
from ..adr.examine import Source, adr_id, examine, read
from ..adr.finish import Terms, finish
from ..adr.model import Adr
from ..adr.reference import collection
from ..check import files
from ..check.corpus import corpus_around
from ..check.options import CheckTarget
from ..check.settings import named_baseline, settings_of
from ..check.trees import Index, Revision
from ..check.versions import BaseVersions, Siblings, source
from ..check.work_tree import BufferTree
from ..config.settings import Settings
from ..errors import ConfigError
from ..git import slashes
from .text import EditorText

if TYPE_CHECKING:
    from ..adr.baseline import Baseline


class Root(NamedTuple):
    """The folder of a repository; outside git, a folder of the editor."""

    folder: str
    is_repository: bool


def file_of(uri: str) -> str:
    """Return the absolute path of a URI; "" if it is not the URI of a file."""
    if urlparse(uri)[0] != "file":
        return ""
    return os.path.abspath(to_fs_path(uri) or "")


def root_of(file: str, folders: list[str]) -> Root:
    """Return the repository of a file.

    Outside git, it is the editor's innermost folder with the file, or else the file's folder.
    """
    folder = os.path.dirname(file)
    # `.git` is a folder in a clone, and a file in a linked work tree or a submodule.
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            around = [name for name in folders if file.startswith(os.path.join(name, ""))]
            return Root(max(around, key=len, default=os.path.dirname(file)), is_repository=False)
        folder = parent
    return Root(folder, is_repository=True)


class OpenFile(NamedTuple):
    """An open document of a repository, by its path there."""

    uri: str
    path: str
    version: int | None
    text: str


def open_file(root: Root, uri: str, version: int | None, text: str) -> OpenFile:
    """Return an open document with its path in a repository."""
    path = slashes(os.path.relpath(file_of(uri), root.folder))
    return OpenFile(uri, path, version, text)


class Project:
    """One reading of a repository: settings, index, last commit, and the files as they are open.

    Each request reads the repository again, as a command does, so nothing is ever out of date.
    `settings` are the `former` ones if those on the disk are broken, None if none were ever valid.
    `broken` is the error in them.

    Raises:
        GitError: The repository can't be read. Also raised by the methods.
    """

    def __init__(
        self, root: Root, opened: list[OpenFile], encoding: str, former: Settings | None
    ) -> None:
        self.opened = {file.path: file for file in opened}
        self._root, self._encoding = root.folder, encoding
        self.buffers = {file.path: file.text.encode("utf-8", "surrogatepass") for file in opened}
        self._target = CheckTarget(None)
        if root.is_repository:
            index = Index(root.folder)
            self._target = CheckTarget(root.folder, index, Revision(root.folder, "HEAD", index))
        self.tree = BufferTree(root.folder, self._target.contents, self.buffers)
        self.settings = former
        self.broken: ConfigError | None = None
        self._baseline: Baseline | None = None
        try:
            self.settings = settings_of(self.tree)
            if self.settings.baseline:
                self._baseline = named_baseline(self.tree, self.settings.baseline)
        except ConfigError as error:
            self.broken = error

    def close(self) -> None:
        """End the processes of git that read the index and the last commit."""
        for reader in (self._target.contents, self._target.head):
            if reader:
                reader.close()

    def edited(self, texts: Mapping[str, str]) -> Self:
        """Return the repository with other texts of some files."""
        other = copy(self)
        data = {path: text.encode(errors="surrogateescape") for path, text in texts.items()}
        other.buffers = {**self.buffers, **data}
        other.tree = BufferTree(self._root, self._target.contents, other.buffers)
        return other

    def uri(self, path: str) -> str:
        """Return the URI of a file; that of an open file as the client spells it."""
        if path in self.opened:
            return self.opened[path].uri
        return from_fs_path(os.path.join(self._root, path)) or ""

    def text(self, path: str) -> str | None:
        """Return the text to which edits refer; None if the file can't be read."""
        data = self.buffers.get(path)
        if data is None:
            data = self.tree.raw(path)
        return None if data is None else data.decode(errors="surrogateescape")

    def shown(self, path: str) -> EditorText:
        """Return the text of a file as the editor counts it; empty if it can't be read."""
        return EditorText(self.text(path) or "", self._encoding)

    def is_adr(self, path: str) -> bool:
        """Return whether a path is an ADR by the settings."""
        if not self.settings:
            return False
        if not self._target.repository:
            return self.settings.is_adr(path)
        return files.is_adr(self.tree, self.settings, path)

    def adr(self, path: str) -> Adr | None:
        """Return the file at a path, read as an ADR; None if it can't be read."""
        doc = self.tree.document(path)
        if doc.defect or not self.settings:
            return None
        return read(Source(doc), self.settings.ruleset)

    def entry(self, path: str) -> Entry | None:
        """Return an ADR as others refer to it; None if it can't be read."""
        adr = self.adr(path)
        return entry(adr, adr_id(adr)) if adr else None

    def reports(self, paths: list[str]) -> list[FileReport]:
        """Return the reports on some ADRs, the same as those of `check`."""
        settings, tree = self.settings, self.tree
        if not settings:
            return []
        versions = self._versions(paths)
        siblings = Siblings(versions.trees[0], settings) if versions else None
        examined: list[FileReport] = []
        for path in paths:
            adr = source(tree, settings, None, versions, path, siblings)
            examined.append(examine(adr, settings.ruleset, tree.present))
        corpus = self._corpus(settings, examined)
        counts = self._baseline.counts if self._baseline else {}
        return [
            finish(file, settings.ruleset, corpus, Terms(counts=counts.get(file.path)))
            for file in examined
        ]

    def _versions(self, paths: list[str]) -> BaseVersions | None:
        """Return the last commit and the ADRs that differ from it; None outside git.

        They are compared here, since git would run the filters of the repository.
        """
        base = self._target.head
        if not base:
            return None
        changed = {
            path
            for path in paths
            if not base.has(path) or _unix(base.content(path)) != _unix(self.tree.content(path))
        }
        return BaseVersions((base,), frozenset(changed))

    def corpus(self, path: str) -> Corpus:
        """Return the ADRs around one, without the history of missing files."""
        if not self.settings or not self._target.repository:
            return self._alone()
        corpus = self._corpus(self.settings, [], fates={})
        corpus.add(self.tree.folder(collection(path)))
        return corpus

    def _corpus(
        self,
        settings: Settings,
        examined: list[FileReport],
        fates: dict[str, PathHistory] | None = None,
    ) -> Corpus:
        """Return the ADRs around examined ones."""
        if not self._target.repository:
            corpus = self._alone()
            corpus.know(file.entry for file in examined if file.entry)
            return corpus
        corpus, _ = corpus_around(
            examined,
            self.tree,
            settings,
            self._target,
            is_staged=False,
            is_whole=False,
            fates=fates,
        )
        return corpus

    def _alone(self) -> Corpus:
        """Return a corpus without other ADRs.

        Outside git, the folder may be a home folder, too large to be walked.
        """
        return Corpus(read=self.entry, exists=self.tree.on_disk, alone=True)


def _unix(data: bytes) -> bytes:
    """Return a text for a comparison, without a byte order mark and with Unix line ends."""
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
