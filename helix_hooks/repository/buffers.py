"""The work tree with the contents of some files replaced: by an editor's buffer, or by stdin."""

import os
from collections.abc import Mapping

from ..adr.parse.document import AdrDocument, parse
from ..paths import MAX_BYTES
from .index import Index
from .links import FILE, Place
from .work_tree import WorkTree, unix


class BufferTree(WorkTree):
    """The files on disk, but those in `buffers` (path in the repository: content) as given.

    A buffer may be of a file that is not on the disk yet. That of a link is the content of the file
    to which the link leads.
    """

    def __init__(self, root: str, index: Index | None, buffers: Mapping[str, bytes]) -> None:
        super().__init__(root, index)
        self._buffers: dict[str, bytes] = {}
        for path, data in buffers.items():
            place = super().place(path)
            names = (path, place.path) if place.kind == FILE else (path,)
            self._buffers.update(dict.fromkeys(names, data[: MAX_BYTES + 1]))

    def read(self, path: str) -> bytes | None:
        data = self._buffers.get(path)
        return super().read(path) if data is None else data

    def content(self, path: str) -> bytes:
        data = self._buffers.get(path)
        return super().content(path) if data is None else data

    def raw(self, path: str) -> bytes | None:
        data = self._buffers.get(path)
        return super().raw(path) if data is None else data

    def document(self, path: str) -> AdrDocument:
        data = self._buffers.get(path)
        return super().document(path) if data is None else parse(data, path)

    def place(self, path: str) -> Place:
        place = super().place(path)
        is_new = path in self._buffers and place.kind != FILE
        return Place(FILE, path) if is_new else place

    def on_disk(self, path: str) -> bool:
        return path in self._buffers or super().on_disk(path)

    @property
    def hidden(self) -> frozenset[str]:
        """Return paths whose content here is not the one that git looks at."""
        index = self._index
        if not index:
            return super().hidden
        changed = (
            path
            for path, data in self._buffers.items()
            if not os.path.isabs(path) and unix(data) != unix(index.read(path) or b"")
        )
        return super().hidden.union(changed)

    def markdown(self, folder: str) -> list[str]:
        return self._with_buffers(super().markdown(folder), folder, ".md")

    def folder(self, path: str) -> list[str]:
        """Return the files below a folder, also those that only a buffer has."""
        return self._with_buffers(super().folder(path), path)

    def _with_buffers(self, known: list[str], folder: str, ending: str = "") -> list[str]:
        beginning = f"{folder}/" if folder else ""
        named = (path for path in self._buffers if not os.path.isabs(path))
        inside = (path for path in named if path.startswith(beginning) and path.endswith(ending))
        new = set(inside).difference(known)
        return sorted((*known, *new)) if new else known
