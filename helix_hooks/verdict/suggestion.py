"""A judge's suggestion: a replacement for some lines. Pure.

People can apply it with one click; the gate never does. A suggestion that does not fit is omitted,
and the verdict remains valid without it.
"""

import re
from typing import NamedTuple

from ..text import BREAK, plain

_LINES, _CHARACTERS = 50, 2_000
"""Maximum size of a suggestion."""


class Suggestion(NamedTuple):
    """A text for the lines `first` to `last` of a file.

    `finding` is the number of its finding in the answer, from 0, which names the file.
    """

    finding: int
    first: int
    last: int
    text: str


def fitted(suggestion: Suggestion, content: str) -> Suggestion | None:
    """Return the suggestion for a file of this content; None if it can't be shown."""
    first, last = suggestion.first, suggestion.last
    text = suggestion.text.removesuffix("\n")
    rows = content.split("\n")
    # GitHub would write LF line ends into a file that has others.
    is_there = first <= last <= len(rows) and "\r" not in content
    is_small = len(text) <= _CHARACTERS and text.count("\n") < _LINES
    if not is_there or not is_small or not is_plain(text):
        return None
    if text.split("\n") == rows[first - 1 : last]:
        return None
    return suggestion._replace(text=text)


def is_plain(text: str) -> bool:
    """Return whether a text is shown unchanged, without one of our marks.

    A click writes the text, so an invisible character or something like a secret must not be in it.
    """
    if "<!-- helix:" in text:
        return False
    is_printable = text.replace("\n", "").replace("\t", "").isprintable()
    return is_printable and plain(text).replace(BREAK, "") == text


def block(text: str) -> str:
    """Return a text in a block that GitHub offers to apply."""
    # The fence must be longer than any in the text, which could end the block.
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}suggestion\n{text}\n{fence}\n"
