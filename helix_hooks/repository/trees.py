"""The interface of a tree of files: on the disk, in the index or in a commit.

Links inside the tree are followed.
"""

import os
from collections.abc import Collection, Iterator
from typing import Protocol

from ..adr.parse.document import AdrDocument, unreadable
from ..errors import ConfigError
from ..yaml_reader import Defect
from .index import Index
from .links import FOLDER, MAY_NOT_BE_READ, SUBMODULE, WRONG, Place

_SKIPPED_FOLDERS = (".git", "node_modules", "vendor", ".venv")
_COMMIT = "commit the file itself"
_OPEN = "give yourself permission for its folder (chmod u+rx)"


class Tree(Protocol):
    """Files of a repository by their path in it."""

    linked_adrs_cache: list[tuple[object, frozenset[str]]]
    """A cache of `files`: the ADRs among the names given by links, for each settings."""

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, cut after 1 MB; None if there is nothing.

        Raises ConfigError for an entry that is not a file of this tree, which must not be treated
        as absent.
        """

    def content(self, path: str) -> bytes:
        """Return the bytes of a file; empty if it can't be read."""

    def raw(self, path: str) -> bytes | None:
        """Return the bytes that `document` parses; None if they can't be read."""

    def document(self, path: str) -> AdrDocument:
        """Return the parsed file, or a document with the reason why the file can't be read."""

    def place(self, path: str) -> Place:
        """Resolve a path through links."""

    def has(self, path: str) -> bool:
        """Return whether the file is there."""

    def there(self, path: str) -> bool:
        """Return whether anything is there, even a broken link."""

    def on_disk(self, path: str) -> bool:
        """Return whether a path is on the disk, or is left out by a sparse checkout."""

    def closed(self) -> list[str]:
        """Return the folders that may not be read."""

    def is_folder(self, path: str) -> bool:
        """Return whether there is a folder."""

    def tracked(self, path: str) -> bool:
        """Return whether git tracks an entry; outside of a repository, whether it exists."""

    def folder(self, path: str) -> list[str]:
        """Return the paths of the files below a folder, also through links to folders."""

    def markdown(self, folder: str) -> list[str]:
        """Return the paths of the Markdown files below a folder. Only these may be ADRs."""

    def names(self) -> dict[str, Place]:
        """Return the names that links give to files, with their places; see `links.names`."""

    def submodules(self) -> list[str]:
        """Return the paths of the submodules."""

    def present(self, paths: Collection[str]) -> set[str]:
        """Return those of some paths at which there is a file or a folder, looked up together."""

    def remember(self) -> None:
        """Prepare for many look-ups. Called before many files are checked."""

    def after_fork(self) -> None:
        """Drop what belongs to the parent process. Called in a child before anything is read."""


def _wrong(path: str, place: Place) -> str:
    """Return the reason why an entry can't be read, with the fix; "" for a file or nothing."""
    if place.kind == FOLDER:
        return f"{path} is a folder; expected a file"
    if place.kind != WRONG:
        return ""
    way_out = _OPEN if place.reason.endswith(MAY_NOT_BE_READ) else _COMMIT
    return f"{place.reason}; {way_out}"


def refuse(path: str, place: Place) -> None:
    """Refuse to read an entry that is neither a file nor missing.

    Raises:
        ConfigError: The entry is a folder, or it is not in this tree.
    """
    problem = _wrong(path, place)
    if problem:
        raise ConfigError(path, 1, "", problem)


def unread(path: str, place: Place) -> AdrDocument:
    """Return a document whose defect is that it can't be read."""
    return unreadable(path, Defect(1, _wrong(path, place) or f"{path} is not there"))


def below(names: Collection[str], folder: str) -> list[str]:
    """Return the paths below a folder; all for "", the root."""
    if not folder:
        return [*names]
    start = f"{folder}/"
    return [name for name in names if name.startswith(start)]


def submodules_of(index: Index) -> list[str]:
    """Return the paths of the submodules in an index."""
    if index.plain():
        return []
    return [path for path, (kind, _) in index.everything().items() if kind == SUBMODULE]


def walk(folder: str) -> Iterator[str]:
    """Yield the files below a folder of the disk, without those of git and of packages."""
    for place, folders, names in os.walk(folder):
        # os.walk() enters the folders that remain in its list.
        folders[:] = sorted(set(folders).difference(_SKIPPED_FOLDERS))
        yield from (os.path.join(place, name) for name in sorted(names))
