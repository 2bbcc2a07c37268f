"""The difference that a change makes to a file, for a user to read first."""

import difflib

from ..text.sanitize import printable

_NO_FILE = "/dev/null"


def difference(path: str, old: str, new: str) -> str:
    """Return a unified diff; "" is no file."""
    before, after = (_lines(text) for text in (old, new))
    names = (path if old else _NO_FILE, path if new else _NO_FILE)
    return "\n".join(map(printable, difflib.unified_diff(before, after, *names, lineterm="")))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
