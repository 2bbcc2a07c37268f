"""The difference that a change makes to a file, for a user to read and as a patch for git. Pure."""

import difflib
import re
from typing import NamedTuple

from ..text import printable

_NO_FILE = "/dev/null"


class ChangedFile(NamedTuple):
    """A file before and after a change; `new_path` differs from `path` if it is renamed."""

    path: str
    new_path: str
    before: bytes
    after: bytes


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


def patch(change: ChangedFile) -> bytes:
    """Return the diff of one file in the format of git; the bytes of its lines are unchanged."""
    old, new = _quoted(f"a/{change.path}"), _quoted(f"b/{change.new_path}")
    lines = [f"diff --git {old} {new}\n"]
    if change.path != change.new_path:
        lines += [
            "similarity index 50%\n",
            f"rename from {_quoted(change.path)}\n",
            f"rename to {_quoted(change.new_path)}\n",
        ]
    # git splits only at line feeds.
    before, after = (
        re.findall("[^\n]*\n|[^\n]+", data.decode(errors="surrogateescape"))
        for data in (change.before, change.after)
    )
    # A tab ends a name with spaces.
    old, new = (f"{name}\t" if " " in name and name[0] != '"' else name for name in (old, new))
    for row in difflib.unified_diff(before, after, old, new):
        lines.append(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n")
    return "".join(lines).encode(errors="surrogateescape")


def _quoted(name: str) -> str:
    """Return a name as git writes it: with quotes and escapes if it has unusual characters."""
    if name.isprintable() and not {*name} & {'"', "\\"}:
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    data = escaped.encode(errors="surrogateescape")
    return '"' + "".join(chr(byte) if 31 < byte < 127 else f"\\{byte:03o}" for byte in data) + '"'
