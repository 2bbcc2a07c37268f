"""Resolve repository paths through symbolic links inside one tree. Pure.

The tree is on the disk, in the index or in a commit.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from ..errors import HelixError

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
        kind, target = _entry(name, here, look)
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
        elif _is_passable(kind, is_last=not waiting):
            done.append(name)
        elif _is_in_target(kind, links, own, len(waiting)):
            return Place(WRONG, here, _reason(here, links, _NOWHERE), tuple(links))
        else:
            return Place(NOTHING, path, "", tuple(links))
    return Place(kind, "/".join(done), "", tuple(links))


def _is_passable(kind: str, *, is_last: bool) -> bool:
    """Return whether a path may have an entry of a kind: a file only at its end."""
    return kind == FOLDER or (kind == FILE and is_last)


def _entry(name: str, here: str, look: Look) -> tuple[str, str]:
    """Return the kind and the target of a component. `..` is a folder that was passed before."""
    if name == "..":
        return (FOLDER, "")
    return look(here)


def _is_in_target(kind: str, links: list[str], own: int, waiting: int) -> bool:
    """Return whether the way ends in the target of a link, which makes the link a broken one."""
    if not links:
        return False
    return waiting > own or (kind == NOTHING and waiting == own)


def _problem(name: str, kind: str, target: str, at_the_root: bool, followed: int) -> str:
    """Return the reason why a component can't be followed; "" if it can."""
    if name == "..":
        if at_the_root:
            return _OUT
        return ""
    if name.casefold() == ".git":
        return "leads into git's own folder"
    if kind in _NO_FILES:
        return _NO_FILES[kind]
    if kind != LINK:
        return ""
    return _problem_of_link(target, followed)


def _problem_of_link(target: str, followed: int) -> str:
    if followed > MOST_LINKS:
        return "is part of a loop"
    if not target or len(target) > LONGEST_TARGET:
        return _NOWHERE
    # Also a path of Windows, such as C:/x: the same commit may be checked out there.
    if target.startswith("/") or target[1:3] in (":/", ":\\"):
        return _OUT
    return ""


def _reason(here: str, links: list[str], problem: str) -> str:
    """Return a problem as a sentence about the first link, or about an entry that is not a file."""
    if problem in _NO_FILES.values() or not links:
        return f"{here} {problem}"
    return f"{links[0]} is a symbolic link that {problem}"


def names(paths: Iterable[str], links: Iterable[str], look: Look) -> dict[str, Place]:
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
            for path in _below(ordered, place.path):
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


def _below(ordered: list[str], folder: str) -> Iterator[str]:
    """Return the paths below a folder; "" is the root."""
    start = ""
    if folder:
        start = f"{folder}/"
    for number in range(bisect_left(ordered, start), len(ordered)):
        if not ordered[number].startswith(start):
            return
        yield ordered[number]


def above(path: str) -> Iterator[str]:
    """Return the folders above a path, the nearest first."""
    while path := path.rpartition("/")[0]:
        yield path
