"""Invisible characters that no script needs. Pure."""

import re
import unicodedata
from collections.abc import Iterator

from ...text import (
    BYTE_ORDER_MARK,
    CLASS,
    DIRECTION_CONTROLS,
    DIRECTION_MARKS,
    EMOJI_SELECTOR,
    JOINERS,
    SELECTORS,
    SOFT_HYPHEN,
    TAGS,
)

_ONE_BY_ONE = JOINERS + DIRECTION_MARKS
UNSEEN = re.compile(
    rf"[{_ONE_BY_ONE}]"
    rf"|(?:(?!\A{BYTE_ORDER_MARK}|[{SOFT_HYPHEN}{_ONE_BY_ONE}{SELECTORS}])[{CLASS}])+"
)
"""Invisible characters, without those that editors write: soft hyphens, emoji selectors, BOM."""
_FLAG = "\U0001f3f4"
"""The black flag; with tags behind it, it is the flag of a country."""
COVERT = re.compile(rf"[{DIRECTION_CONTROLS}]|[{TAGS}]+|[{CLASS}]{{8,}}")
"""Invisible characters that no code needs: direction marks, tags, and many in a row."""
_JOINABLE = ("Lo", "Mn", "Mc", "So", "Sk")
"""Categories of characters that joiners connect: letters without case, their marks, and symbols."""


def needless(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the invisible characters of a pattern that no script or sign needs."""
    for match in pattern.finditer(text):
        if not _is_needed(text, match):
            yield match


def _is_needed(text: str, match: re.Match[str]) -> bool:
    """Return whether a script or a sign needs an invisible character.

    It may be a joiner between letters that are not Latin or between symbols, a mark next to a
    letter that is written from right to left, or tags after a flag.
    """
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if match[0] in JOINERS:
        return _is_joinable(before) and _is_joinable(after)
    if match[0] in DIRECTION_MARKS:
        return _is_right_to_left(before) or _is_right_to_left(after)
    # Tags are a letter each, and a final one: the flag of Scotland has six.
    return before == _FLAG and len(match[0]) <= 7


def _is_joinable(char: str) -> bool:
    if not char:
        return False
    return unicodedata.category(char) in _JOINABLE or char == EMOJI_SELECTOR


def _is_right_to_left(char: str) -> bool:
    return bool(char) and unicodedata.bidirectional(char) in ("R", "AL")
