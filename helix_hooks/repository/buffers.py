"""The work tree with the contents of some files replaced: by an editor's buffer, or by stdin."""

from collections.abc import Mapping

from ..adr.parse.document import AdrDocument, parse
from ..paths import MAX_BYTES
from .index import Index
from .links import FILE, Place
from .work_tree import WorkTree


class BufferTree(WorkTree):
    """The files on disk, but those in `buffers` (path in the repository: content) as given.

    A buffer may be of a file that is not on the disk yet.
    """

    def __init__(self, root: str, index: Index | None, buffers: Mapping[str, bytes]) -> None:
        super().__init__(root, index)
        self._buffers = {path: data[: MAX_BYTES + 1] for path, data in buffers.items()}

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
        return Place(FILE, path) if path in self._buffers else super().place(path)

    def folder(self, path: str) -> list[str]:
        """Return the files below a folder, also those that only a buffer has."""
        known = super().folder(path)
        beginning = f"{path}/" if path else ""
        new = {name for name in self._buffers if name.startswith(beginning)}.difference(known)
        return sorted((*known, *new)) if new else known
