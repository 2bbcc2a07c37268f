"""What all trees of files answer, on the disk, in the index or in a commit; symbolic links are followed inside of them."""

import os
from collections.abc import Collection, Iterator
from typing import Protocol

from ..adr.parse.document import AdrDocument, unreadable
from ..errors import ConfigError
from ..yaml_values import Defect
from .index import Index
from .links import FOLDER, SUBMODULE, WRONG, Place


class Tree(Protocol):
    """Files of a repository by their path in it."""

    linked: list[tuple[object, frozenset[str]]]
    """What `files` has found out about names given by links, by the settings."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, cut behind 1 MB; None where there is nothing.

        Raises ConfigError for what is there and is no file of this tree: it is not to be taken for nothing.
        """

    def content(self, path: str) -> bytes:
        """The same, empty where it can't be read."""

    def document(self, path: str) -> AdrDocument:
        """The parsed file, or one whose defect says why it can't be read."""

    def place(self, path: str) -> Place:
        """Where a path leads to."""

    def has(self, path: str) -> bool:
        """Whether the file is there."""

    def there(self, path: str) -> bool:
        """Whether anything is there, a broken link too."""

    def on_disk(self, path: str) -> bool:
        """Whether a path is there, or would be but for a sparse checkout."""

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder."""

    def tracked(self, path: str) -> bool:
        """Whether git has something there; outside of a repository, whether it is there."""

    def folder(self, path: str) -> list[str]:
        """The paths of the files below a folder, also those that links to folders give."""

    def names(self) -> dict[str, Place]:
        """The names that links give to files, with their places; see `links.names`."""

    def submodules(self) -> list[str]:
        """The paths of the submodules."""

    def present(self, paths: Collection[str]) -> set[str]:
        """Those of some paths at which there is a file or a folder; asked for many at once."""

    def remember(self) -> None:
        """To be called before many files are checked."""

    def after_fork(self) -> None:
        """To be called in a child process, before anything is read."""


def _wrong(path: str, place: Place) -> str:
    """Why no file can be read at a place, and what to do; "" where there is one, or nothing."""
    if place.kind == WRONG:
        return f"{place.reason}; commit the file itself"
    return f"{path} is a folder; a file is wanted here" if place.kind == FOLDER else ""


def refuse(path: str, place: Place) -> None:
    if wrong := _wrong(path, place):
        raise ConfigError(path, 1, "", wrong)


def unread(path: str, place: Place) -> AdrDocument:
    return unreadable(path, Defect(1, _wrong(path, place) or f"{path} is not there"))


def below(names: Collection[str], folder: str) -> list[str]:
    return [name for name in names if not folder or name.startswith(f"{folder}/")]


def submodules_of(index: Index) -> list[str]:
    return (
        []
        if index.plain()
        else [path for path, (kind, _) in index.everything().items() if kind == SUBMODULE]
    )


def walk(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in (".git", "node_modules", "vendor", ".venv")
        )
        yield from (os.path.join(place, name) for name in sorted(names))
