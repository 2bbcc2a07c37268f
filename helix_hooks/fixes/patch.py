"""Fixes as a patch for `git apply`."""

import difflib
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

_CONTEXT = 3
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class FixedFile(NamedTuple):
    """A file before and after the fixes; `new_path` differs from `path` if it is renamed."""

    path: str
    new_path: str
    before: bytes
    after: bytes


def patch(change: FixedFile) -> bytes:
    """Return the diff of one file in the format of git; the bytes of its lines are unchanged."""
    old, new = _quoted(f"a/{change.path}"), _quoted(f"b/{change.new_path}")
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
    """Return the tab after a name with spaces, by which git finds its end."""
    return "\t" if " " in name and not name.startswith('"') else ""


def _hunks(change: FixedFile) -> Iterator[str]:
    before, after = (_rows(data) for data in (change.before, change.after))
    rows = difflib.unified_diff(before, after, n=_CONTEXT)
    # The first two rows name the files; `patch` writes them in the form of git.
    for row in itertools.islice(rows, 2, None):
        yield row
        if not row.endswith("\n"):
            yield "\n\\ No newline at end of file\n"


def _rows(data: bytes) -> list[str]:
    """Return the lines as git splits them: only at line feeds."""
    return re.findall("[^\n]*\n|[^\n]+", data.decode(errors="surrogateescape"))


def _quoted(name: str) -> str:
    """Return a name as git writes it: with quotes and escapes if it has unusual characters."""
    if all(character.isprintable() and character not in '"\\' for character in name):
        return name
    return f'"{"".join(map(_escaped, name))}"'


def _escaped(character: str) -> str:
    if character in _ESCAPED:
        return _ESCAPED[character]
    if character.isprintable() and character.isascii():
        return character
    return "".join(f"\\{byte:03o}" for byte in character.encode(errors="surrogateescape"))
