"""Days of the calendar, in UTC."""

DAY = 86_400
"""Seconds of a day."""

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY = 2
_EPOCH = 719_162
"""Days from the first one of year 1 to the first one of 1970."""


def exists(year: int, month: int, day: int) -> bool:
    """Return whether a calendar has a day."""
    most = _DAYS[month - 1] if 1 <= month <= len(_DAYS) else 0
    return 1 <= day <= most + (_is_leap(year) and month == _FEBRUARY) and year > 0


def beginning(text: str) -> int:
    """Return when a day that exists begins, in seconds since 1970; written as in 2026-12-14."""
    year, month, day = map(int, text.split("-"))
    before = year - 1
    leap_days = before // 4 - before // 100 + before // 400
    leap_day = _is_leap(year) and month > _FEBRUARY
    days = before * 365 + leap_days + sum(_DAYS[: month - 1]) + leap_day + day - 1
    return (days - _EPOCH) * DAY


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
