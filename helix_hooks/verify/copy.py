"""A copy of the feedback in the work tree, for agents that can't read other files."""

import contextlib
import errno
import os
import stat

from .. import writing
from ..errors import HelixError
from ..git import run
from ..text import printable
from ..verification.feedback import TITLE


def write(root: str, path: str, text: str, beside: str) -> None:
    """Write the feedback to a path of the repository, or remove the file for an empty text.

    `beside` is the path of a temporary file outside of the work tree.

    Raises:
        HelixError: `refuse` refuses the path.
        OSError: The file can't be written.
    """
    refuse(root, path)
    place = os.path.join(root, path)
    if not text:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place)
        return
    os.makedirs(os.path.dirname(place), exist_ok=True)
    data = text.encode(errors="replace")
    # By a rename from outside: a killed process leaves no temporary file in the work tree.
    writing.replace(beside, data, mode=0o600)
    try:
        os.replace(beside, place)
    except OSError as error:
        if error.errno != errno.EXDEV:  # the git directory may be on another disk
            raise
        writing.replace(place, data, mode=0o600)


def refuse(root: str, path: str) -> None:
    """Refuse a path to which no feedback may be written.

    Raises:
        HelixError: The path is tracked, outside of the repository, below a link, or another file.
    """
    why = reason_against(root, path)
    if why:
        advice = "use a file that git ignores, e.g. .helix/feedback.md"
        raise HelixError(f"cannot write feedback to {printable(path, 200)}: {why}; {advice}")


def reason_against(root: str, path: str) -> str:
    """Return the reason why no feedback may be written to a path; "" if it may."""
    if why := _reason_against_name(path):
        return why
    place = root
    names = path.split("/")
    for number, name in enumerate(names):
        place = os.path.join(place, name)
        if why := _reason_against_place(place, is_last=number == len(names) - 1):
            return why
    tracked = run(["--literal-pathspecs", "ls-files", "-z", "--", path], root)
    return "it is tracked" if tracked.stdout else ""


def _reason_against_name(path: str) -> str:
    names = path.split("/")
    is_inside = not os.path.isabs(path) and not {"", ".", ".."} & {*names}
    # Windows also separates by backslashes, and has drives such as C:.
    if not is_inside or "\\" in path or "\0" in path or path[1:2] == ":":
        return "it is not a path in the repository"
    # Windows and macOS ignore case, and Windows ignores dots and spaces at the end of a name.
    if any(name.casefold().rstrip(". ") == ".git" for name in names):
        return "it is inside .git"
    return ""


def _reason_against_place(place: str, *, is_last: bool) -> str:
    """Return the reason against a file, or against a folder on the way to it."""
    try:
        mode = os.lstat(place).st_mode
    except FileNotFoundError:
        return ""
    except OSError as error:
        return error.strerror or "it can't be read"
    if stat.S_ISLNK(mode):
        return "the path contains a symbolic link"
    if not is_last:
        return "" if stat.S_ISDIR(mode) else "the path contains a file instead of a folder"
    if not stat.S_ISREG(mode):
        return "it is no file"
    with open(place, "rb") as file:
        is_feedback = file.read(len(TITLE)) == TITLE.encode()
    return "" if is_feedback else "another file is there"
