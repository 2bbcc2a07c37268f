"""The files that a gate checks, and their contents."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice, takewhile
from typing import NamedTuple

from ..check.branch import named_commit
from ..check.trees import FILE, FOLDER, NOTHING, GitTree, Index, Revision, Tree, walk
from ..check.work_tree import WorkTree
from ..config.gates import Gate
from ..finding import Finding
from ..git import slashes
from ..paths import MAX_BYTES, is_pattern, matches
from ..text import counted
from .results import error
from .work import FLOW, GateWork

_MAX_ON_DISK = 20_000
"""Maximum ignored files of one folder that are matched; a folder with more is a cache or a build.
"""


class Content(NamedTuple):
    """The tree that a gate checks, and the reader of its objects.

    In a run (`has_all`) it has the files that git ignores too, since they are approved with it.
    """

    root: str
    tree: Tree
    reader: GitTree
    on_disk: bool
    has_all: bool

    def ignored(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Return the files among some paths on disk that git ignores."""
        if not self.on_disk:
            return ()
        listed = set(self.tree.folder(""))
        return tuple(path for path in paths if path not in listed)


class Files(NamedTuple):
    """The files that some patterns match, and the findings on missing or unreadable ones."""

    paths: tuple[str, ...]
    findings: tuple[Finding, ...]


@contextmanager
def opened(work: GateWork, *, asks_git: bool = True) -> Iterator[Content]:
    """Open the content of a commit, of the index or of the working tree.

    Without `asks_git` the disk alone says what the files of the working tree are.
    """
    reader: GitTree = Index(work.root)
    if work.head:
        reader = Revision(work.root, named_commit(work.root, "--head", work.head))
    tree: Tree = reader
    on_disk = not (work.head or work.staged)
    if on_disk:
        tree = WorkTree(work.root, reader if asks_git else None)
    try:
        yield Content(work.root, tree, reader, on_disk, on_disk and work.where == FLOW)
    finally:
        reader.close()


def unread(files: Files) -> str:
    """Return how many files are missing, as a phrase."""
    return f"{counted(len(files.findings), 'file')} missing or unreadable"


def files_of(gate: Gate, content: Content) -> Files:
    """Return the files of a gate. Each pattern must match one, and each file must be readable."""
    return matched(gate, gate.files, content)


def matched(gate: Gate, patterns: tuple[str, ...], content: Content) -> Files:
    """Return the files that some patterns match."""
    paths: dict[str, None] = {}
    findings: list[Finding] = []
    asks_git = not content.has_all and any(map(is_pattern, patterns))
    listed = content.tree.folder("") if asks_git else []
    for pattern in patterns:
        matching = _matched(pattern, listed, content)
        if not matching:
            findings.append(error(gate, f"no file matches {pattern!r} ({gate.place})"))
        for path in matching:
            reason = _unreadable(path, content.tree)
            if reason:
                findings.append(error(gate, reason, path))
            else:
                paths[path] = None
    return Files(tuple(paths), tuple(findings))


def _matched(pattern: str, listed: list[str], content: Content) -> list[str]:
    """Return the files that a pattern matches. `listed` are those that git lists."""
    if not is_pattern(pattern):
        return [pattern]
    if content.has_all:
        folder = os.path.join(os.path.realpath(content.root), _literal_folder(pattern))
        if os.path.realpath(folder) != os.path.normpath(folder):
            return []  # it is behind a link, maybe outside of the tree
        folder = os.path.join(content.root, _literal_folder(pattern))
        return sorted(path for path in _below(folder, content.root) if matches(path, (pattern,)))
    matching = [path for path in listed if matches(path, (pattern,))]
    existing = [path for path in matching if content.tree.place(path).kind != NOTHING]
    if existing or not content.on_disk:
        return existing
    return _ignored(pattern, content.root)


def _ignored(pattern: str, root: str) -> list[str]:
    """Return the files on disk that match a pattern, in a folder that git ignores."""
    folder = _literal_folder(pattern)
    if not folder or os.path.islink(os.path.join(root, folder)):
        return []
    below = islice(_below(os.path.join(root, folder), root), _MAX_ON_DISK)
    return [path for path in below if matches(path, (pattern,))]


def _literal_folder(pattern: str) -> str:
    """Return the folder above the first part of a pattern with a wildcard."""
    return "/".join(takewhile(lambda name: not is_pattern(name), pattern.split("/")))


def _below(folder: str, root: str) -> Iterator[str]:
    return (slashes(os.path.relpath(name, root)) for name in walk(folder))


def _unreadable(path: str, tree: Tree) -> str:
    """Return why a file can't be read completely; "" if it can."""
    place = tree.place(path)
    if place.kind == NOTHING:
        return "there is no such file"
    if place.kind == FOLDER:
        return "this is a folder; to check its files, use a pattern that ends in /**"
    if place.kind != FILE:
        return place.reason or "not a regular file"
    data = tree.raw(path)
    if data is None:
        return "it can't be read; fix its permissions (chmod +r), or resolve its merge conflict"
    if len(data) > MAX_BYTES:
        return f"it is larger than {MAX_BYTES // 1_000_000} MB, the maximum for a gate"
    return ""


def hashes_of(paths: tuple[str, ...], content: Content) -> dict[str, tuple[str, ...]]:
    """Return the git hashes of some files; none for a file that does not exist.

    On disk a text may have the line ends of Windows, which git converts, so both hashes count.
    """
    return {path: tuple(_hashes(path, content)) for path in paths}


def _hashes(path: str, content: Content) -> Iterator[str]:
    if content.tree.place(path).kind != FILE:
        return
    data = content.tree.content(path)
    for text in dict.fromkeys((data, data.replace(b"\r\n", b"\n"))):
        blob = b"blob %d\0%s" % (len(text), text)
        yield hashlib.sha1(blob, usedforsecurity=False).hexdigest()
        yield hashlib.sha256(blob).hexdigest()
