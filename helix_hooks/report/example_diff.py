"""The difference between the failing and the passing example of a rule, for a terminal."""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher, unified_diff

_CONTEXT = 2
"""Equal lines shown before and after a change."""
_ALIKE = 0.5
"""Similarity (0 to 1) below which two texts are not shown as a difference."""

_PAINTS = {"-": "31", "+": "32", ".": "2"}
"""Red, green and dim, by the sign of a line."""


def difference(old: Mapping[str, str], new: Mapping[str, str], color: bool) -> str:
    """Return the texts of both examples as one difference; "" if they have too little in common.

    The texts are by their labels. `-` marks lines of the failing example, `+` lines of the passing
    one, and `...` replaces omitted lines.
    """
    blocks: list[str] = []
    for label in dict.fromkeys((*old, *new)):
        before = old.get(label, "").rstrip("\n").split("\n")
        after = new.get(label, "").rstrip("\n").split("\n")
        if SequenceMatcher(None, before, after, autojunk=False).ratio() < _ALIKE:
            return ""
        if label:
            blocks.append(f"  {label}")
        blocks.append("\n".join(f"    {line}".rstrip() for line in _lines(before, after, color)))
    return "\n\n".join(blocks)


def _lines(before: list[str], after: list[str], color: bool) -> Iterator[str]:
    if before == after:
        yield from (f"  {line}" for line in before)
    # The first two lines of a unified difference are the names of the files.
    for row in list(unified_diff(before, after, n=_CONTEXT, lineterm=""))[2:]:
        sign, text = row[0], row[1:]
        if sign == " ":
            yield f"  {text}"
        elif sign != "@":
            yield _painted(f"{sign} {text}", sign, color)
        elif not re.match(r"@@ -[01](?:,\d+)? ", row):  # the first part needs no mark of a gap
            yield _painted("  ...", ".", color)


def _painted(text: str, sign: str, color: bool) -> str:
    return f"\x1b[{_PAINTS[sign]}m{text}\x1b[0m" if color else text
