"""The files of a repository on the disk, also with other contents for some of them."""

import os
import stat
from collections.abc import Collection, Mapping
from functools import cached_property

from ..errors import ConfigError
from ..git import Listing, listing, slashes, writes_links_as_text
from ..paths import MAX_BYTES
from . import trees
from .trees import GitTree, Place, Tree, above, walk


class WorkTree(Tree):
    """Files on the disk below `root`; a path outside of it is absolute.

    The disk is read even if git ignores changes of a file. A file that a sparse checkout left out
    is read from the index.
    """

    unreadable = "permission denied; make the file readable (chmod +r)"

    def __init__(self, root: str, index: GitTree | None) -> None:
        super().__init__(root)
        self._index = index
        # The disk is read once for each path: the same folders and links lead to many ADRs.
        self._looked: dict[str, tuple[str, str]] = {}
        self._on_disk: dict[str, bool] = {}

    @cached_property
    def _listing(self) -> Listing:
        if self._index:
            return listing(self.root)
        walked = tuple(slashes(os.path.relpath(name, self.root)) for name in walk(self.root))
        return Listing(walked, untracked=frozenset(walked))

    @property
    def paths(self) -> Collection[str]:
        return self._listing.paths

    @cached_property
    def _sparse(self) -> frozenset[str]:
        """Tracked files that a sparse checkout left out of the disk."""
        paths = self._listing.sparse if self._index else ()
        return frozenset(path for path in paths if not os.path.lexists(self._full(path)))

    @property
    def untracked(self) -> frozenset[str]:
        """The files that git neither tracks nor ignores."""
        return self._listing.untracked if self._index else frozenset()

    @property
    def hidden(self) -> frozenset[str]:
        """Paths on the disk whose changes git ignores."""
        return self._listing.hidden - self._sparse

    @property
    def unseen(self) -> frozenset[str]:
        """The `hidden` paths whose content is not that of the index.

        git would commit the index, and so not what is on the disk.
        """
        return frozenset(
            path
            for path in self.hidden
            if not self.on_disk(path) or self._differs(path, self.stored(path))
        )

    def _differs(self, path: str, data: bytes | None) -> bool:
        """Return whether a content is another than the one in the index, as git would store it."""
        staged = self._index.stored(path) if self._index else b""
        return _unix(data or b"") != _unix(staged or b"")

    @cached_property
    def links(self) -> frozenset[str]:
        tracked = self._index.links if self._index else frozenset()
        untracked = (path for path in self._listing.untracked if os.path.islink(self._full(path)))
        return tracked.union(untracked)

    @cached_property
    def _links_as_text(self) -> frozenset[str]:
        """Tracked links that git wrote as regular files, with their target as text.

        It writes such files if the file system has no links (core.symlinks=false).
        """
        tracked = self._index.links if self._index else ()
        written = [path for path in tracked if not os.path.islink(self._full(path))]
        return frozenset(written if written and writes_links_as_text(self.root) else ())

    def submodules(self) -> list[str]:
        return self._index.submodules() if self._index else []

    def place(self, path: str) -> Place:
        """Resolve a path through links. An absolute path is not resolved."""
        if not os.path.isabs(path):
            return super().place(path)
        if not os.path.lexists(path):
            return Place(trees.NOTHING, path)
        kind = trees.FILE if os.path.isfile(path) else trees.WRONG
        return Place(kind, path, f"{path} is not a regular file")

    def look(self, path: str) -> tuple[str, str]:
        if path not in self._looked:
            self._looked[path] = self._look(path)
        return self._looked[path]

    def _look(self, path: str) -> tuple[str, str]:
        full_path = self._full(path)
        try:
            mode = os.lstat(full_path).st_mode
            if stat.S_ISLNK(mode):
                return trees.LINK, slashes(os.readlink(full_path))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return self._not_on_disk(path)
        except PermissionError:
            return trees.CLOSED, ""
        except OSError:
            return trees.OTHER, ""
        if stat.S_ISDIR(mode):
            # A folder with a repository of its own is foreign even if it is not a submodule.
            is_foreign = os.path.lexists(os.path.join(full_path, ".git"))
            return (trees.SUBMODULE if is_foreign or self._is_submodule(path) else trees.FOLDER), ""
        if not stat.S_ISREG(mode):
            return trees.OTHER, ""
        if path in self._links_as_text:
            with open(full_path, "rb") as file:
                return trees.LINK, file.read(trees.LONGEST_TARGET + 1).decode(
                    errors="surrogateescape"
                )
        return trees.FILE, ""

    def _not_on_disk(self, path: str) -> tuple[str, str]:
        """Return the entry of git for a path that is not on the disk.

        A sparse checkout may have left it out, or it may be in a submodule.
        """
        if self._index and path in self._sparse:
            return self._index.look(path)
        if any(name.startswith(f"{path}/") for name in self._sparse):
            return trees.FOLDER, ""
        if any(map(self._is_submodule, (path, *above(path)))):
            return trees.SUBMODULE, ""
        return trees.NOTHING, ""

    def _is_submodule(self, path: str) -> bool:
        return self._index is not None and self._index.entry(path)[0] == trees.SUBMODULE

    def stored(self, path: str) -> bytes | None:
        """Return the bytes of a path without links; of one that is not on the disk, from the index.

        None if they can't be read.
        """
        try:
            with open(self._full(path), "rb") as file:
                return file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return self._index.stored(path) if self._index else None
        except OSError:
            return None

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file that is on the disk; None if it is missing.

        Raises:
            ConfigError: The entry is not a readable file, or a sparse checkout left it out.
        """
        end = self.place(path).path
        if end in self._sparse:
            problem = f"{end} is tracked, and not on the disk (sparse checkout)"
            raise ConfigError(path, 1, "", f"{problem}; `git sparse-checkout add` it")
        return super().read(path)

    def tracked(self, path: str) -> bool:
        """Return whether git tracks a path or a link to it; outside of git, whether it is there."""
        if not self.there(path):
            return False
        return self._index is None or any(
            self._index.entry(name)[0] for name in self.place(path).passed if name
        )

    def on_disk(self, path: str) -> bool:
        if path not in self._on_disk:
            try:
                os.lstat(self._full(path))
                self._on_disk[path] = True
            except PermissionError:
                self._on_disk[path] = True
            except (OSError, ValueError):
                self._on_disk[path] = bool(self._sparse) and self.there(path)
        return self._on_disk[path]

    def present(self, paths: Collection[str]) -> set[str]:
        return {path for path in paths if self.on_disk(path)}

    def after_fork(self) -> None:
        if self._index:
            self._index.after_fork()

    def _full(self, path: str) -> str:
        return os.path.join(self.root, path)


class BufferTree(WorkTree):
    """The files on the disk, except those in `buffers` (path: content) and those in `gone`.

    A buffer is the content of an editor, of stdin, or of a fix that is not written yet. It may be
    of a file that is not on the disk. The buffer of a link is the content of the linked file.
    """

    def __init__(
        self,
        root: str,
        index: GitTree | None,
        buffers: Mapping[str, bytes],
        gone: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(root, index)
        self._buffers: dict[str, bytes] = {}
        self._gone = gone
        for path, data in buffers.items():
            place = super().place(path)
            names = (path, place.path) if place.kind == trees.FILE else (path,)
            self._buffers.update(dict.fromkeys(names, data[: MAX_BYTES + 1]))

    @property
    def paths(self) -> Collection[str]:
        paths = super().paths
        new = self._buffers.keys() - paths
        new = {path for path in new if not os.path.isabs(path)}
        return sorted({*paths, *new} - self._gone) if new or self._gone else paths

    @property
    def hidden(self) -> frozenset[str]:
        """Paths with another content than the one that git compares."""
        if not self._index:
            return super().hidden
        changed = {path for path, data in self._buffers.items() if self._differs(path, data)}
        return super().hidden | {path for path in changed if not os.path.isabs(path)}

    def look(self, path: str) -> tuple[str, str]:
        return (trees.NOTHING, "") if path in self._gone else super().look(path)

    def place(self, path: str) -> Place:
        place = super().place(path)
        if path in self._buffers and path not in self._gone and place.kind != trees.FILE:
            return Place(trees.FILE, path)
        return place

    def raw(self, path: str) -> bytes | None:
        buffer = self._buffers.get(path)
        return super().raw(path) if buffer is None else buffer

    def on_disk(self, path: str) -> bool:
        is_new = path in self._buffers or super().on_disk(path)
        return is_new and path not in self._gone


def _unix(data: bytes) -> bytes:
    """Return a content with the line endings that git has in its objects."""
    return data.replace(b"\r\n", b"\n")
