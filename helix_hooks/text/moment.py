"""Times for people."""

from email.utils import formatdate


def moment(at: int) -> str:
    """Return a time for people, to the minute, from seconds since 1970."""
    return f"{formatdate(at, usegmt=True)[:-7]} UTC"
