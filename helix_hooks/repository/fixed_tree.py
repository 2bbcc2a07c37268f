"""The work tree as it would be after fixes: contents replaced, and files renamed."""

from collections.abc import Mapping
from functools import cached_property

from . import git
from .buffers import BufferTree
from .index import Index
from .links import FILE, NOTHING, Place


class FixedTree(BufferTree):
    """The files on disk, with new contents (path: bytes), and without the paths in `gone`.

    What is changed counts as changed since the last commit, also before it is written.
    """

    def __init__(
        self,
        root: str,
        index: Index | None,
        contents: Mapping[str, bytes],
        gone: frozenset[str] = frozenset(),
    ) -> None:
        self._new, self._gone = frozenset(contents), gone  # the next line looks at paths
        super().__init__(root, index, contents)

    @cached_property
    def _known(self) -> git.Known:
        known = super()._known
        new = self._new.difference(known.paths)
        if not new and not self._gone:
            return known
        paths = sorted({*known.paths, *new} - self._gone)
        return known._replace(
            listing=git.listing(paths), untracked=(known.untracked | new) - self._gone
        )

    @property
    def hidden(self) -> frozenset[str]:
        return super().hidden | self._new

    def _at_once(self, path: str) -> bytes | None:
        return None if path in self._gone else super()._at_once(path)

    def _look(self, path: str) -> tuple[str, str]:
        if path in self._gone:
            return NOTHING, ""
        return (FILE, "") if path in self._new else super()._look(path)

    def place(self, path: str) -> Place:
        return Place(NOTHING, path) if path in self._gone else super().place(path)

    def on_disk(self, path: str) -> bool:
        return path not in self._gone and (path in self._new or super().on_disk(path))
