"""Fixes of findings as values, the lines that they edit, and words with a typo. Pure."""

import itertools
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from ..finding import Finding
from ..text import BYTE_ORDER_MARK

_LONGEST = 1000
"""Maximum characters of a line that is fixed; longer lines are not headers."""
_MIN_LETTERS = 5
"""Shorter words are similar to too many others."""
_SIMILARITY = 0.8
"""Least similarity: one typo in a word of five letters, two in a word of ten."""


class Edit(NamedTuple):
    """A replacement in one file.

    `start` and `end` are offsets of characters in the text of the file (decoded as UTF-8 with
    surrogateescape, line endings and a byte order mark as they are); `end` is exclusive.
    """

    path: str
    start: int
    end: int
    new: str


class Fix(NamedTuple):
    """A fix of one finding: all its edits are applied, or none.

    `check` is the rule. `path` and `line` are those of the finding. `new_path` is the new name of
    this file, "" if it stays; the edits have the old one.
    """

    check: str
    path: str
    line: int
    title: str
    edits: tuple[Edit, ...]
    new_path: str = ""


class TextLine(NamedTuple):
    """A line: the offset of its first character, its text without the ending, and the ending."""

    start: int
    text: str
    ending: str

    @property
    def stop(self) -> int:
        """Return the offset after the text, before the line ending."""
        return self.start + len(self.text)

    @property
    def end(self) -> int:
        """Return the offset after the line ending."""
        return self.stop + len(self.ending)


def fix_of(finding: Finding, title: str, *edits: Edit, new_path: str = "") -> Fix:
    """Return the fix of a finding by some edits."""
    return Fix(finding.check, finding.path, finding.line, title, edits, new_path)


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


def lines_of(text: str) -> list[TextLine]:
    """Return the lines of a text, the first without a byte order mark.

    They are counted as `AdrDocument` counts them; `str.splitlines` also splits at form feeds.
    """
    start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    lines: list[TextLine] = []
    for match in re.finditer(r"([^\r\n]*)(\r\n|\r|\n|$)", text[start:]):
        lines.append(TextLine(start + match.start(), match[1], match[2]))
        if not match[2]:
            break
    return lines


def meant(word: str, options: Mapping[str, str], *, same_end: bool = True) -> str:
    """Return the only option that a word nearly is, "" if none or several could be meant.

    `options` are lowercase words with their meanings. The first letter must agree, because a
    prefix may negate the word (`unaccepted`); with `same_end` the last one too, because another
    form may mean the opposite (`supersedes` is not `superseded`).
    """
    plain = word.casefold()
    if not _MIN_LETTERS <= len(plain) <= _LONGEST or plain in options:
        return ""
    alike = [
        option
        for option in options
        if option[0] == plain[0] and (option[-1] == plain[-1] or not same_end)
    ]
    close = get_close_matches(plain, alike, len(alike) or 1, _SIMILARITY)
    if len({options[option] for option in close}) != 1:
        return ""
    # The usual word is written like its meaning.
    usual = options[close[0]].casefold()
    return usual if usual in close else close[0]


def respelt(finding: Finding, text: str | None, kind: str, word: str, correct: str) -> Fix | None:
    """Return the fix that corrects a word; its capitals stay.

    `kind` is that of the word, such as "status". None unless the line of the finding has the word
    exactly once; in a table, one of the rows from that line on.
    """
    lines = lines_of(text or "")[finding.line - 1 :]
    if lines and "|" in lines[0].text:
        lines = list(itertools.takewhile(lambda line: "|" in line.text, lines))
    else:
        lines = lines[:1]
    places: list[int] = []
    for line in lines:
        words = re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", line.text[:_LONGEST])
        places += (line.start + match.start() for match in words)
    if not correct or len(places) != 1:
        return None
    if word.isupper():
        correct = correct.upper()
    elif word.istitle():
        correct = correct.title()
    elif word[:1].isupper():
        correct = correct[:1].upper() + correct[1:]
    edit = Edit(finding.path, places[0], places[0] + len(word), correct)
    return fix_of(finding, f"{kind} {word!r} -> {correct!r}", edit)
