import re
from collections.abc import Iterator

from ...model import Adr, Found

_YEAR_FIRST = r"(?<![\w./-])(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?=T\d|[^\w/-]|$)"
_YEAR_LAST = r"(?<![\w./-])(\d{1,2})([-./])(\d{1,2})\2(\d{4})(?![\w/-])"
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY = 2
_DATED = frozenset(("status", "changelog", "meta"))


class DateImpossible:
    """A date does not exist.

    `date: 2024-02-30` is a typing error. The day that was meant is unknown, and tools that sort
    by date fail or sort wrongly. It is an error in a header field. It is a warning above the first
    section, and in the sections Status and Changelog. Dates are read as `2024-02-29`, `2024/02/29`,
    `29.02.2024` and `02/29/2024`. If day and month could be swapped, it is enough that one order
    exists. Write the day that was meant.
    """

    id = "date-impossible"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        doc = adr.doc
        reported: set[int] = set()
        for field in (*adr.header.fields.values(), *adr.header.statuses):
            date = next(filter(None, map(_impossible, field.texts)), "")
            if date and field.line not in reported:
                reported.add(field.line)
                yield _found(field.line, date)
        first = doc.sections[0].heading_start if doc.sections else doc.body
        spans = [(doc.body, first)]
        spans += [
            (section.start, section.own_stop)
            for section in doc.sections
            if not _DATED.isdisjoint(adr.meanings.of(section.title))
        ]
        for start, stop in spans:
            text = doc.prose_markup[start:stop].decode()
            if not _impossible(text):
                continue
            for number, line in enumerate(text.split("\n"), doc.line_at(start)):
                date = _impossible(line)
                if date and number not in reported:
                    reported.add(number)
                    yield _found(number, date, severity="warning")


def _found(line: int, date: str, severity: str = "") -> Found:
    return Found(
        line=line,
        message=f"the date {date} does not exist",
        help="correct the date",
        severity=severity,
        words=date,
    )


def _impossible(text: str) -> str:
    """Return the first date of a text that does not exist, "" without one."""
    if text.count("-") < 2 and text.count(".") < 2 and text.count("/") < 2:
        return ""
    for date in re.finditer(_YEAR_FIRST, text):
        if not _exists(int(date[1]), int(date[3]), int(date[4])):
            return date[0]
    for date in re.finditer(_YEAR_LAST, text):
        one, other, year = int(date[1]), int(date[3]), int(date[4])
        if not (_exists(year, one, other) or _exists(year, other, one)):
            return date[0]
    return ""


def _exists(year: int, month: int, day: int) -> bool:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    most = _DAYS[month - 1] if 1 <= month <= len(_DAYS) else 0
    return 1 <= day <= most + (leap and month == _FEBRUARY) and year > 0
