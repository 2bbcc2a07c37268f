"""A copy of the feedback in the work tree, for agents that may read no other files."""

import contextlib
import errno
import os
import stat

from .. import writing
from ..errors import HelixError
from ..repository.runner import run
from ..text.sanitize import printable
from ..verification.feedback import TITLE


def write(root: str, path: str, text: str, beside: str) -> None:
    """Write the feedback to a path of the repository, or remove it if it is empty.

    It is first written to `beside`, so that a killed process leaves nothing else in the work tree.
    Raises HelixError for a path that is tracked, outside of the repository or behind a link, and
    for a file that is no feedback. Raises OSError.
    """
    refuse(root, path)
    place = os.path.join(root, path)
    if text:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        data = text.encode(errors="replace")
        writing.replace(beside, data, mode=0o600)
        try:
            os.replace(beside, place)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            writing.replace(place, data, mode=0o600)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place)


def refuse(root: str, path: str) -> None:
    """Raise HelixError if no feedback may be written to a path."""
    why = reason_against(root, path)
    if why:
        advice = "name a file that git ignores, as in .helix/feedback.md"
        raise HelixError(f"no feedback can be written to {printable(path, 200)}: {why}; {advice}")


def reason_against(root: str, path: str) -> str:
    """Return why no feedback may be written to a path; "" if it may."""
    names = path.split("/")
    is_inside = not os.path.isabs(path) and not {"", ".", ".."} & {*names}
    if not is_inside or "\\" in path or "\0" in path or path[1:2] == ":":
        return "it is no path in the repository"
    if any(name.casefold().rstrip(". ") == ".git" for name in names):
        return "it is git's own folder"
    place = root
    for number, name in enumerate(names):
        place = os.path.join(place, name)
        if why := _why_not_at(place, is_last=number == len(names) - 1):
            return why
    known = run(["--literal-pathspecs", "ls-files", "-z", "--", path], root)
    return "it is tracked" if known.stdout else ""


def _why_not_at(place: str, *, is_last: bool) -> str:
    try:
        mode = os.lstat(place).st_mode
    except FileNotFoundError:
        return ""
    except OSError as error:
        return error.strerror or "it can't be read"
    if stat.S_ISLNK(mode):
        return "a symbolic link is on the way"
    if not is_last:
        return "" if stat.S_ISDIR(mode) else "a file is on the way"
    if not stat.S_ISREG(mode):
        return "it is no file"
    with open(place, "rb") as file:
        is_feedback = file.read(len(TITLE)) == TITLE.encode()
    return "" if is_feedback else "another file is there"
