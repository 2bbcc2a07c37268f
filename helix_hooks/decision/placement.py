"""Where a finding can be said: at lines of the diff, at the file, or in the text above all.

GitHub takes a comment only on lines that a hunk shows, and a range only within one hunk; a review with one wrong place is refused as a
whole (docs.github.com, "Create a review for a pull request").
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

Hunks = tuple[tuple[int, int], ...]
"""First and last line of each hunk in the new version of a file."""

_HEADER = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class DiffPlace(NamedTuple):
    """Lines of a file in the diff, the last being the one that GitHub shows the comment under."""

    path: str
    first: int
    last: int


def hunks(patch: bytes) -> Hunks:
    """The hunks of a patch of one file, as `git diff` writes it. A hunk that only deletes shows no line of the new version."""
    found = ((int(match[1]), int(match[2]) if match[2] is not None else 1) for match in _HEADER.finditer(patch))
    return tuple((start, start + count - 1) for start, count in found if count)


def within(path: str, first: int, last: int, shown: Iterable[tuple[int, int]]) -> DiffPlace | None:
    """The place of a finding; a range that leaves its hunk is cut to its first line, and None says that the diff does not show it."""
    for start, end in shown:
        if start <= first <= end:
            return DiffPlace(path, first, last if first < last <= end else first)
    return None
