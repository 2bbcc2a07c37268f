"""Names that are stored in the folder of a clone, so that they survive another path or remote."""

import contextlib
import json
import os

from .. import writing
from . import plain

FLOWS, PROJECT, LOCAL_PROJECT = "flows.name", "project.name", "local-project.name"
"""The files of the names: that of the clone's runs, and those of the project of its requests, in a
shared database and in that of the clone.
"""


def stored_name(folder: str, file: str) -> str:
    """Return a stored name, "" for none.

    A copy of a clone is another clone: its files say where they were written, and the original is
    still there.
    """
    name, where = _read(folder, file)
    is_copy = where != folder and _read(where, file) == (name, where)
    return "" if is_copy else name


def store_name(folder: str, file: str, name: str) -> None:
    """Store a name, with the folder in which it is stored, unless the folder can't be written."""
    if _read(folder, file) == (name, folder):
        return
    with contextlib.suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        data = json.dumps({"name": name, "folder": folder})
        writing.replace(os.path.join(folder, file), data.encode())


def _read(folder: str, file: str) -> tuple[str, str]:
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        data = json.loads(plain.data(os.path.join(folder, file)))
        return str(data["name"]), str(data["folder"])
    return "", ""
