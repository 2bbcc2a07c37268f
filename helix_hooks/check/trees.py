"""A tree of files: its interface, and the way through its links.

The tree is on the disk, in the index or in a commit. Links inside it are followed.
"""

import os
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import NamedTuple, Protocol

from ..adr.parse.document import AdrDocument, unreadable
from ..errors import ConfigError, HelixError
from ..yaml_reader import Defect

FILE, FOLDER, LINK, SUBMODULE = "100", "040", "120", "160"
"""Kinds of entries, by the first digits of git's mode; files are 100644 and 100755."""

OTHER = "other"
"""A pipe or a device."""

CLOSED = "closed"
"""An entry below a folder that may not be read."""

NOTHING, WRONG = "", "wrong"
"""Kinds of places: nothing, or an entry that is not a file or folder of this tree."""

MOST_LINKS = 40
"""Maximum number of links in one path; Linux has the same limit."""

LONGEST_TARGET = 4096
"""Maximum length of the target of a link, in characters: PATH_MAX of Linux. A commit may have more.
"""

MOST_NAMES = 50_000
"""Maximum number of names by links. A few links between folders could make millions of names."""

MAY_NOT_BE_READ = "may not be read"
_OUT = "leads out of the repository"
_NOWHERE = "leads to nothing in the repository"
_NO_FILES = {
    SUBMODULE: "is a submodule, whose files belong to another repository",
    OTHER: "is not a regular file",
    CLOSED: MAY_NOT_BE_READ,
}

Look = Callable[[str], tuple[str, str]]
"""Return the kind of the entry at a path without links above it, and the target of a link."""

_SKIPPED_FOLDERS = (".git", "node_modules", "vendor", ".venv")
_COMMIT = "commit the file itself"
_OPEN = "give yourself permission for its folder (chmod u+rx)"


class Place(NamedTuple):
    """The end of a path after its links are followed: `kind` is FILE, FOLDER, NOTHING or WRONG.

    `path` is the resolved path, which has no links. `reason` explains WRONG, as in "config is a
    submodule". `links` are the links that were followed.
    """

    kind: str
    path: str
    reason: str = ""
    links: tuple[str, ...] = ()

    @property
    def passed(self) -> frozenset[str]:
        """Return the paths that decide about the place: the end, and the links on the way."""
        return frozenset((self.path, *self.links))


class Tree(Protocol):
    """Files of a repository by their path in it."""

    linked_adrs_cache: list[tuple[object, frozenset[str]]]
    """A cache of `files`: the ADRs among the names given by links, for each settings."""

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, cut after 1 MB; None if there is nothing.

        Raises ConfigError for an entry that is not a file of this tree, which must not be treated
        as absent.
        """

    def content(self, path: str) -> bytes:
        """Return the bytes of a file; empty if it can't be read."""

    def raw(self, path: str) -> bytes | None:
        """Return the bytes that `document` parses; None if they can't be read."""

    def document(self, path: str) -> AdrDocument:
        """Return the parsed file, or a document with the reason why the file can't be read."""

    def place(self, path: str) -> Place:
        """Resolve a path through links."""

    def has(self, path: str) -> bool:
        """Return whether the file is there."""

    def there(self, path: str) -> bool:
        """Return whether anything is there, even a broken link."""

    def on_disk(self, path: str) -> bool:
        """Return whether a path is on the disk, or is left out by a sparse checkout."""

    def closed(self) -> list[str]:
        """Return the folders that may not be read."""

    def is_folder(self, path: str) -> bool:
        """Return whether there is a folder."""

    def tracked(self, path: str) -> bool:
        """Return whether git tracks an entry; outside of a repository, whether it exists."""

    def folder(self, path: str) -> list[str]:
        """Return the paths of the files below a folder, also through links to folders."""

    def markdown(self, folder: str) -> list[str]:
        """Return the paths of the Markdown files below a folder. Only these may be ADRs."""

    def names(self) -> dict[str, Place]:
        """Return the names that links give to files, with their places; see `names_of_links`."""

    def submodules(self) -> list[str]:
        """Return the paths of the submodules."""

    def present(self, paths: Collection[str]) -> set[str]:
        """Return those of some paths at which there is a file or a folder, looked up together."""

    def remember(self) -> None:
        """Prepare for many look-ups. Called before many files are checked."""

    def after_fork(self) -> None:
        """Drop what belongs to the parent process. Called in a child before anything is read."""


def _wrong(path: str, place: Place) -> str:
    """Return the reason why an entry can't be read, with the fix; "" for a file or nothing."""
    if place.kind == FOLDER:
        return f"{path} is a folder; expected a file"
    if place.kind != WRONG:
        return ""
    way_out = _OPEN if place.reason.endswith(MAY_NOT_BE_READ) else _COMMIT
    return f"{place.reason}; {way_out}"


def refused(path: str, place: Place) -> ConfigError:
    """Return the error for an entry that is a folder, or that is not in this tree."""
    return ConfigError(path, 1, "", _wrong(path, place))


def unread(path: str, place: Place) -> AdrDocument:
    """Return a document whose defect is that it can't be read."""
    return unreadable(path, Defect(1, _wrong(path, place) or f"{path} is not there"))


def below(names: Collection[str], folder: str) -> list[str]:
    """Return the paths below a folder; all for "", the root."""
    if not folder:
        return [*names]
    start = f"{folder}/"
    return [name for name in names if name.startswith(start)]


def walk(folder: str) -> Iterator[str]:
    """Yield the files below a folder of the disk, without those of git and of packages."""
    for place, folders, names in os.walk(folder):
        # os.walk() enters the folders that remain in its list.
        folders[:] = sorted(set(folders).difference(_SKIPPED_FOLDERS))
        yield from (os.path.join(place, name) for name in sorted(names))


def resolve(path: str, look: Look) -> Place:
    """Follow the links in all components of a path."""
    done: list[str] = []
    links: list[str] = []
    waiting = path.split("/")[::-1]
    # The number of waiting components that belong to the path itself. Those of a link's target are
    # above them on the stack.
    own = len(waiting)
    kind = FOLDER
    while waiting:
        own = min(own, len(waiting))
        name = waiting.pop()
        if name in ("", "."):
            continue
        here = "/".join((*done, name))
        # `..` is a folder that was passed before.
        kind, target = (FOLDER, "") if name == ".." else look(here)
        if kind == LINK:
            links.append(here)
            own = min(own, len(waiting))
        problem = _problem(name, kind, target, not done, len(links))
        if problem:
            return Place(WRONG, here, _reason(here, links, problem), tuple(links))
        if name == "..":
            done.pop()
        elif kind == LINK:
            waiting += target.split("/")[::-1]
            kind = FOLDER  # the folder of the link, if its target is "."
        elif kind == FOLDER or (kind == FILE and not waiting):
            done.append(name)
        elif links and (len(waiting) > own or (kind == NOTHING and len(waiting) == own)):
            # The way ends in the target of a link, which makes the link a broken one.
            return Place(WRONG, here, _reason(here, links, _NOWHERE), tuple(links))
        else:
            return Place(NOTHING, path, "", tuple(links))
    return Place(kind, "/".join(done), "", tuple(links))


def _problem(name: str, kind: str, target: str, at_the_root: bool, followed: int) -> str:
    """Return the reason why a component can't be followed; "" if it can."""
    problem = ""
    if name == "..":
        problem = _OUT if at_the_root else ""
    elif name.casefold() == ".git":
        problem = "leads into git's own folder"
    elif kind in _NO_FILES:
        problem = _NO_FILES[kind]
    elif kind == LINK and followed > MOST_LINKS:
        problem = "is part of a loop"
    elif kind == LINK and (not target or len(target) > LONGEST_TARGET):
        problem = _NOWHERE
    # Also a path of Windows, such as C:/x: the same commit may be checked out there.
    elif kind == LINK and (target.startswith("/") or target[1:3] in (":/", ":\\")):
        problem = _OUT
    return problem


def _reason(here: str, links: list[str], problem: str) -> str:
    """Return a problem as a sentence about the first link, or about an entry that is not a file."""
    if problem in _NO_FILES.values() or not links:
        return f"{here} {problem}"
    return f"{links[0]} is a symbolic link that {problem}"


def names_of_links(paths: Iterable[str], links: Iterable[str], look: Look) -> dict[str, Place]:
    """Return the names that `links` give to files, each with its place.

    These are links to files or to nothing, and the files below links to folders. `paths` are all
    paths of the tree.

    Raises:
        HelixError: There are more than MOST_NAMES.
    """
    look = cache(look)  # a link's target may cost a process, and many names pass the same link
    ordered, all_links = sorted(paths), set(links)
    places: dict[str, Place] = {}
    waiting: list[tuple[str, tuple[str, ...]]] = []
    waiting += ((path, ()) for path in sorted(all_links, reverse=True))
    while waiting:
        name, folders = waiting.pop()
        place = resolve(name, look)
        if place.kind != FOLDER:
            places[name] = place
        elif place.path not in folders:  # a link to a folder above it would never end
            start = f"{place.path}/" if place.path else ""
            for number in range(bisect_left(ordered, start), len(ordered)):
                path = ordered[number]
                if not path.startswith(start):
                    break
                shown = f"{name}/{path[len(place.path) :].lstrip('/')}"
                if path in all_links:
                    waiting.append((shown, (*folders, place.path)))
                else:
                    places[shown] = Place(FILE, path, "", place.links)
        if len(places) + len(waiting) > MOST_NAMES:
            raise HelixError(
                f"symbolic links such as {name} give files more than {MOST_NAMES:,} "
                "names; remove links to folders"
            )
    return places


def above(path: str) -> Iterator[str]:
    """Return the folders above a path, the nearest first."""
    while path := path.rpartition("/")[0]:
        yield path
