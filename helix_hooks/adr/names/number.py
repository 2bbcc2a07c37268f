"""The number in an ADR's name: `ADR-023`, `023`, `0023-use-kafka.md` and 23 are the same one."""

import re

_LONGEST_NAME = 200
_EARLY = 30
_MOST_DIGITS = 6
DASHES = dict.fromkeys(map(ord, "–—"), ":")
"""Dashes behind a number mean what a colon means; patterns with them are slow to compile."""


def number(id: str) -> int | None:
    """The first number in an id, None where it has none."""
    if id.isascii() and id.isdigit():
        return int(id) if len(id.lstrip("0")) <= _MOST_DIGITS else None
    match = re.search(r"(?<!\d)0*(\d{1,6})(?!\d)", id)
    return int(match[1]) if match else None


def number_in_path(path: str) -> int | None:
    """The number a file name begins with, or its folder's where a folder holds one ADR."""
    parts = path.rsplit("/", 2)
    for name in (parts[-1], *parts[-2:-1]):
        match = re.match(r"(?:[A-Za-z]+[-_ ]?)?0*(\d{1,6})(?!\d|\.\d)", name)
        dated = name[4:5] == "-" and re.match(r"\d{4}-\d{2}-\d{2}", name)
        if match and not dated:
            return int(match[1])
    return None


def number_in_title(title: str) -> int | None:
    """The number a title begins with: `ADR-014: Docs`, `14. Docs`, `0014 - Docs`."""
    if not any(map(str.isdigit, title[:_EARLY])):
        return None
    match = re.match(
        r"\W*(?:[Aa][Dd][Rr][-_ #]*)?(?!\d{4}-\d)0*(\d{1,6})(?=\s*(?:[-:)]|\.(?!\d)))",
        title.translate(DASHES),
    )
    return int(match[1]) if match else None


def named(text: str) -> set[int]:
    """The numbers of the ADRs a text names: `ADR-023` or `ADR 23`; a bare number names none."""
    found = (
        match
        for word in ("ADR", "Adr", "adr")
        if word in text
        for match in re.finditer(rf"{word}[-_ ]*0*(\d{{1,6}})(?!\d)", text)
    )
    return {int(match[1]) for match in found if not _inside_word(text, match.start())}


def linked(text: str) -> set[int]:
    """The numbers of the ADRs whose files a text links to, as `0023-use-kafka.md`."""
    names = (piece[-_LONGEST_NAME:] for piece in text.split(".md")[:-1])
    return {
        int(match[1])
        for name in names
        if (match := re.search(r"(?:^|[^\w-])0*(\d{1,6})-[\w.-]*$", name))
    }


def _inside_word(text: str, start: int) -> bool:
    before = text[max(0, start - 1) : start]
    return before.isalnum() or before in ("-", "_")
