import re
from collections.abc import Iterator

from ...model import Adr, RuleResult, rule
from ...names.field import Field

_YEAR_FIRST = r"(?<![\w./-])(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?=T\d|[^\w/-]|$)"
_YEAR_LAST = r"(?<![\w./-])(\d{1,2})([-./])(\d{1,2})\2(\d{4})(?![\w/-])"
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY = 2
_WITH_DATES = frozenset(("status", "changelog", "meta"))
"""Sections whose dates are those of the ADR; other sections may quote a date as an example."""


_UNREADABLE = r"(?<![\w./-])\d{1,6}([-/.])\d{1,4}\1\d{1,6}(?![\w/-]|\.\d)"
"""Three numbers where a date is expected."""


@rule("date-impossible", "structure", "error")
def date_impossible(adr: Adr) -> Iterator[RuleResult]:
    """A date does not exist, or cannot be read.

    `date: 2024-02-30` is a typo. Nobody knows which day was meant, and tools that sort by date fail
    or sort wrongly. It is an error in a header field. It is a warning above the first section and
    in the sections Status and Changelog. These formats are read: `2024-02-29`, `2024/02/29`,
    `29.02.2024` and `02/29/2024`. If day and month can be in either order, one valid order is
    enough. Three numbers in a field for a date that are none of these, as in `2018-07-018`, cannot
    be read: an error in a new ADR, information in others. Correct the date.
    """
    reported: set[int] = set()
    for finding in (*_in_fields(adr), *_in_text(adr)):
        if finding.line not in reported:
            reported.add(finding.line)
            yield finding


def _in_fields(adr: Adr) -> Iterator[RuleResult]:
    for name, field in adr.header.fields.items():
        date = next(filter(None, map(_impossible, field.texts)), "")
        if date:
            yield _finding(field.line, date)
        elif "date" in name:
            yield from _unreadable(adr, field)
    for field in adr.header.statuses:
        date = next(filter(None, map(_impossible, field.texts)), "")
        if date:
            yield _finding(field.line, date)


def _unreadable(adr: Adr, field: Field) -> Iterator[RuleResult]:
    for date in re.finditer(_UNREADABLE, field.text):
        forms = (_YEAR_FIRST, _YEAR_LAST, r"\d{4}\.\d{1,2}\.\d{1,2}")
        if not any(re.fullmatch(form, date[0]) for form in forms):
            yield RuleResult(
                line=field.line,
                message=f"the date {date[0]} cannot be read",
                help="write year, month and day: YYYY-MM-DD",
                severity="" if adr.is_new else "info",
                words=date[0],
                subject=date[0],
            )


def _in_text(adr: Adr) -> Iterator[RuleResult]:
    doc = adr.doc
    first = doc.sections[0].heading_start if doc.sections else doc.body
    spans = [(doc.body, first)]
    spans += [
        (section.start, section.own_stop)
        for section in doc.sections
        if not _WITH_DATES.isdisjoint(adr.meanings.of(section.title))
    ]
    for start, stop in spans:
        text = doc.prose_markup[start:stop].decode()
        if not _impossible(text):
            continue
        for number, line in enumerate(text.split("\n"), doc.line_at(start)):
            date = _impossible(line)
            if date:
                yield _finding(number, date, severity="warning")


def _finding(line: int, date: str, severity: str = "") -> RuleResult:
    return RuleResult(
        line=line,
        message=f"the date {date} does not exist",
        help="correct the date",
        severity=severity,
        words=date,
        subject=date,
    )


def _impossible(text: str) -> str:
    """Return the first date of a text that does not exist, "" without one."""
    # Most texts have no date: three counts are faster than two searches.
    if max(map(text.count, "-./")) < 2:
        return ""
    for date in re.finditer(_YEAR_FIRST, text):
        if not _exists(int(date[1]), int(date[3]), int(date[4])):
            return date[0]
    for date in re.finditer(_YEAR_LAST, text):
        one, other, year = int(date[1]), int(date[3]), int(date[4])
        if not _exists(year, one, other) and not _exists(year, other, one):
            return date[0]
    return ""


# Not that of `text.day`: a hook would load one more module.
def _exists(year: int, month: int, day: int) -> bool:
    if not 1 <= month <= len(_DAYS):
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = _DAYS[month - 1] + (is_leap and month == _FEBRUARY)
    return 1 <= day <= days and year > 0
