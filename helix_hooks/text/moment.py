"""Times for people."""


def moment(at: int) -> str:
    """Return a time for people, to the minute, from seconds since 1970."""
    from email.utils import formatdate  # it loads sockets, and most runs tell no time

    return f"{formatdate(at, usegmt=True)[:-7]} UTC"
