"""Days of the calendar against those of the standard library."""

from datetime import UTC, date, datetime, timedelta

import pytest

from helix_hooks.text.day import DAY, beginning, exists

FIRST = date(1999, 12, 30)


def test_days_begin_when_the_calendar_says() -> None:
    for number in range(0, 40_000, 7):
        day = FIRST + timedelta(days=number)
        at = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
        assert beginning(day.isoformat()) == at
    assert beginning("1970-01-01") == 0 and beginning("1970-01-02") == DAY


@pytest.mark.parametrize(
    ("day", "is_one"),
    [((2024, 2, 29), True), ((2023, 2, 29), False), ((2100, 2, 29), False), ((2000, 2, 29), True), ((2026, 13, 1), False), ((2026, 4, 31), False), ((0, 1, 1), False), ((2026, 0, 1), False)],
)  # fmt: skip
def test_days_that_exist(day: tuple[int, int, int], is_one: bool) -> None:
    assert exists(*day) is is_one
