"""The files of a run in the work tree. With them, each step can be repeated by hand."""

import os
import re

from .. import writing
from ..errors import HelixError
from ..phases.run_state import StageTask
from . import plain
from .place import FILES, files_of

ISSUES = "revision-issues.md"
PROMPT, TEXT, FEEDBACK, OUTPUT = "prompt.md", "text.md", "feedback.md", "output.log"
WRITTEN = "written"
"""The outputs that an attempt wrote, separated by NUL."""
GATE, RESULT, COST = "gate.json", "approval-result.json", "cost.json"

_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def folder_of(root: str, task: StageTask) -> str:
    """Return the folder of a task's files, created if missing.

    Raises:
        HelixError: The path has a link, or the phase is not a folder name.
        OSError: It can't be created.
    """
    if not _SAFE.fullmatch(task.phase):
        raise HelixError(f"{task.phase!r} is not a valid folder name; allowed: a-z, 0-9, - and _")
    return made(root, task.run, task.phase, f"{task.number}-{task.stage}")


def made(root: str, run: str, *below: str) -> str:
    """Return a folder of a run, created if missing.

    Raises:
        HelixError: The path has a link, or the work tree was removed.
        OSError: It can't be created.
    """
    if not os.path.isdir(root):
        raise HelixError(f"the work tree {root} of {run} is gone; cancel the run")
    folder = os.path.join(files_of(root, run), *below)
    os.makedirs(folder, exist_ok=True)
    # By a link, an agent could make this process write files elsewhere.
    if os.path.realpath(folder) != folder:
        raise HelixError(f"{FILES} has a symbolic link in the path of {run}; remove it")
    ignore = os.path.join(root, FILES.split("/", maxsplit=1)[0], ".gitignore")
    if not os.path.lexists(ignore):
        writing.replace(ignore, b"*\n")
    return folder


def write(folder: str, name: str, text: str) -> str:
    """Write a file of a run, and return its path. Raises HelixError, OSError."""
    place = os.path.join(folder, name)
    plain.refuse_special(place)
    writing.replace(place, text.encode(errors="replace"))
    return place


def read(place: str) -> str:
    """Return the text of a file, "" if there is none. Raises HelixError, OSError."""
    return plain.data(place).decode(errors="replace")


def last_prompt(root: str, task: StageTask) -> str:
    """Return the folder of the last prompt stage before a task, "" if there was none."""
    phase_folder = os.path.join(files_of(root, task.run), task.phase)
    for number in range(task.number - 1, 0, -1):
        folder = os.path.join(phase_folder, f"{number}-prompt")
        if os.path.isdir(folder):
            return folder
    return ""
