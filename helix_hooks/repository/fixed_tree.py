"""The work tree as it would be after fixes: contents replaced, and files renamed."""

from collections.abc import Mapping
from functools import cached_property

from .buffers import BufferTree
from .git_tree import GitTree
from .listing import Known, listing
from .trees import FILE, NOTHING, Place


class FixedTree(BufferTree):
    """The files on the disk, with new contents (path: bytes), and without the paths in `gone`.

    New contents are changes since the last commit, even before they are written.
    """

    def __init__(
        self,
        root: str,
        index: GitTree | None,
        contents: Mapping[str, bytes],
        gone: frozenset[str] = frozenset(),
    ) -> None:
        # Set first, because the constructor below calls `place`.
        self._new, self._gone = frozenset(contents), gone
        super().__init__(root, index, contents)

    @cached_property
    def _known(self) -> Known:
        known = super()._known
        new = self._new.difference(known.paths)
        if not new and not self._gone:
            return known
        paths = sorted({*known.paths, *new} - self._gone)
        return known._replace(
            listing=listing(paths), untracked=(known.untracked | new) - self._gone
        )

    @property
    def hidden(self) -> frozenset[str]:
        return super().hidden | self._new

    def _read_without_links(self, path: str) -> bytes | None:
        if path in self._gone:
            return None
        return super()._read_without_links(path)

    def _entry(self, path: str) -> tuple[str, str]:
        if path in self._gone:
            return NOTHING, ""
        if path in self._new:
            return FILE, ""
        return super()._entry(path)

    def place(self, path: str) -> Place:
        if path in self._gone:
            return Place(NOTHING, path)
        return super().place(path)

    def on_disk(self, path: str) -> bool:
        if path in self._gone:
            return False
        return path in self._new or super().on_disk(path)
