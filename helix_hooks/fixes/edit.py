"""Edits of files as values, and the text after them. Pure."""

import itertools
from collections.abc import Iterable

from ..records import NamedTuple


class Edit(NamedTuple):
    """A replacement in one file.

    `start` and `end` are offsets of characters in the text of the file (decoded as UTF-8 with
    surrogateescape, line endings and a byte order mark as they are); `end` is exclusive.
    """

    path: str
    start: int
    end: int
    new: str


class Rename(NamedTuple):
    """A file that gets another path. Edits of the same fix name the path before."""

    path: str
    new_path: str


class Fix(NamedTuple):
    """A repair of one finding: rule, a title in the imperative, the edits that belong together.

    `path` and `line` are those of the finding.
    """

    check: str
    path: str
    line: int
    title: str
    edits: tuple[Edit, ...]
    renames: tuple[Rename, ...] = ()


def overlapping(edits: Iterable[Edit]) -> bool:
    """Return whether two edits replace the same place of a file."""
    ordered = sorted(edits, key=lambda edit: (edit.path, edit.start, edit.end))
    pairs = itertools.pairwise(ordered)
    return any(
        former.path == later.path
        and (later.start < former.end or (former.start, former.end) == (later.start, later.end))
        for former, later in pairs
    )


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after the edits of its file, which must not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = f"{text[: edit.start]}{edit.new}{text[edit.end :]}"
    return text
