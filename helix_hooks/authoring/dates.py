"""The date of a new ADR, written as the ADRs beside it write theirs. Pure."""

import re
from collections.abc import Sequence

_YEAR_FIRST = r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)"
_YEAR_LAST = r"(?<!\d)(\d{1,2})([-/.] ?)(\d{1,2})\2(\d{4})(?!\d)"
_WITH_NAME = (
    r"(?:(?P<before>\d{1,2})(?P<dot>\.|st|nd|rd|th)? )?(?P<month>[^\W\d_]{3,})(?P<short>\.?)"
    r"(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?)?(?P<comma>,?) (?P<year>\d{4})(?!\d)"
)
_MONTHS = (
    "January February March April May June July August September October November December".split(),
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
)
_ABBREVIATED = 3
"""Letters of an abbreviated month."""
_MOST_MONTHS = 12


def date_like(samples: Sequence[str], today: str) -> str:
    """Return today (as in 2024-05-31) in the form of the first sample that is a date."""
    year, month, day = today.split("-")
    for sample in samples:
        if found := re.search(_YEAR_FIRST, sample):
            sign = found[2]
            return f"{year}{sign}{_like(found[3], month)}{sign}{_like(found[4], day)}"
        if found := re.search(_YEAR_LAST, sample):
            first, sign, second = found[1], found[2], found[3]
            if _is_day_first(samples, sign):
                return f"{_like(first, day)}{sign}{_like(second, month)}{sign}{year}"
            return f"{_like(first, month)}{sign}{_like(second, day)}{sign}{year}"
        if written := _with_name(sample, year, int(month), int(day)):
            return written
    return today


def _like(sample: str, number: str) -> str:
    """Return a number of two digits, without its zero if the sample has one digit."""
    return number if len(sample) > 1 else str(int(number))


def _is_day_first(samples: Sequence[str], sign: str) -> bool:
    """Return whether the day is before the month; in doubt, not with slashes."""
    for sample in samples:
        found = re.search(_YEAR_LAST, sample)
        if found and found[2] == sign and max(int(found[1]), int(found[3])) > _MOST_MONTHS:
            return int(found[1]) > _MOST_MONTHS
    return sign != "/"


def _with_name(sample: str, year: str, month: int, day: int) -> str:
    """Return a date in the form of one with the name of a month; "" if the sample is none."""
    for found in re.finditer(_WITH_NAME, sample):
        name = found["month"]
        for names in _MONTHS:
            if not any(name in (known, known[:_ABBREVIATED]) for known in names):
                continue
            is_short = len(name) == _ABBREVIATED and name not in names
            word = names[month - 1][: _ABBREVIATED if is_short else None]
            written = f"{word}{found['short']}"
            if found["before"]:
                dot = "." if found["dot"] == "." else ""
                return (
                    f"{_like(found['before'], f'{day:02}')}{dot} {written}{found['comma']} {year}"
                )
            if found["after"]:
                number = _like(found["after"], f"{day:02}")
                return f"{written} {number}{found['comma']} {year}"
    return ""
