"""The absolute path of a program to start, so that no program in the current folder runs instead.

PATH may have relative folders, and an empty entry is the current folder. Windows looks there first,
whatever PATH says. In a checkout, a stranger's `git` may lie there.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from functools import lru_cache

_ENDINGS = ".COM;.EXE;.BAT;.CMD"
"""Windows' own list of what a program may end with, where PATHEXT says nothing."""


def search_path(variables: Mapping[str, str]) -> str:
    """Return PATH without relative folders, or the system's own if no folder is left."""
    path = variables.get("PATH", os.defpath)
    return os.pathsep.join(_absolute(path) or _absolute(os.defpath))


def found(program: str, variables: Mapping[str, str]) -> str:
    """Return the path of a program, as named or on the PATH, and never in the current folder; "" if
    there is none.
    """
    if os.path.dirname(program):
        return program if os.path.isabs(program) and _runs(program) else ""
    return _found(
        program,
        search_path(variables),
        variables.get("PATHEXT", _ENDINGS) if os.name == "nt" else "",
    )


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which child processes do not look for programs in the current folder
    either.
    """
    return {**variables, "PATH": search_path(variables)}


def _absolute(path: str) -> list[str]:
    return [folder for folder in path.split(os.pathsep) if os.path.isabs(folder)]


@lru_cache(maxsize=64)
def _found(program: str, path: str, endings: str) -> str:
    """Look a program up once, so that one that appears later in an earlier folder is never run."""
    places = (
        place
        for folder in _absolute(path)
        for place in _spelt(os.path.join(folder, program), endings)
    )
    return next(filter(_runs, places), "")


def _spelt(place: str, endings: str) -> Iterator[str]:
    """Return a path with each file ending of a program: on Windows one of a list, elsewhere
    none.
    """
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
