"""The number in the name of an ADR: `ADR-023`, `023`, `0023-use-kafka.md` and 23 are equal."""

import re

from ...paths import MARKDOWN_SUFFIX

_LONGEST_NAME = 200
_EARLY = 30
_MOST_DIGITS = 6
DASHES = dict.fromkeys(map(ord, "–—"), ":")
"""Maps dashes after a number to colons, since patterns with dashes are slow to compile."""


def number(id: str) -> int | None:
    """Return the first number of up to six digits in an id, None without one."""
    if id.isascii() and id.isdigit():
        return int(id) if len(id.lstrip("0")) <= _MOST_DIGITS else None
    match = re.search(r"(?<!\d)0*(\d{1,6})(?!\d)", id)
    return int(match[1]) if match else None


def number_in_path(path: str) -> int | None:
    """Return the number at the beginning of a file name, else of the folder of a single ADR.

    The year of a date is not a number.
    """
    parts = path.rsplit("/", 2)
    for name in (parts[-1], *parts[-2:-1]):
        match = re.match(r"(?:[A-Za-z]+[-_ ]?)?0*(\d{1,6})(?!\d|\.\d)", name)
        is_dated = name[4:5] == "-" and re.match(r"\d{4}-\d{2}-\d{2}", name)
        if match and not is_dated:
            return int(match[1])
    return None


def number_in_title(title: str) -> int | None:
    """Return the number at the beginning of a title: `ADR-014: Docs`, `14. Docs`, `0014 - Docs`."""
    if not any(map(str.isdigit, title[:_EARLY])):
        return None
    match = re.match(
        r"\W*(?:[Aa][Dd][Rr][-_ #]*)?(?!\d{4}-\d)0*(\d{1,6})(?=\s*(?:[-:)]|\.(?!\d)))",
        title.translate(DASHES),
    )
    return int(match[1]) if match else None


def named(text: str) -> set[int]:
    """Return the numbers of the ADRs that a text names: `ADR-023`, `ADR 23`, but not `23`."""
    numbers: set[int] = set()
    # Three plain patterns are faster than one that ignores case.
    for word in ("ADR", "Adr", "adr"):
        if word not in text:
            continue
        for match in re.finditer(rf"{word}[-_ ]*0*(\d{{1,6}})(?!\d)", text):
            if not _inside_word(text, match.start()):
                numbers.add(int(match[1]))
    return numbers


def linked(text: str) -> set[int]:
    """Return the numbers of the ADRs whose files a text links to: `0023-use-kafka.md`."""
    numbers: set[int] = set()
    for piece in re.split(MARKDOWN_SUFFIX, text)[:-1]:
        match = re.search(r"(?:^|[^\w-])0*(\d{1,6})-[\w.-]*$", piece[-_LONGEST_NAME:])
        if match:
            numbers.add(int(match[1]))
    return numbers


def _inside_word(text: str, start: int) -> bool:
    before = text[max(0, start - 1) : start]
    return before.isalnum() or before in ("-", "_")
