"""The place of a program that is started: an absolute path, so that nothing in the current folder is ever run in its stead.

PATH may have relative folders, and an empty entry is the current folder; Windows looks there first, whatever PATH says. In a checkout
that is where a `git` of a stranger lies.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from functools import lru_cache

_ENDINGS = ".COM;.EXE;.BAT;.CMD"
"""Windows' own list of what a program may end with, where PATHEXT says nothing."""


def search_path(given: Mapping[str, str]) -> str:
    """PATH without relative folders; where none is left, the system's own."""
    stated = given.get("PATH", os.defpath)
    return os.pathsep.join(_absolute(stated) or _absolute(os.defpath))


def found(program: str, given: Mapping[str, str]) -> str:
    """The place of a program: as named, or on the PATH; never in the current folder. "" where there is none."""
    if os.path.dirname(program):
        return program if os.path.isabs(program) and _runs(program) else ""
    return _found(
        program, search_path(given), given.get("PATHEXT", _ENDINGS) if os.name == "nt" else ""
    )


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """An environment in which what a program starts in turn is not looked for in the current folder either."""
    return {**given, "PATH": search_path(given)}


def _absolute(path: str) -> list[str]:
    return [folder for folder in path.split(os.pathsep) if os.path.isabs(folder)]


@lru_cache(maxsize=64)
def _found(program: str, path: str, endings: str) -> str:
    """Looked for once: a program that appears in an earlier folder while this process lives is not run."""
    places = (
        place
        for folder in _absolute(path)
        for place in _spelt(os.path.join(folder, program), endings)
    )
    return next(filter(_runs, places), "")


def _spelt(place: str, endings: str) -> Iterator[str]:
    """A place with each ending that makes it a program: on Windows one of a list, elsewhere none."""
    listed = [ending for ending in endings.lower().split(";") if ending]
    if not listed or place.lower().endswith(tuple(listed)):
        yield place
        return
    for ending in listed:
        yield place + ending


def _runs(place: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(place).st_mode) and os.access(place, os.X_OK)
    except (OSError, ValueError):
        return False
