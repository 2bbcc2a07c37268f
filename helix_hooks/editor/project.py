"""The repository of open files, read as `check` reads it, with the buffers of the editor."""

import os
from collections.abc import Mapping
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

from pygls.uris import from_fs_path, to_fs_path, urlparse

from ..adr.baseline import Counts
from ..adr.check_report import FileReport, Terms, finish
from ..adr.corpus import Corpus, PathHistory
from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.reference import collection
from ..change import accepted_text
from ..check import files
from ..check.around import BaseVersions, Siblings, corpus_around, source
from ..check.options import CheckTarget
from ..check.settings import named_baseline, settings_of
from ..check.trees import Index, Revision
from ..check.work_tree import BufferTree
from ..config.approvals import VerifySettings
from ..config.settings import Settings
from ..git import slashes
from ..judge.approvals import approvals_of
from .text import EditorText


def file_of(uri: str) -> str:
    """Return the absolute path of a URI; "" if it is not the URI of a file."""
    if urlparse(uri)[0] != "file":
        return ""
    return os.path.abspath(to_fs_path(uri) or "")


def root_of(uri: str) -> str:
    """Return the folder of the git repository of a file; "" outside of one."""
    # `.git` is a folder in a clone, and a file in a linked work tree or a submodule.
    folders = (str(folder) for folder in Path(file_of(uri)).parents)
    return next((folder for folder in folders if os.path.exists(f"{folder}/.git")), "")


class OpenFile(NamedTuple):
    """An open document of a repository, by its path there."""

    uri: str
    path: str
    version: int | None
    text: str


def open_file(root: str, uri: str, version: int | None, text: str) -> OpenFile:
    """Return an open document with its path in a repository."""
    path = slashes(os.path.relpath(file_of(uri), root))
    return OpenFile(uri, path, version, text)


class Project:
    """One reading of a repository: settings, index, last commit, and the files as they are open.

    Each request reads the repository again, as a command does, so nothing is ever out of date.

    Raises:
        ConfigError: The settings are broken. Raised by the methods that need them.
        GitError: The repository can't be read. Also raised by the methods.
    """

    def __init__(self, root: str, opened: list[OpenFile], encoding: str) -> None:
        self.opened = {file.path: file for file in opened}
        self._root, self._encoding = root, encoding
        self.buffers = {file.path: file.text.encode("utf-8", "surrogatepass") for file in opened}
        self._index = Index(root)
        self._head = Revision(root, "HEAD", self._index)
        self.tree = BufferTree(root, self._index, self.buffers)

    def close(self) -> None:
        """End the processes of git that read the index and the last commit."""
        self._index.close()
        self._head.close()

    @cached_property
    def _settings(self) -> Settings:
        return settings_of(self.tree)

    @cached_property
    def _suppressed(self) -> Counts:
        """The findings in the baseline, counted for each file."""
        if not self._settings.baseline:
            return {}
        return named_baseline(self.tree, self._settings.baseline).counts

    @property
    def verify(self) -> VerifySettings:
        """The settings of a verification."""
        return approvals_of(self.tree).verify

    def edited(self, texts: Mapping[str, str]) -> Self:
        """Return the repository with other texts of some files."""
        other = copy(self)
        data = {path: text.encode(errors="surrogateescape") for path, text in texts.items()}
        other.buffers = {**self.buffers, **data}
        other.tree = BufferTree(self._root, self._index, other.buffers)
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
        return files.is_adr(self.tree, self._settings, path)

    def adr(self, path: str) -> Adr | None:
        """Return the file at a path, read as an ADR; None if it can't be read."""
        doc = self.tree.document(path)
        return None if doc.defect else read(Source(doc), self._settings.ruleset)

    def reports(self, paths: list[str]) -> list[FileReport]:
        """Return the reports on some ADRs, the same as those of `check`."""
        settings = self._settings
        base = self._head
        # Compared here, since git would run the filters of the repository.
        changed = {
            path
            for path in paths
            if not base.has(path) or _unix(base.content(path)) != _unix(self.tree.content(path))
        }
        versions = BaseVersions((base,), frozenset(changed))
        siblings = Siblings(base, settings)
        examined: list[FileReport] = []
        for path in paths:
            adr = source(self.tree, settings, None, versions, path, siblings)
            examined.append(accepted_text.examine(adr, settings.ruleset, self.tree.present))
        corpus = self._corpus(examined)
        return [
            finish(file, settings.ruleset, corpus, Terms(counts=self._suppressed.get(file.path)))
            for file in examined
        ]

    def corpus(self, path: str) -> Corpus:
        """Return the ADRs around one, without the history of missing files."""
        corpus = self._corpus([], fates={})
        corpus.add(self.tree.folder(collection(path)))
        return corpus

    def _corpus(
        self, examined: list[FileReport], fates: dict[str, PathHistory] | None = None
    ) -> Corpus:
        """Return the ADRs around examined ones."""
        corpus, _ = corpus_around(
            examined,
            self.tree,
            self._settings,
            CheckTarget(self._root, self._index, self._head),
            is_staged=False,
            is_whole=False,
            fates=fates,
        )
        return corpus


def _unix(data: bytes) -> bytes:
    """Return a text for a comparison, without a byte order mark and with Unix line ends."""
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
