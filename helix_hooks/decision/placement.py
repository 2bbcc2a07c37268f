"""The place of a finding in the diff. Pure.

GitHub accepts a comment only on lines of a hunk, and a range only within one hunk. It refuses a
whole review because of one wrong place (docs.github.com, "Create a review for a pull request").
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..codec import Positive

Hunks = tuple[tuple[int, int], ...]
"""First and last line of each hunk in the new version of a file."""

_HEADER = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class DiffPlace(NamedTuple):
    """Lines of a file in the diff. GitHub shows the comment below the last one."""

    path: str
    first: Positive
    last: Positive


def hunks(patch: bytes) -> Hunks:
    """Return the hunks of a patch of one file, as `git diff` writes it.

    A hunk that only deletes shows no line of the new version.
    """
    headers = ((int(match[1]), int(match[2] or b"1")) for match in _HEADER.finditer(patch))
    return tuple((start, start + count - 1) for start, count in headers if count)


def within(path: str, first: int, last: int, hunks: Iterable[tuple[int, int]]) -> DiffPlace | None:
    """Return the place of a finding; None if the diff does not show it.

    A range that leaves its hunk is cut to its first line.
    """
    for start, end in hunks:
        if start <= first <= end:
            return DiffPlace(path, first, last if first < last <= end else first)
    return None
