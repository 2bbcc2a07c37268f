"""Text that a judge proposes in the place of lines. Pure.

It is a hint: people see it and may take it over; the gate never writes it. One that does not fit
is left out, and the verdict stands without it.
"""

import re
from typing import NamedTuple

from ..text.sanitize import BREAK, plain

_LINES, _CHARACTERS = 50, 2_000
"""Maximum size of a proposed text."""


class Suggestion(NamedTuple):
    """A text for the lines `first` to `last` of the file of a finding, by the finding's number in
    its answer.
    """

    finding: int
    first: int
    last: int
    text: str


def fitted(found: Suggestion, content: str) -> Suggestion | None:
    """Return what is proposed for a file of this content; None for what can't be shown.

    The text has to be shown as it is, since a click writes it. So it has no invisible character
    and nothing that looks like a secret.
    """
    first, last, text = found.first, found.last, found.text.removesuffix("\n")
    rows = content.split("\n")
    is_there = first <= last <= len(rows) and "\r" not in content
    is_small = len(text) <= _CHARACTERS and text.count("\n") < _LINES
    if not is_there or not is_small or not is_plain(text):
        return None
    is_new = text.split("\n") != rows[first - 1 : last]
    return found._replace(text=text) if is_new else None


def is_plain(text: str) -> bool:
    """Return whether a text can be shown as it is; none of our marks stands in it."""
    if "<!-- helix:" in text:
        return False
    is_printable = text.replace("\n", "").replace("\t", "").isprintable()
    return is_printable and plain(text).replace(BREAK, "") == text


def block(text: str) -> str:
    """Return a text in a block that GitHub offers to take over; the fence is longer than any in
    the text.
    """
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}suggestion\n{text}\n{fence}\n"
