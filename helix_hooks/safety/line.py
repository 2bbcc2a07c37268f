"""One line of `doctor`: a check, and its state."""

from typing import NamedTuple

OK, MISSING, UNSAFE, UNKNOWN = STATES = ("ok", "missing", "unsafe", "unknown")


class Line(NamedTuple):
    """The state of one check.

    `check` is its name for programs, `state` is one of STATES. `help` is what to do, "" if the
    state is ok.
    """

    check: str
    state: str
    message: str
    help: str = ""


class Unseen(NamedTuple):
    """The reason why something is not visible.

    `gone`: GitHub answered 404, so it does not exist, or the token has no access.
    """

    reason: str
    gone: bool = False


def unseen(check: str, subject: str, why: Unseen, right: str) -> Line:
    """Return the line on something that needs a token with a certain permission."""
    message = f"{subject} could not be checked: {why.reason}"
    return Line(check, UNKNOWN, message, f"use a token that has the right {right}")
