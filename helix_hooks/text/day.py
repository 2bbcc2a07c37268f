"""Days of the calendar, in UTC."""

DAY = 86_400
"""Seconds of a day."""

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY = 2
_EPOCH = 719_162
"""Days from the first one of year 1 to the first one of 1970."""


def exists(year: int, month: int, day: int) -> bool:
    """Return whether the calendar has a day."""
    if year < 1 or not 1 <= month <= len(_DAYS):
        return False
    days = _DAYS[month - 1] + (month == _FEBRUARY and _is_leap(year))
    return 1 <= day <= days


def beginning(text: str) -> int:
    """Return the first second of a day since 1970.

    The day is a valid date, as in 2026-12-14.
    """
    year, month, day = map(int, text.split("-"))
    last_year = year - 1
    leap_days = last_year // 4 - last_year // 100 + last_year // 400
    leap_day = month > _FEBRUARY and _is_leap(year)
    days = last_year * 365 + leap_days + sum(_DAYS[: month - 1]) + leap_day + day - 1
    return (days - _EPOCH) * DAY


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
