"""One line of `doctor`: a thing that was looked at, and its state."""

from typing import NamedTuple

OK, MISSING, UNSAFE, UNKNOWN = STATES = ("ok", "missing", "unsafe", "unknown")


class Line(NamedTuple):
    """The state of one thing.

    `check` names the thing for programs, `state` is one of STATES. `help` is one thing to do,
    and empty where all is well.
    """

    check: str
    state: str
    message: str
    help: str = ""


class Unseen(NamedTuple):
    """The reason why something could not be seen.

    `gone` says that GitHub answers 404: it does not exist, or this token may not see it.
    """

    reason: str
    gone: bool = False


def unseen(check: str, subject: str, why: Unseen, right: str) -> Line:
    """Return the line on something that only a token with a certain right may see."""
    message = f"{subject} could not be seen: {why.reason}"
    return Line(check, UNKNOWN, message, f"use a token that has the right {right}")
