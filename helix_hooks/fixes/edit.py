"""Edits of files as values, and the text after them. Pure."""

import itertools
from collections.abc import Iterable
from typing import NamedTuple


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
    """A file that gets another path. Edits of the same fix use the old path."""

    path: str
    new_path: str


class Fix(NamedTuple):
    """A fix of one finding: all its edits are applied, or none.

    `check` is the rule. `path` and `line` are those of the finding.
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
    for former, later in itertools.pairwise(ordered):
        # Two insertions at one offset would have no defined order.
        is_same_place = former[:3] == later[:3]
        if is_same_place or (former.path == later.path and later.start < former.end):
            return True
    return False


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after the edits of its file, which must not overlap."""
    # From the last edit to the first, so that the offsets stay valid.
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = f"{text[: edit.start]}{edit.new}{text[edit.end :]}"
    return text
