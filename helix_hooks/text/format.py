"""Numbers, times and texts of a limited size for messages. Pure."""

from collections.abc import Collection
from datetime import UTC, datetime

from .sanitize import plain


def counted(number: int, noun: str) -> str:
    """Return `1 error`, `2 errors`, `no errors`."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def listed(names: Collection[str], most: int = 3) -> str:
    """Return the first names, and the number of the others."""
    text = ", ".join([*names][:most])
    return f"{text} and {len(names) - most} more" if len(names) > most else text


def moment(at: int) -> str:
    """Return a time in seconds since 1970 as a text, to the minute."""
    return datetime.fromtimestamp(at, UTC).strftime("%a, %d %b %Y %H:%M UTC")


def month_of(at: int) -> str:
    """Return the month of a time in seconds since 1970, as in 2026-01."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m")


def one_line(text: str, most: int) -> str:
    """Return a text on one line, without secrets, of at most `most` characters in JSON."""
    import json  # a hook does not load it

    text = plain(" ".join(text.split()))
    if len(json.dumps(text)) <= most + 2:
        return text
    size, start = 1, list[str]()
    for character in text:
        size += len(json.dumps(character)) - 2
        # An ellipsis takes six characters in JSON: `\u2026`.
        if size > most - 6:
            break
        start.append(character)
    return f"{''.join(start)}…"


# The width of a text in a terminal, in cells: East Asian letters and most emoji take two, combining
# marks none.


def width(text: str) -> int:
    """Return the cells of a text without control characters."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def beginning(text: str, most: int) -> str:
    """Return the longest beginning of a text that fits into `most` cells."""
    if text.isascii():
        return text[: max(most, 0)]
    room = most
    for index, character in enumerate(text):
        room -= _cells(character)
        if room < 0:
            return text[:index]
    return text


def ending(text: str, most: int) -> str:
    """Return the longest end of a text that fits into `most` cells."""
    if text.isascii():
        return text[max(len(text) - max(most, 0), 0) :]
    room = most
    for index in range(len(text) - 1, -1, -1):
        room -= _cells(text[index])
        if room < 0:
            return text[index + 1 :]
    return text


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` cells; a shorter one ends with an ellipsis."""
    if width(text) <= most:
        return text
    if most <= 0:
        return ""
    return f"{beginning(text, most - 1)}…"


def is_reordered(text: str) -> bool:
    """Return whether a terminal may draw a text from right to left."""
    if text.isascii():
        return False
    from unicodedata import bidirectional

    return any(bidirectional(character) in ("R", "AL", "AN") for character in text)


def _cells(character: str) -> int:
    if character.isascii():
        return 1
    from unicodedata import category, east_asian_width

    if category(character) in ("Mn", "Me"):
        return 0
    if east_asian_width(character) in ("W", "F"):
        return 2
    return 1
