"""Cells that a text takes at a terminal.

A letter of East Asia and most emoji take two, a combining mark none.
"""


def width(text: str) -> int:
    """Return the cells of a text that has no control characters."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def beginning(text: str, most: int) -> str:
    """Return the longest beginning of a text that fits into so many cells."""
    if text.isascii():
        return text[: max(most, 0)]
    room = most
    for index, sign in enumerate(text):
        room -= _cells(sign)
        if room < 0:
            return text[:index]
    return text


def ending(text: str, most: int) -> str:
    """Return the longest end of a text that fits into so many cells."""
    if text.isascii():
        return text[max(len(text) - max(most, 0), 0) :]
    room = most
    for index in range(len(text) - 1, -1, -1):
        room -= _cells(text[index])
        if room < 0:
            return text[index + 1 :]
    return text


def is_reordered(text: str) -> bool:
    """Return whether a terminal may draw a text from right to left, at other cells."""
    if text.isascii():
        return False
    from unicodedata import bidirectional

    return any(bidirectional(sign) in ("R", "AL", "AN") for sign in text)


def _cells(sign: str) -> int:
    if sign.isascii():
        return 1
    from unicodedata import category, east_asian_width

    if category(sign) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(sign) in ("W", "F") else 1
