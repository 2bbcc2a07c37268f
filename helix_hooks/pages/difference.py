"""The difference between two versions of a document, by lines."""

import difflib
from collections.abc import Iterator
from typing import NamedTuple

from htpy import Element, Node, code, pre, span

from ..waiting.entry import ChangedDocument
from .shown import block

_MOST_COMPARED = 3000
"""Maximum number of lines of a document that is compared, since difflib takes quadratic time."""

_MOST_SHOWN = 600
"""Maximum number of lines of a difference that are shown."""

_AROUND = 3
"""Unchanged lines shown before and after a change."""


_KINDS = {"+": "add", "-": "del", "@": "at"}


class LineDifference(NamedTuple):
    """Lines with their signs, and the numbers of added and deleted ones.

    `note` says what is left out.
    """

    lines: tuple[str, ...]
    added: int = 0
    deleted: int = 0
    note: str = ""


def difference(changed: ChangedDocument) -> LineDifference:
    """Return the difference between both versions of a document."""
    before, after = changed.before.splitlines(), changed.after.splitlines()
    if max(len(before), len(after)) > _MOST_COMPARED:
        return LineDifference((), note=f"Too long to compare (more than {_MOST_COMPARED} lines).")
    # The first two lines are the names of the files.
    lines = [*difflib.unified_diff(before, after, n=_AROUND, lineterm="")][2:]
    added = sum(text.startswith("+") for text in lines)
    deleted = sum(text.startswith("-") for text in lines)
    left_out = len(lines) - _MOST_SHOWN
    note = ""
    if left_out > 0:
        note = f"{left_out} more lines of the difference are not shown here."
    return LineDifference(tuple(lines[:_MOST_SHOWN]), added, deleted, note)


def as_code(change: LineDifference) -> Element:
    """Return the lines with their signs, so that they do not differ by colour only."""
    return pre(".diff", tabindex="0")[code[_lines(change)]]


def _lines(change: LineDifference) -> Iterator[Node]:
    for text in change.lines:
        shown = f"{block(text)}\n"
        yield span(class_=_KINDS.get(text[:1]))[shown]
