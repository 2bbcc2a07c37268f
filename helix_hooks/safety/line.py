"""What `doctor` says of one thing that it has looked at."""

from typing import NamedTuple

OK, MISSING, UNSAFE, UNKNOWN = STATES = ("ok", "missing", "unsafe", "unknown")


class Line(NamedTuple):
    """`check` names the thing for programs, `state` is one of STATES; `help` is one thing to do, and empty where all is well."""

    check: str
    state: str
    message: str
    help: str = ""


class Unseen(NamedTuple):
    """Why something could not be looked at; `gone` where GitHub says that there is no such thing, or none that this token may see."""

    reason: str
    gone: bool = False


def unseen(check: str, what: str, why: Unseen, right: str) -> Line:
    """The line on something that only a token with a certain right may see."""
    return Line(check, UNKNOWN, f"{what} could not be seen: {why.reason}", f"look with a token that has the right {right}")
