"""Find a program by its absolute path.

PATH may have relative folders, and an empty entry is the current folder. Windows searches the
current folder first, regardless of PATH. In a checkout, it may have a malicious `git`.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from functools import lru_cache

_ENDINGS = ".COM;.EXE;.BAT;.CMD"
"""The extensions of programs on Windows, if PATHEXT is not set."""


def search_path(variables: Mapping[str, str]) -> str:
    """Return PATH without relative folders, or the default of the system if no folder remains."""
    path = variables.get("PATH", os.defpath)
    return os.pathsep.join(_absolute(path) or _absolute(os.defpath))


def find(program: str, variables: Mapping[str, str]) -> str:
    """Return the path of a program on the PATH, or as named if absolute; "" if there is none.

    The current folder is never searched.
    """
    if os.path.dirname(program):
        if os.path.isabs(program) and _runs(program):
            return program
        return ""
    endings = ""
    if os.name == "nt":
        endings = variables.get("PATHEXT", _ENDINGS)
    return _find_on_path(program, search_path(variables), endings)


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which child processes do not search the current folder either."""
    return {**variables, "PATH": search_path(variables)}


def _absolute(path: str) -> list[str]:
    return [folder for folder in path.split(os.pathsep) if os.path.isabs(folder)]


@lru_cache(maxsize=64)
def _find_on_path(program: str, path: str, endings: str) -> str:
    """Find a program once: one that appears later in an earlier folder is never run."""
    for folder in _absolute(path):
        for place in _spelt(os.path.join(folder, program), endings):
            if _runs(place):
                return place
    return ""


def _spelt(place: str, endings: str) -> Iterator[str]:
    """Yield a path with each extension of a program; the path itself if there are none."""
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
