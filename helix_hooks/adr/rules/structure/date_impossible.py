import re
from collections.abc import Iterator
from datetime import date

from ...model import Adr, RuleResult, rule
from ...names import Field
from ...review_date import REVIEW_BY, review_day, review_text

_DATE = r"(?<![\w./-])(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?=T\d|[^\w/-]|$)"
_NUMBERS = r"(?<![\w./-])\d{1,6}([-/.])\d{1,4}\1\d{1,6}(?![\w/-]|\.\d)"
"""Three numbers where a date is expected."""
_READABLE = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}"
_WITH_DATES = frozenset(("status", "changelog", "meta"))
"""Sections whose dates are those of the ADR; other sections may quote a date as an example."""


@rule("date-impossible", "structure", "error")
def date_impossible(adr: Adr) -> Iterator[RuleResult]:
    """A date does not exist, or cannot be read.

    `date: 2024-02-30` is a typo. Nobody knows which day was meant, and tools that sort by date fail
    or sort wrongly. It is an error in a header field. It is a warning above the first section and
    in the sections Status and Changelog. These formats are read: `2024-02-29`, `2024/02/29`,
    `29.02.2024` and `02/29/2024`. If day and month can be in either order, one valid order is
    enough. Three numbers in a field for a date that are none of these, as in `2018-07-018`, cannot
    be read: an error in a new ADR, information in others. `review_by` must be `YYYY-MM-DD`. Correct
    the date.
    """
    doc = adr.doc
    reported: set[int] = set()
    fields = [*adr.header.fields.items()]
    fields += [("status", field) for field in adr.header.statuses]
    for name, field in fields:
        day = next(_impossible("\n".join(field.texts)), None)
        if day and field.line not in reported:
            reported.add(field.line)
            yield _finding(field.line, day[0])
        elif "date" in name and field.line not in reported:
            reported.add(field.line)
            yield from _unreadable(adr, field)
        elif name == REVIEW_BY and (text := review_text(adr)) and review_day(text) is None:
            reported.add(field.line)
            yield RuleResult(
                line=field.line,
                message=f"the review date {field.text!r} cannot be read",
                help="write year, month and day: YYYY-MM-DD",
                words=field.text,
                subject=REVIEW_BY,
            )
    spans = [(doc.body, doc.sections_start if doc.sections else doc.body)]
    spans += [
        (section.start, section.own_stop)
        for section in doc.sections
        if not _WITH_DATES.isdisjoint(adr.meanings.of(section.title))
    ]
    for start, stop in spans:
        lines = doc.prose_markup[start:stop].decode().split("\n")
        for number, line in enumerate(lines, doc.line_at(start)):
            day = next(_impossible(line), None)
            if day and number not in reported:
                reported.add(number)
                yield _finding(number, day[0], severity="warning")


def _impossible(text: str) -> Iterator[re.Match[str]]:
    """Yield the dates of a text that do not exist."""
    for match in re.finditer(_DATE, text):
        first, sign, second, third = match.groups()
        if len(first) == 4 and len(third) <= 2 and sign != ".":
            is_real = _exists(int(first), int(second), int(third))
        elif len(first) <= 2 and len(third) == 4:
            one, other, year = int(first), int(second), int(third)
            is_real = _exists(year, one, other) or _exists(year, other, one)
        else:
            continue  # a version, or no date
        if not is_real:
            yield match


def _exists(year: int, month: int, day: int) -> bool:
    """Return whether the calendar has a day."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _unreadable(adr: Adr, field: Field) -> Iterator[RuleResult]:
    for numbers in re.finditer(_NUMBERS, field.text):
        if not re.fullmatch(_READABLE, numbers[0]):
            yield RuleResult(
                line=field.line,
                message=f"the date {numbers[0]} cannot be read",
                help="write year, month and day: YYYY-MM-DD",
                severity="" if adr.is_new else "info",
                words=numbers[0],
                subject=numbers[0],
            )


def _finding(line: int, day: str, severity: str = "") -> RuleResult:
    return RuleResult(
        line=line,
        message=f"the date {day} does not exist",
        help="correct the date",
        severity=severity,
        words=day,
        subject=day,
    )
