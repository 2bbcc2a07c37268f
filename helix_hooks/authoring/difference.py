"""The difference that a change makes to a file, for a user to read first."""

import difflib

from ..text.sanitize import printable

_NO_FILE = "/dev/null"


def difference(path: str, old: str, new: str) -> str:
    """Return a unified diff of two texts; a text is "" if the file does not exist."""
    lines = difflib.unified_diff(
        _lines(old),
        _lines(new),
        path if old else _NO_FILE,
        path if new else _NO_FILE,
        lineterm="",
    )
    return "\n".join(map(printable, lines))


def _lines(text: str) -> list[str]:
    if not text:
        return []
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")
