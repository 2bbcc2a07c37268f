"""The work tree with other contents for some files: a buffer of an editor, stdin, or fixes."""

import os
from collections.abc import Mapping
from functools import cached_property

from ..adr.parse.document import AdrDocument, parse
from ..git.listing import Known, listing
from ..paths import MAX_BYTES, is_markdown
from .git_tree import GitTree
from .trees import FILE, NOTHING, Place
from .work_tree import WorkTree, unix


class BufferTree(WorkTree):
    """The files on the disk, except the files in `buffers` (path in the repository: content).

    A buffer may be of a file that is not on the disk yet. The buffer of a link is the content of
    the linked file.
    """

    def __init__(self, root: str, index: GitTree | None, buffers: Mapping[str, bytes]) -> None:
        super().__init__(root, index)
        self._buffers: dict[str, bytes] = {}
        for path, data in buffers.items():
            place = super().place(path)
            names = (path, place.path) if place.kind == FILE else (path,)
            self._buffers.update(dict.fromkeys(names, data[: MAX_BYTES + 1]))

    def read(self, path: str) -> bytes | None:
        if path in self._buffers:
            return self._buffers[path]
        return super().read(path)

    def content(self, path: str) -> bytes:
        if path in self._buffers:
            return self._buffers[path]
        return super().content(path)

    def raw(self, path: str) -> bytes | None:
        if path in self._buffers:
            return self._buffers[path]
        return super().raw(path)

    def document(self, path: str) -> AdrDocument:
        if path in self._buffers:
            return parse(self._buffers[path], path)
        return super().document(path)

    def place(self, path: str) -> Place:
        place = super().place(path)
        if path in self._buffers and place.kind != FILE:
            return Place(FILE, path)
        return place

    def on_disk(self, path: str) -> bool:
        return path in self._buffers or super().on_disk(path)

    @property
    def hidden(self) -> frozenset[str]:
        """Return paths with another content than the one that git compares."""
        index = self._index
        if not index:
            return super().hidden
        changed: set[str] = set()
        for path, data in self._buffers.items():
            if not os.path.isabs(path) and unix(data) != unix(index.stored(path) or b""):
                changed.add(path)
        return super().hidden.union(changed)

    def markdown(self, folder: str) -> list[str]:
        paths = self._with_buffers(super().markdown(folder), folder)
        return [path for path in paths if is_markdown(path)]

    def folder(self, path: str) -> list[str]:
        """Return the files below a folder, including those that only a buffer has."""
        return self._with_buffers(super().folder(path), path)

    def _with_buffers(self, paths: list[str], folder: str) -> list[str]:
        beginning = ""
        if folder:
            beginning = f"{folder}/"
        new = set(self._buffers).difference(paths)
        inside = [path for path in new if path.startswith(beginning)]
        inside = [path for path in inside if not os.path.isabs(path)]
        if inside:
            return sorted((*paths, *inside))
        return paths


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
