"""Find a program by its absolute path.

PATH may have relative folders, and an empty entry is the current folder. Windows searches the
current folder first, regardless of PATH. In a checkout, it may have a malicious `git`.
"""

import os
import stat
from collections.abc import Mapping
from functools import lru_cache

_ENDINGS = ".COM;.EXE;.BAT;.CMD"
"""The extensions of programs on Windows, if PATHEXT is not set."""


def search_path(variables: Mapping[str, str]) -> str:
    """Return PATH without relative folders, or the default of the system if no folder remains."""
    for path in (variables.get("PATH", os.defpath), os.defpath):
        folders = [*filter(os.path.isabs, path.split(os.pathsep))]
        if folders:
            return os.pathsep.join(folders)
    return ""


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


@lru_cache(maxsize=64)
def _find_on_path(program: str, path: str, endings: str) -> str:
    """Find a program once: one that appears later in an earlier folder is never run.

    A name without any of the endings, of which there are some on Windows, is tried with each.
    """
    listed = [*filter(None, endings.lower().split(";"))]
    if program.lower().endswith(tuple(listed)):
        listed = []
    for folder in filter(None, path.split(os.pathsep)):
        for ending in listed or [""]:
            place = os.path.join(folder, program + ending)
            if _runs(place):
                return place
    return ""


def _runs(place: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(place).st_mode) and os.access(place, os.X_OK)
    except (OSError, ValueError):
        return False
