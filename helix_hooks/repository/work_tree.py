"""The files of a repository as they lie on the disk."""

import os
import stat
from collections.abc import Collection
from functools import cached_property

from ..adr.parse.document import AdrDocument, parse, unreadable
from ..errors import ConfigError
from ..paths import MAX_BYTES
from ..yaml_values import Defect
from . import git, links
from .git import slashes
from .index import Index
from .links import CLOSED, FILE, FOLDER, LINK, NOTHING, OTHER, SUBMODULE, WRONG, Place, above
from .trees import below, ending_in_md, refuse, submodules_of, unread, walk


def _regular(place: str) -> bytes | None:
    """Return the bytes of a regular file, None for anything else.

    It makes only four system calls, because it runs for every ADR.
    """
    opened = os.open(
        place,
        os.O_RDONLY
        | getattr(os, "O_NOFOLLOW", 0)
        | getattr(os, "O_NONBLOCK", 0)
        | getattr(os, "O_BINARY", 0),
    )
    try:
        facts = os.fstat(opened)
        if not stat.S_ISREG(facts.st_mode):
            return None
        data = os.read(opened, min(facts.st_size, MAX_BYTES) + 1)
        return data if len(data) >= min(facts.st_size, MAX_BYTES) else None
    finally:
        os.close(opened)


def unix(data: bytes) -> bytes:
    """Return a content with the line ends that git has in its objects."""
    return data.replace(b"\r\n", b"\n")


class WorkTree:
    """Files as they lie on disk below `root`; a path outside of it is absolute.

    The disk counts, also where git does not look at it; a file that a sparse checkout left out is
    read from the index.
    """

    def __init__(self, root: str, index: Index | None) -> None:
        self._root, self._index = root, index
        self._places: set[str] | None = None
        self._straight: dict[str, bool] = {"": True}
        self.linked: list[tuple[object, frozenset[str]]] = []

    def read(self, path: str) -> bytes | None:
        place = self.place(path)
        refuse(path, place)
        if place.kind == NOTHING:
            return None
        if place.path in self._sparse:
            raise ConfigError(
                path,
                1,
                "",
                (
                    f"{place.path} is tracked, and not on the disk (sparse checkout); `git "
                    "sparse-checkout add` it"
                ),
            )
        data = self._bytes(place.path)
        if data is None:
            raise ConfigError(
                path, 1, "", "the file may not be read; give yourself permission (chmod +r)"
            )
        return data

    def content(self, path: str) -> bytes:
        place = self.place(path)
        return (self._bytes(place.path) or b"") if place.kind == FILE else b""

    def _bytes(self, path: str) -> bytes | None:
        """Return the bytes of a resolved path, None if they may not be read."""
        try:
            with open(os.path.join(self._root, path), "rb") as file:
                return file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return self._index.read(path) if self._index else None
        except OSError:
            return None

    def raw(self, path: str) -> bytes | None:
        data = self._at_once(path)
        if data is None:
            place = self.place(path)
            data = self._bytes(place.path) if place.kind == FILE else None
        return data

    def document(self, path: str) -> AdrDocument:
        data = self.raw(path)
        if data is not None:
            return parse(data, path)
        place = self.place(path)
        if place.kind != FILE:
            return unread(path, place)
        return unreadable(
            path, Defect(1, "the file may not be read; give yourself permission (chmod +r)")
        )

    def _at_once(self, path: str) -> bytes | None:
        """Return the bytes of a file that no link leads to, which is the usual case."""
        if not self._is_straight(path.rpartition("/")[0]) or (
            self._index and self._may_be_text(path)
        ):
            return None
        try:
            return _regular(os.path.join(self._root, path))
        except OSError:
            return None

    def _is_straight(self, folder: str) -> bool:
        """Return whether a folder and all folders above it are folders, not links."""
        if folder not in self._straight:
            place = os.path.join(self._root, folder)
            above = not os.path.isabs(folder) and self._is_straight(folder.rpartition("/")[0])
            self._straight[folder] = os.path.isabs(folder) or (above and not os.path.islink(place))
        return self._straight[folder]

    def place(self, path: str) -> Place:
        if os.path.isabs(path) and not os.path.lexists(path):
            return Place(NOTHING, path)
        if os.path.isabs(path):
            return Place(
                FILE if os.path.isfile(path) else WRONG, path, f"{path} is no regular file"
            )
        return links.resolve(path, self._look)

    def _look(self, path: str) -> tuple[str, str]:
        place = os.path.join(self._root, path)
        try:
            mode = os.lstat(place).st_mode
            if stat.S_ISLNK(mode):
                return LINK, slashes(os.readlink(place))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return self._not_on_disk(path)
        except PermissionError:
            return CLOSED, ""
        except OSError:
            return OTHER, ""
        if stat.S_ISDIR(mode):
            other = os.path.lexists(os.path.join(place, ".git")) or self._is_submodule(path)
            return (SUBMODULE if other else FOLDER), ""
        if not stat.S_ISREG(mode):
            return OTHER, ""
        return (LINK, self._text(place)) if self._index and self._may_be_text(path) else (FILE, "")

    def _not_on_disk(self, path: str) -> tuple[str, str]:
        """Return git's entry for a path that is not on the disk: left out by a sparse checkout, or
        in a submodule.
        """
        if not self._index:
            return NOTHING, ""
        if path in self._sparse:
            return self._index.look(path)
        if any(name.startswith(f"{path}/") for name in self._sparse):
            return FOLDER, ""
        return (SUBMODULE if any(map(self._is_submodule, (path, *above(path)))) else NOTHING), ""

    def _is_submodule(self, path: str) -> bool:
        return (
            self._index is not None
            and not self._index.plain()
            and self._index.kind(path) == SUBMODULE
        )

    def _may_be_text(self, path: str) -> bool:
        """Return whether a regular file stands for a link.

        Git writes such files where the file system has no links (core.symlinks=false).
        """
        return path in self._as_text

    @cached_property
    def _as_text(self) -> frozenset[str]:
        if not self._index or self._index.plain():
            return frozenset()
        tracked = [path for path, (kind, _) in self._index.everything().items() if kind == LINK]
        written = [path for path in tracked if not os.path.islink(os.path.join(self._root, path))]
        return (
            frozenset(written) if written and git.writes_links_as_text(self._root) else frozenset()
        )

    def _text(self, place: str) -> str:
        with open(place, "rb") as file:
            return file.read(links.LONGEST_TARGET + 1).decode(errors="surrogateescape")

    def has(self, path: str) -> bool:
        return self._may_be_there(path) and self.place(path).kind == FILE

    def there(self, path: str) -> bool:
        return self._may_be_there(path) and self.place(path).kind != NOTHING

    def _may_be_there(self, path: str) -> bool:
        return self._places is None or path in self._places

    def tracked(self, path: str) -> bool:
        if not self.there(path):
            return False
        return self._index is None or any(
            self._index.kind(name) is not None for name in self.place(path).passed if name
        )

    @cached_property
    def _known(self) -> git.Known:
        if self._index:
            self._index.plain()  # reads the index while git lists the work tree
            return git.known(self._root)
        walked = [slashes(os.path.relpath(name, self._root)) for name in walk(self._root)]
        listing, none = git.listing(walked), frozenset[str]()
        return git.Known(listing, untracked=frozenset(walked), hidden=none, sparse=none)

    @cached_property
    def _paths(self) -> list[str]:
        return self._known.paths

    @cached_property
    def _markdown(self) -> list[str]:
        return self._known.markdown

    @cached_property
    def _sparse(self) -> frozenset[str]:
        """Return tracked files that a sparse checkout left out of the disk."""
        there = self._known.sparse if self._index else ()
        return frozenset(
            path for path in there if not os.path.lexists(os.path.join(self._root, path))
        )

    @property
    def untracked(self) -> frozenset[str]:
        """Return the files that git neither tracks nor ignores."""
        return self._known.untracked if self._index else frozenset()

    @property
    def hidden(self) -> frozenset[str]:
        """Return paths on the disk whose changes git does not look at."""
        return self._known.hidden - self._sparse

    @property
    def unseen(self) -> frozenset[str]:
        """Return those of them whose content is not the staged one, which git would commit."""
        index = self._index
        if not index or not self.hidden:
            return frozenset()
        return frozenset(
            path for path in self.hidden if self._plain(path) != unix(index.read(path) or b"")
        )

    def _plain(self, path: str) -> bytes | None:
        try:
            return unix(_regular(os.path.join(self._root, path)) or b"")
        except OSError:
            return None

    @cached_property
    def _names(self) -> dict[str, Place]:
        tracked = {} if not self._index or self._index.plain() else self._index.everything()
        new = (
            path for path in self._known.untracked if os.path.islink(os.path.join(self._root, path))
        )
        linked = [*new, *(path for path, (kind, _) in tracked.items() if kind == LINK)]
        return links.names(self._paths, linked, self._look) if linked else {}

    def names(self) -> dict[str, Place]:
        return self._names

    def submodules(self) -> list[str]:
        return submodules_of(self._index) if self._index else []

    def folder(self, path: str) -> list[str]:
        known = below(self._paths, path)
        return list(dict.fromkeys((*known, *below(self._names, path)))) if self._names else known

    def markdown(self, folder: str) -> list[str]:
        return ending_in_md(self.folder(folder)) if self._names else below(self._markdown, folder)

    def closed(self) -> list[str]:
        if not self._index or not self._known.has_warnings:
            return []
        found: list[str] = []
        for _ in os.walk(self._root, onerror=lambda error: found.append(error.filename)):
            pass
        return [slashes(os.path.relpath(path, self._root)) for path in found]

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
        self._places = places = set(self.folder(""))
        for path in list(places):
            while (path := os.path.dirname(path)) and path not in places:
                places.add(path)

    def present(self, paths: Collection[str]) -> set[str]:
        if self._places is not None:
            return {path for path in paths if path.rstrip("/") in self._places}
        return {path for path in paths if self.on_disk(path)}

    def after_fork(self) -> None:
        if self._index:
            self._index.after_fork()
