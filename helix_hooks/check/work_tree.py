"""The files of a repository on the disk."""

import os
import stat
from collections.abc import Collection
from functools import cached_property

from ..adr.parse.document import AdrDocument, parse, unreadable
from ..errors import ConfigError
from ..git import slashes, writes_links_as_text
from ..git.listing import Known, known, listing
from ..paths import MAX_BYTES, is_markdown
from ..yaml_reader import Defect
from .git_tree import GitTree
from .trees import (
    CLOSED,
    FILE,
    FOLDER,
    LINK,
    LONGEST_TARGET,
    NOTHING,
    OTHER,
    SUBMODULE,
    WRONG,
    Place,
    above,
    below,
    names_of_links,
    refused,
    resolve,
    unread,
    walk,
)

_NOT_READABLE = "permission denied; make the file readable (chmod +r)"


def _read_regular(full_path: str) -> bytes | None:
    """Return the bytes of a regular file; None for anything else."""
    # Only four system calls, because this runs for every ADR.
    opened = os.open(full_path, _FLAGS)
    try:
        facts = os.fstat(opened)
        if not stat.S_ISREG(facts.st_mode):
            return None
        data = os.read(opened, min(facts.st_size, MAX_BYTES) + 1)
        # A read may return fewer bytes. The caller then reads the file as a stream.
        if len(data) >= min(facts.st_size, MAX_BYTES):
            return data
        return None
    finally:
        os.close(opened)


def unix(data: bytes) -> bytes:
    """Return a content with the line endings that git has in its objects."""
    return data.replace(b"\r\n", b"\n")


_FLAGS = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
    # Windows and others lack some. A named pipe without O_NONBLOCK would block the program.
    _FLAGS |= getattr(os, _name, 0)


def _target_in_text(full_path: str) -> str:
    """Return the text of a file that git wrote instead of a link: the target of the link."""
    with open(full_path, "rb") as file:
        return file.read(LONGEST_TARGET + 1).decode(errors="surrogateescape")


class WorkTree:
    """Files on the disk below `root`; a path outside of it is absolute.

    The disk is read even if git ignores changes of a file. A file that a sparse checkout left out
    is read from the index.
    """

    def __init__(self, root: str, index: GitTree | None) -> None:
        self._root, self._index = root, index
        # All paths and folders, relative to the root; None before `remember`.
        self._known_paths: set[str] | None = None
        self._straight: dict[str, bool] = {"": True}
        # Only `files` uses it, which caches the ADRs that links give.
        self.linked_adrs_cache: list[tuple[object, frozenset[str]]] = []

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file that must be readable, cut after 1 MB; None if it is missing.

        Links are followed, as in `content`, `raw` and `document`, which raise nothing.

        Raises:
            ConfigError: The entry is not a readable file of this tree.
        """
        place = self.place(path)
        if place.kind == NOTHING:
            return None
        if place.kind != FILE:
            raise refused(path, place)
        if place.path in self._sparse:
            problem = f"{place.path} is tracked, and not on the disk (sparse checkout)"
            raise ConfigError(path, 1, "", f"{problem}; `git sparse-checkout add` it")
        data = self._read_resolved(place.path)
        if data is None:
            raise ConfigError(path, 1, "", _NOT_READABLE)
        return data

    def content(self, path: str) -> bytes:
        """Return the bytes of a file, cut after 1 MB; empty if it is missing or unreadable."""
        place = self.place(path)
        if place.kind != FILE:
            return b""
        return self._read_resolved(place.path) or b""

    def _read_resolved(self, path: str) -> bytes | None:
        """Return the bytes of a path without links; None if they can't be read.

        A file that is not on the disk is read from the index.
        """
        try:
            with open(os.path.join(self._root, path), "rb") as file:
                return file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            if self._index:
                return self._index.stored(path)
            return None
        except OSError:
            return None

    def raw(self, path: str) -> bytes | None:
        """Return the bytes that `document` parses; None if they are missing or unreadable.

        The same as `content`, but faster in the usual case, since it runs for every ADR.
        """
        data = self._read_without_links(path)
        if data is not None:
            return data
        place = self.place(path)
        if place.kind == FILE:
            return self._read_resolved(place.path)
        return None

    def document(self, path: str) -> AdrDocument:
        """Return the parsed file, or a document with the reason why it can't be read."""
        data = self.raw(path)
        if data is not None:
            return parse(data, path)
        place = self.place(path)
        if place.kind != FILE:
            return unread(path, place)
        return unreadable(path, Defect(1, _NOT_READABLE))

    def _read_without_links(self, path: str) -> bytes | None:
        """Return the bytes of a regular file whose path has no links; None in all other cases."""
        if not self._is_straight(path.rpartition("/")[0]):
            return None
        if self._index and self._is_link_as_text(path):
            return None
        try:
            return _read_regular(os.path.join(self._root, path))
        except OSError:
            return None

    def _is_straight(self, folder: str) -> bool:
        """Return whether a folder and all folders above it are folders, not links."""
        if folder not in self._straight:
            if os.path.isabs(folder):
                self._straight[folder] = True
            else:
                parent = folder.rpartition("/")[0]
                is_link = os.path.islink(os.path.join(self._root, folder))
                self._straight[folder] = self._is_straight(parent) and not is_link
        return self._straight[folder]

    def place(self, path: str) -> Place:
        """Resolve a path through links. An absolute path is not resolved."""
        if not os.path.isabs(path):
            return resolve(path, self._entry)
        if not os.path.lexists(path):
            return Place(NOTHING, path)
        kind = FILE if os.path.isfile(path) else WRONG
        return Place(kind, path, f"{path} is not a regular file")

    def _entry(self, path: str) -> tuple[str, str]:
        """Return the kind of the entry at a path, and the target of a link."""
        full_path = os.path.join(self._root, path)
        try:
            mode = os.lstat(full_path).st_mode
            if stat.S_ISLNK(mode):
                return LINK, slashes(os.readlink(full_path))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return self._not_on_disk(path)
        except PermissionError:
            return CLOSED, ""
        except OSError:
            return OTHER, ""
        if stat.S_ISDIR(mode):
            return self._kind_of_folder(path), ""
        if not stat.S_ISREG(mode):
            return OTHER, ""
        if self._index and self._is_link_as_text(path):
            return LINK, _target_in_text(full_path)
        return FILE, ""

    def _kind_of_folder(self, path: str) -> str:
        # A folder with a repository of its own is foreign even if it is not added as a submodule.
        if os.path.lexists(os.path.join(self._root, path, ".git")) or self._is_submodule(path):
            return SUBMODULE
        return FOLDER

    def _not_on_disk(self, path: str) -> tuple[str, str]:
        """Return the entry of git for a path that is not on the disk.

        A sparse checkout may have left it out, or it may be in a submodule.
        """
        if not self._index:
            return NOTHING, ""
        if path in self._sparse:
            return self._index.look(path)
        if any(name.startswith(f"{path}/") for name in self._sparse):
            return FOLDER, ""
        if any(map(self._is_submodule, (path, *above(path)))):
            return SUBMODULE, ""
        return NOTHING, ""

    def _is_submodule(self, path: str) -> bool:
        if self._index is None or self._index.is_plain:
            return False
        return self._index.entry(path)[0] == SUBMODULE

    def _is_link_as_text(self, path: str) -> bool:
        """Return whether a regular file has the target of a link as its text.

        git writes such files if the file system has no links (core.symlinks=false).
        """
        return path in self._links_as_text

    @cached_property
    def _links_as_text(self) -> frozenset[str]:
        """Return the tracked links that git wrote as regular files."""
        if not self._index or self._index.is_plain:
            return frozenset()
        tracked = [path for path, (kind, _) in self._index.entries.items() if kind == LINK]
        written = [path for path in tracked if not os.path.islink(os.path.join(self._root, path))]
        if not written or not writes_links_as_text(self._root):
            return frozenset()
        return frozenset(written)

    def has(self, path: str) -> bool:
        """Return whether a path, with its links followed, is a regular file."""
        return self._may_be_there(path) and self.place(path).kind == FILE

    def there(self, path: str) -> bool:
        """Return whether a path is anything at all: a file, a folder, or a broken link."""
        return self._may_be_there(path) and self.place(path).kind != NOTHING

    def _may_be_there(self, path: str) -> bool:
        """Return whether the disk must be asked: false if `remember` has not listed the path."""
        # The list has only the paths below the root.
        paths = self._known_paths
        return paths is None or path in paths or os.path.isabs(path)

    def tracked(self, path: str) -> bool:
        """Return whether git tracks a path or a link on the way to it; true outside of git."""
        if not self.there(path):
            return False
        return self._index is None or any(
            self._index.entry(name)[0] for name in self.place(path).passed if name
        )

    @cached_property
    def _known(self) -> Known:
        if self._index:
            # The index is read while git lists the work tree.
            _ = self._index.is_plain
            return known(self._root)
        walked = [slashes(os.path.relpath(name, self._root)) for name in walk(self._root)]
        shown, none = listing(walked), frozenset[str]()
        return Known(shown, untracked=frozenset(walked), hidden=none, sparse=none)

    @cached_property
    def _paths(self) -> list[str]:
        return self._known.paths

    @cached_property
    def _markdown(self) -> list[str]:
        return self._known.markdown

    @cached_property
    def _sparse(self) -> frozenset[str]:
        """Return tracked files that a sparse checkout left out of the disk."""
        if not self._index or not self._known.sparse:
            return frozenset()
        paths = self._known.sparse
        return frozenset(
            path for path in paths if not os.path.lexists(os.path.join(self._root, path))
        )

    @property
    def untracked(self) -> frozenset[str]:
        """Return the files that git neither tracks nor ignores."""
        if self._index:
            return self._known.untracked
        return frozenset()

    @property
    def hidden(self) -> frozenset[str]:
        """Return paths on the disk whose changes git ignores."""
        return self._known.hidden - self._sparse

    @property
    def unseen(self) -> frozenset[str]:
        """Return the `hidden` paths whose content is not that of the index.

        git would commit the index, and so not what is on the disk.
        """
        index = self._index
        if not index or not self.hidden:
            return frozenset()
        return frozenset(
            path
            for path in self.hidden
            if self._unix_content(path) != unix(index.stored(path) or b"")
        )

    def _unix_content(self, path: str) -> bytes | None:
        """Return the content on the disk as git would store it.

        Empty if it is not a regular file, None if it is missing or unreadable.
        """
        try:
            return unix(_read_regular(os.path.join(self._root, path)) or b"")
        except OSError:
            return None

    @cached_property
    def _names(self) -> dict[str, Place]:
        linked = [
            path for path in self._known.untracked if os.path.islink(os.path.join(self._root, path))
        ]
        if self._index and not self._index.is_plain:
            tracked = self._index.entries
            linked += [path for path, (kind, _) in tracked.items() if kind == LINK]
        if not linked:
            return {}
        return names_of_links(self._paths, linked, self._entry)

    def names(self) -> dict[str, Place]:
        return self._names

    def submodules(self) -> list[str]:
        return self._index.submodules() if self._index else []

    def folder(self, path: str) -> list[str]:
        paths = below(self._paths, path)
        if not self._names:
            return paths
        return list(dict.fromkeys((*paths, *below(self._names, path))))

    def markdown(self, folder: str) -> list[str]:
        if self._names:
            return [path for path in self.folder(folder) if is_markdown(path)]
        return below(self._markdown, folder)

    def closed(self) -> list[str]:
        # Walking all folders takes long, and git warns about folders that it can't open.
        if not self._index or not self._known.has_warnings:
            return []
        closed: list[str] = []
        for _ in os.walk(self._root, onerror=lambda error: closed.append(error.filename)):
            pass
        return [slashes(os.path.relpath(path, self._root)) for path in closed]

    def on_disk(self, path: str) -> bool:
        try:
            os.lstat(os.path.join(self._root, path))
        except PermissionError:
            return True
        except (OSError, ValueError):
            return bool(self._sparse and self.place(path).kind != NOTHING)
        return True

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(os.path.join(self._root, path)) or self.place(path).kind == FOLDER

    def remember(self) -> None:
        """Read the list of all paths, so that later look-ups do not ask the disk."""
        self._known_paths = known_paths = set(self.folder(""))
        for path in list(known_paths):
            while (path := os.path.dirname(path)) and path not in known_paths:
                known_paths.add(path)

    def present(self, paths: Collection[str]) -> set[str]:
        if self._known_paths is not None:
            return {path for path in paths if path.rstrip("/") in self._known_paths}
        return {path for path in paths if self.on_disk(path)}

    def after_fork(self) -> None:
        if self._index:
            self._index.after_fork()
