"""The difference of a document before and after, by lines."""

import difflib
from collections.abc import Iterator
from typing import NamedTuple

from htpy import Element, Node, code, pre, span

from ..waiting.entry import ChangedDocument
from .shown import block

_MOST_COMPARED, _MOST_SHOWN, _AROUND = 3000, 600, 3
"""Lines of a document that are compared, lines that are shown, and lines around a change."""

_KINDS = {"+": "add", "-": "del", "@": "at"}


class LineDifference(NamedTuple):
    """The lines with their sign, and how many were added and deleted. `note` says what is left
    out.
    """

    lines: tuple[str, ...]
    added: int = 0
    deleted: int = 0
    note: str = ""


def difference(changed: ChangedDocument) -> LineDifference:
    """Compare both texts of a document."""
    before, after = changed.before.splitlines(), changed.after.splitlines()
    if max(len(before), len(after)) > _MOST_COMPARED:
        return LineDifference((), note=f"More than {_MOST_COMPARED} lines are not compared here.")
    lines = [*difflib.unified_diff(before, after, n=_AROUND, lineterm="")][2:]
    added = sum(text.startswith("+") for text in lines)
    deleted = sum(text.startswith("-") for text in lines)
    left_out = len(lines) - _MOST_SHOWN
    note = f"{left_out} more lines of the difference are not shown here." if left_out > 0 else ""
    return LineDifference(tuple(lines[:_MOST_SHOWN]), added, deleted, note)


def as_code(change: LineDifference) -> Element:
    """Return the lines; the sign of each stays, so that colour is not all that tells them apart."""
    return pre(".diff", tabindex="0")[code[_lines(change)]]


def _lines(change: LineDifference) -> Iterator[Node]:
    for text in change.lines:
        shown = f"{block(text)}\n"
        yield span(class_=_KINDS.get(text[:1]))[shown]
