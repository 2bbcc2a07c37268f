"""The one known word that a misspelt word means, and the fix that writes it."""

import re
from collections.abc import Iterable, Mapping

from ..finding import Finding
from .edit import Edit, Fix
from .lines import TextLine

_MIN_LETTERS = 5
"""Shorter words are similar to too many others."""
_LONG = 9
"""Letters from which two typos are allowed."""


def meant(word: str, options: Mapping[str, str], *, same_end: bool = True) -> str:
    """Return the only option that a word nearly is, "" if none or several could be meant.

    `options` are lower-case words with their meanings. The first letter must agree, because a
    prefix may negate the word (`unaccepted`); with `same_end` the last one too, because another
    form may mean the opposite (`supersedes` is not `superseded`).
    """
    plain = word.casefold()
    if len(plain) < _MIN_LETTERS or plain in options:
        return ""
    close = _close(plain, options, same_end=same_end)
    meanings = {options[option] for option in close}
    if len(meanings) != 1:
        return ""
    usual = meanings.pop().casefold()
    return usual if usual in close else _nearest(close)


def _close(word: str, options: Iterable[str], *, same_end: bool) -> dict[str, int]:
    """Return the options that are nearly a word, each with the number of typos."""
    close: dict[str, int] = {}
    for option in options:
        steps = _steps(word, option)
        if steps and (option[-1] == word[-1] or not same_end):
            close[option] = steps
    return close


def _nearest(close: dict[str, int]) -> str:
    """Return the option with the fewest typos, "" if several have as few."""
    fewest = min(close.values())
    nearest = [option for option, steps in close.items() if steps == fewest]
    return nearest[0] if len(nearest) == 1 else ""


def _steps(word: str, option: str) -> int:
    """Return the number of typos between two words, 0 if they are too different."""
    if len(option) < _MIN_LETTERS or option[0] != word[0]:
        return 0
    maximum = 2 if len(option) >= _LONG else 1
    if abs(len(option) - len(word)) > maximum:
        return 0
    steps = distance(word, option)
    return steps if steps <= maximum else 0


def distance(one: str, other: str) -> int:
    """Return how many letters to add, remove, replace or swap with the next one.

    Source: optimal string alignment distance.
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, target in enumerate(other, 1):
            steps = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != target))
            is_swapped = row > 1 and column > 1 and letter == other[column - 2]
            if is_swapped and one[row - 2] == target:
                steps = min(steps, before[column - 2] + 1)
            current.append(steps)
        before, last = last, current
    return last[-1]


def in_case_of(word: str, pattern: str) -> str:
    """Return a word in upper case or with a capital if another one is."""
    if pattern.isupper():
        return word.upper()
    if pattern[:1].isupper():
        return word[:1].upper() + word[1:]
    return word


def only_place(line: TextLine, word: str) -> int:
    """Return the offset in the text of a word that its line has exactly once; -1 otherwise."""
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", line.text)]
    return line.start + places[0] if len(places) == 1 else -1


def respelt(finding: Finding, kind: str, start: int, word: str, correct: str) -> Fix:
    """Return the fix that corrects a word in the file of a finding.

    `kind` is that of the word, such as "status"; `start` is its offset in the text.
    """
    return Fix(
        check=finding.check,
        path=finding.path,
        line=finding.line,
        title=f"{kind} {word!r} -> {correct!r}",
        edits=(Edit(finding.path, start, start + len(word), correct),),
    )
