"""The width of a text in a terminal, in cells.

East Asian letters and most emoji take two cells, combining marks none.
"""


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
