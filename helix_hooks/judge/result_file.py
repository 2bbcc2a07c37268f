"""The file with the result of a call, for other programs."""

import os

from .. import writing
from ..decision.approve_result import ApproveResult
from ..errors import HelixError, UsageError
from ..report import verdict as report
from ..repository import runner

_BEGINNING = 4096


def forget(path: str, root: str) -> None:
    """Remove the result of an earlier call, so that nobody takes it for one of this call.

    Raises UsageError for a path at which anything else is.
    """
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise UsageError(f"--result {path}: there is no such folder")
    if not os.path.lexists(path):
        return
    if os.path.islink(path) or not os.path.isfile(path):
        raise UsageError(f"--result {path}: this is no regular file; name another one")
    if not _is_result(path):
        reason = "what is there is no result of an earlier run"
        raise UsageError(f"--result {path}: {reason}; name another file")
    listed = ["--literal-pathspecs", "ls-files", "-z", "--", os.path.abspath(path)]
    if runner.run(listed, root, check=False).stdout:
        raise UsageError(f"--result {path}: this file is tracked by git; name another one")
    try:
        os.unlink(path)
    except OSError as error:
        reason = "what is there could not be removed"
        raise HelixError(f"--result {path}: {reason}: {error.strerror}") from None


def _is_result(path: str) -> bool:
    """Return whether a file begins like a result; an empty one does."""
    with open(path, "rb") as file:
        start = file.read(_BEGINNING).strip()
    return not start or (b'"result"' in start and start[:1] in b"{[")


def write(path: str, result: ApproveResult) -> None:
    """Write the result of a call into a new file: one object, or a list for several types."""
    results = report.results(result)
    text = report.rendered(results[0] if len(results) == 1 else results)
    try:
        writing.create(path, text.encode())
    except OSError as error:
        message = f"the result could not be written to {path}: {error.strerror}"
        raise HelixError(message) from None
