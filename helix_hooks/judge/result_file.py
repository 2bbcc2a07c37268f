"""The file with the result of a review, for other programs."""

import os

from .. import git, writing
from ..decision.decide import ApproveResult
from ..errors import HelixError, UsageError
from ..text import dumped
from .result_text import results as all_results

_BEGINNING = 4096
"""Bytes of a file in which the key "result" must be."""


def forget(path: str, root: str) -> None:
    """Remove the result of an earlier run, so that it is not read as the result of this run.

    Raises:
        UsageError: The path has another file, or its folder does not exist.
        HelixError: The file can't be removed.
    """
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise UsageError(f"--result {path}: there is no such folder")
    if not os.path.lexists(path):
        return
    if reason := _reason_to_keep(path, root):
        raise UsageError(f"--result {path}: {reason}")
    try:
        os.unlink(path)
    except OSError as error:
        reason = "the existing file could not be removed"
        raise HelixError(f"--result {path}: {reason}: {error.strerror}") from None


def _reason_to_keep(path: str, root: str) -> str:
    """Return the reason not to remove a file; "" for a result of an earlier run."""
    if os.path.islink(path) or not os.path.isfile(path):
        return "it is not a regular file; use another path"
    if not _is_result(path):
        return "the existing file is not a result of an earlier run; use another path"
    listed = ["--literal-pathspecs", "ls-files", "-z", "--", os.path.abspath(path)]
    if git.run(listed, root, check=False).stdout:
        return "the file is tracked by git; use another path"
    return ""


def _is_result(path: str) -> bool:
    """Return whether a file begins like a result. An empty file counts: `mktemp` makes one."""
    with open(path, "rb") as file:
        start = file.read(_BEGINNING).strip()
    return not start or (b'"result"' in start and start[:1] in b"{[")


def write(path: str, result: ApproveResult) -> None:
    """Write the result of a review to a new file: one object, or a list for several types.

    Raises:
        HelixError: The file can't be written.
    """
    results = all_results(result)
    text = dumped(results[0] if len(results) == 1 else results)
    try:
        writing.create(path, text.encode())
    except OSError as error:
        message = f"the result could not be written to {path}: {error.strerror}"
        raise HelixError(message) from None
