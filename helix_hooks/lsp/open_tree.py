"""The work tree with the open buffers of an editor, which change while the tree is in use."""

from collections.abc import Mapping

from ..adr.parse.document import AdrDocument
from ..check.trees import GitTree
from ..check.work_tree import BufferTree
from ..paths import MAX_BYTES


class OpenTree(BufferTree):
    """A tree of buffers that caches its listing of the disk while the buffers change."""

    def __init__(self, root: str, index: GitTree | None) -> None:
        super().__init__(root, index, {})
        self._documents: dict[str, tuple[bytes, AdrDocument]] = {}

    def put(self, buffers: Mapping[str, bytes]) -> None:
        """Replace all buffers."""
        self._buffers = {path: data[: MAX_BYTES + 1] for path, data in buffers.items()}

    def on_disk(self, path: str) -> bool:
        """Return whether a path is on the disk, or in a buffer that has not been saved yet."""
        return path in self._buffers or super().on_disk(path)

    def document(self, path: str) -> AdrDocument:
        """Return the parsed file. The document of a buffer is cached until the buffer changes."""
        data = self._buffers.get(path)
        if data is None:
            return super().document(path)
        cached = self._documents.get(path)
        if cached and cached[0] == data:
            return cached[1]
        document = super().document(path)
        self._documents[path] = data, document
        return document
