"""The one known word that a misspelt word stands for, and how it is written in its place."""

import re
from collections.abc import Mapping

from ..finding import Finding
from .edit import Edit, Fix
from .lines import TextLine

_SHORTEST = 5
"""Letters below which a word has too many neighbours."""
_LONG = 9
"""Letters from which two errors are allowed."""


def meant(word: str, options: Mapping[str, str], *, same_end: bool = True) -> str:
    """Return the only option that a word nearly is, "" if none or several could be meant.

    `options` are lower-case words with their meanings. The first letter must agree, because a
    prefix may negate the word (`unaccepted`); with `same_end` the last one too, because another
    form may mean the opposite (`supersedes` is not `superseded`).
    """
    plain = word.casefold()
    if len(plain) < _SHORTEST or plain in options:
        return ""
    close: dict[str, int] = {}
    for option in options:
        if len(option) < _SHORTEST or option[0] != plain[0]:
            continue
        if same_end and option[-1] != plain[-1]:
            continue
        most = 2 if len(option) >= _LONG else 1
        if abs(len(option) - len(plain)) <= most and (steps := distance(plain, option)) <= most:
            close[option] = steps
    meanings = {options[option] for option in close}
    if len(meanings) != 1:
        return ""
    usual = meanings.pop().casefold()
    if usual in close:
        return usual
    fewest = min(close.values())
    nearest = [option for option, steps in close.items() if steps == fewest]
    return nearest[0] if len(nearest) == 1 else ""


def distance(one: str, other: str) -> int:
    """Return the letters to add, drop, replace or swap with their neighbour (optimal string
    alignment).
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, wanted in enumerate(other, 1):
            steps = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != wanted))
            is_swapped = row > 1 and column > 1 and letter == other[column - 2]
            if is_swapped and one[row - 2] == wanted:
                steps = min(steps, before[column - 2] + 1)
            current.append(steps)
        before, last = last, current
    return last[-1]


def in_case_of(word: str, pattern: str) -> str:
    """Return a word in upper case, with a capital, or in lower case, as another one is."""
    if pattern.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if pattern[:1].isupper() else word


def only_place(line: TextLine, word: str) -> int:
    """Return the offset in the text of a word that its line has exactly once; -1 otherwise."""
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", line.text)]
    return line.start + places[0] if len(places) == 1 else -1


def respelt(finding: Finding, what: str, start: int, word: str, correct: str) -> Fix:
    """Return the fix that writes a word of the finding's file correctly.

    `what` is the kind of the word, as in "status"; `start` its offset in the text.
    """
    return Fix(
        check=finding.check,
        path=finding.path,
        line=finding.line,
        title=f"{what} {word!r} -> {correct!r}",
        edits=(Edit(finding.path, start, start + len(word), correct),),
    )
