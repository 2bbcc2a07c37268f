"""Fixes as a patch that `git apply` takes."""

import difflib
import re
from collections.abc import Iterator

from ..records import NamedTuple

_CONTEXT = 3
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class FixedFile(NamedTuple):
    """A file before and after the fixes; `new_path` differs from `path` if it is renamed."""

    path: str
    new_path: str
    before: bytes
    after: bytes


def patch(change: FixedFile) -> bytes:
    """Return the difference of one file in git's form, with the bytes of its lines as they are."""
    old, new = (
        _quoted(f"{side}/{path}")
        for side, path in zip("ab", (change.path, change.new_path), strict=True)
    )
    lines = [f"diff --git {old} {new}\n"]
    if change.path != change.new_path:
        lines += [
            "similarity index 50%\n",
            f"rename from {_quoted(change.path)}\n",
            f"rename to {_quoted(change.new_path)}\n",
        ]
    rows = list(_hunks(change))
    if rows:
        lines += [f"--- {old}{_tab(old)}\n", f"+++ {new}{_tab(new)}\n", *rows]
    return "".join(lines).encode(errors="surrogateescape")


def _tab(name: str) -> str:
    """Return the tab by which git ends a name with blanks."""
    return "\t" if " " in name and not name.startswith('"') else ""


def _hunks(change: FixedFile) -> Iterator[str]:
    before, after = (_rows(data) for data in (change.before, change.after))
    rows = difflib.unified_diff(before, after, n=_CONTEXT)
    for number, row in enumerate(rows):
        if number > 1:
            yield row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n"


def _rows(data: bytes) -> list[str]:
    """Return the lines as git splits them: at line feeds alone."""
    return re.findall("[^\n]*\n|[^\n]+", data.decode(errors="surrogateescape"))


def _quoted(name: str) -> str:
    """Return a name as git writes it: in quotes with escapes, if it has unusual characters."""
    if all(character.isprintable() and character not in '"\\' for character in name):
        return name
    data = "".join(
        _ESCAPED.get(character)
        or (character if character.isprintable() and character.isascii() else _octal(character))
        for character in name
    )
    return f'"{data}"'


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode(errors="surrogateescape"))
