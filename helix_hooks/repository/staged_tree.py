"""The files of a repository in the index, or in a commit."""

import os
from collections.abc import Collection
from functools import cached_property

from ..adr.parse.document import AdrDocument, parse, unreadable
from ..paths import is_markdown
from ..yaml_reader import Defect
from . import links
from .index import Index
from .links import FILE, FOLDER, LINK, NOTHING, SUBMODULE, Place
from .trees import below, refuse, submodules_of, unread

_UNMERGED = Defect(1, "the merge of this file is not finished; resolve it and `git add` it")


class StagedTree:
    """Files in the index, or in a commit, of the repository at `root`."""

    def __init__(self, index: Index, root: str) -> None:
        self._index, self._root = index, root
        self.linked_adrs_cache: list[tuple[object, frozenset[str]]] = []

    def read(self, path: str) -> bytes | None:
        place = self.place(path)
        refuse(path, place)
        if place.kind == FILE:
            return self._index.read(place.path)
        return None

    def content(self, path: str) -> bytes:
        place = self.place(path)
        if place.kind != FILE:
            return b""
        return self._index.read(place.path) or b""

    def raw(self, path: str) -> bytes | None:
        place = self.place(path)
        if place.kind != FILE or self._is_unmerged(path, place):
            return None
        return self._index.read(place.path)

    def document(self, path: str) -> AdrDocument:
        data = self.raw(path)
        if data is not None:
            return parse(data, path)
        place = self.place(path)
        if self._is_unmerged(path, place):
            return unreadable(path, _UNMERGED)
        return unread(path, place)

    def _is_unmerged(self, path: str, place: Place) -> bool:
        return self._index.unmerged(path) or self._index.unmerged(place.path)

    def place(self, path: str) -> Place:
        return self._index.place(path)

    def has(self, path: str) -> bool:
        return self.place(path).kind == FILE

    def there(self, path: str) -> bool:
        return self.place(path).kind != NOTHING

    def is_link(self, path: str) -> bool:
        """Return whether a path itself is a link."""
        return self._index.kind(path) == LINK

    def is_submodule(self, path: str) -> bool:
        """Return whether a path is a submodule."""
        return self._index.kind(path) == SUBMODULE

    tracked = there

    def closed(self) -> list[str]:
        return []

    def on_disk(self, path: str) -> bool:
        return self.there(path) or os.path.lexists(os.path.join(self._root, path))

    def is_folder(self, path: str) -> bool:
        return self.place(path).kind == FOLDER or os.path.isdir(os.path.join(self._root, path))

    def folder(self, path: str) -> list[str]:
        paths = self._index.below(path)
        if not self.names():
            return paths
        return list(dict.fromkeys((*paths, *below(self._names, path))))

    def markdown(self, folder: str) -> list[str]:
        return [path for path in self.folder(folder) if is_markdown(path)]

    def names(self) -> dict[str, Place]:
        if self._index.plain():
            return {}
        return self._names

    @cached_property
    def _names(self) -> dict[str, Place]:
        entries = self._index.everything()
        linked = [path for path, (kind, _) in entries.items() if kind == LINK]
        return links.names(entries, linked, self._index.look)

    def submodules(self) -> list[str]:
        return submodules_of(self._index)

    def present(self, paths: Collection[str]) -> set[str]:
        """Return the paths that exist."""
        stripped = [path.rstrip("/") for path in paths]
        files = [path for path in stripped if "." in path.rpartition("/")[2]]
        existing = {path for path in files if self._has_entry(path)}
        # The index would list all files in a folder, so folders are looked up on the disk.
        for path in stripped:
            if path not in existing and os.path.isdir(os.path.join(self._root, path)):
                existing.add(path)
        return existing

    def _has_entry(self, path: str) -> bool:
        if self._index.kind(path):
            return True
        return not self._index.plain() and self.there(path)

    def blob(self, path: str) -> tuple[str, str] | None:
        """Return the kind and the object of a path. A link has those of its file."""
        place = self.place(path)
        return self._index.entry(place.path if place.kind == FILE else path)

    def remember(self) -> None:
        self._index.everything()

    def same(self, path: str, other: "StagedTree", other_path: str) -> bool:
        """Return whether two paths have the same content."""
        return self.blob(path) == other.blob(other_path)

    def after_fork(self) -> None:
        self._index.after_fork()

    def close(self) -> None:
        """End the processes of git."""
        self._index.close()
