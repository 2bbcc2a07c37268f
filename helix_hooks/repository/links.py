"""Resolve repository paths through symbolic links, inside one tree: on the disk, in the index or in
a commit. Pure.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from ..errors import HelixError
from ..records import NamedTuple

FILE, FOLDER, LINK, SUBMODULE = "100", "040", "120", "160"
"""Kinds of entries, by the first digits of git's mode; files are 100644 and 100755."""

OTHER = "other"
"""A pipe or a device."""

CLOSED = "closed"
"""An entry below a folder that may not be read."""

NOTHING, WRONG = "", "wrong"
"""Of places: nothing is there; something is there that is no file or folder of this tree."""

MOST_LINKS = 40
"""Links on one way; Linux follows as many."""

LONGEST_TARGET = 4096
"""Characters of a link's target, which no system exceeds; a commit may name more."""

MOST_NAMES = 50_000
"""Names that links may give to files; a few links to folders in each other could give millions."""

MAY_NOT_BE_READ = "may not be read"
_OUT = "leads out of the repository"
_NOWHERE = "leads to nothing in the repository"
_NO_FILES = {
    SUBMODULE: "is a submodule, whose files belong to another repository",
    OTHER: "is no regular file",
    CLOSED: MAY_NOT_BE_READ,
}

Look = Callable[[str], tuple[str, str]]
"""The kind of what stands at a path without links above it, and where a link points to."""


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
        """The paths that decide what stands here: the end, and the links on the way."""
        return frozenset((self.path, *self.links))


def resolve(path: str, look: Look) -> Place:
    """Follow the links in all components of a path."""
    done: list[str] = []
    links: list[str] = []
    waiting = path.split("/")[::-1]
    own = len(waiting)  # components of the path itself; above them wait those of a link's target
    kind = FOLDER
    while waiting:
        own = min(own, len(waiting))
        name = waiting.pop()
        if name in ("", "."):
            continue
        here = "/".join((*done, name))
        kind, target = (FOLDER, "") if name == ".." else look(here)
        if kind == LINK:
            links.append(here)
            own = min(own, len(waiting))
        why = _why_not(name, kind, target, not done, len(links))
        if why:
            return Place(WRONG, here, _reason(here, links, why), tuple(links))
        if name == "..":
            done.pop()
        elif kind == LINK:
            waiting += target.split("/")[::-1]
            kind = FOLDER  # the one that the link lies in, where its target is "."
        elif kind == FOLDER or (kind == FILE and not waiting):
            done.append(name)
        else:
            in_target = links and len(waiting) >= own and (kind == NOTHING or len(waiting) > own)
            return (
                Place(WRONG, here, _reason(here, links, _NOWHERE), tuple(links))
                if in_target
                else Place(NOTHING, path, "", tuple(links))
            )
    return Place(kind, "/".join(done), "", tuple(links))


def _why_not(name: str, kind: str, target: str, at_the_root: bool, followed: int) -> str:
    """Return the reason why a link can't be followed; "" if it can."""
    if name == "..":
        return _OUT if at_the_root else ""
    if name.casefold() == ".git":
        return "leads into git's own folder"
    if kind in _NO_FILES:
        return _NO_FILES[kind]
    if kind != LINK:
        return ""
    if followed > MOST_LINKS:
        return "runs in a circle"
    if not target or len(target) > LONGEST_TARGET:
        return _NOWHERE
    return _OUT if target.startswith("/") or target[1:3] in (":/", ":\\") else ""


def _reason(here: str, links: list[str], why: str) -> str:
    """Return the reason as a sentence for people: about the first link, or about the entry that is
    not a file.
    """
    if why in _NO_FILES.values() or not links:
        return f"{here} {why}"
    return f"{links[0]} is a symbolic link that {why}"


def names(paths: Iterable[str], links: Iterable[str], look: Look) -> dict[str, Place]:
    """Return the names that `links` give to files, each with its place.

    These are links to files or to nothing, and the files below links to folders. `paths` are all
    paths of the tree. Raises HelixError if there are more than MOST_NAMES.
    """
    look = cache(look)  # a link's target may cost a process, and many names pass the same link
    ordered, known = sorted(paths), set(links)
    found: dict[str, Place] = {}
    waiting: list[tuple[str, tuple[str, ...]]] = [
        (path, ()) for path in sorted(known, reverse=True)
    ]
    while waiting:
        name, above = waiting.pop()
        place = resolve(name, look)
        if place.kind != FOLDER:
            found[name] = place
        elif place.path not in above:  # else all that is in there has this name already
            for path in _below(ordered, place.path):
                shown = f"{name}/{path[len(place.path) :].lstrip('/')}"
                if path in known:
                    waiting.append((shown, (*above, place.path)))
                else:
                    found[shown] = Place(FILE, path, "", place.links)
        if len(found) + len(waiting) > MOST_NAMES:
            raise HelixError(
                f"symbolic links such as {name} give files more than {MOST_NAMES:,} "
                "names; take links to folders out"
            )
    return found


def _below(ordered: list[str], folder: str) -> Iterator[str]:
    """Return the paths below a folder; "" is the root."""
    start = f"{folder}/" if folder else ""
    for number in range(bisect_left(ordered, start), len(ordered)):
        if not ordered[number].startswith(start):
            return
        yield ordered[number]


def above(path: str) -> Iterator[str]:
    """Return the folders above a path, the nearest first."""
    while path := path.rpartition("/")[0]:
        yield path
