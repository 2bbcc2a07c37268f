"""The review of an accepted ADR: `review_by:` and `revisit_when:` in its header. Pure.

`review_by` is a day. `revisit_when` has conditions: `exists GLOB` and `missing GLOB` are about the
files of the repository; any other text is shown to the person, and never comes due by itself.
"""

import re
from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from ..paths import glob_problem, matches
from .model import Adr

REVIEW_BY, REVISIT_WHEN = "review_by", "revisit_when"
_CONDITION = re.compile(r"(exists|missing)\s+`?([^\s`]+)`?")


class Review(NamedTuple):
    """The review of an ADR: why it is due, and since when; None for a condition.

    `conditions` are the texts that only a person can judge.
    """

    reasons: tuple[str, ...]
    since: date | None
    conditions: tuple[str, ...]

    @property
    def is_due(self) -> bool:
        return bool(self.reasons)


def review_day(text: str) -> date | None:
    """Return a day written as YYYY-MM-DD; None for anything else."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def review_text(adr: Adr) -> str:
    """Return the review date as written, "" without one.

    Outside a YAML header, `Review by: Ann` names a person.
    """
    field = adr.header.fields.get(REVIEW_BY)
    if field is None:
        return ""
    is_in_yaml = adr.doc.front is not None and field.line < adr.doc.line_at(adr.doc.body)
    return field.text if is_in_yaml or any(map(str.isdigit, field.text)) else ""


def review_of(adr: Adr, today: date, paths: Collection[str]) -> Review:
    """Return whether an ADR is due on a day, in a repository with some paths."""
    reasons: list[str] = []
    since = None
    written = review_text(adr)
    if written:
        since = review_day(written)
        if since is None:
            reasons.append(f"its review date {written!r} can't be read")
        elif since <= today:
            reasons.append(f"it was to be reviewed by {since}")
        else:
            since = None
    conditions: list[str] = []
    field = adr.header.fields.get(REVISIT_WHEN)
    for text in field.texts if field else ():
        condition = _CONDITION.fullmatch(text)
        if condition is None:
            conditions.append(text)
            continue
        if problem := glob_problem(condition[2]):
            reasons.append(f"its condition {text!r} can't be read: {problem}")
            continue
        is_there = any(matches(path, (condition[2],)) for path in paths)
        if is_there == (condition[1] == "exists"):
            reasons.append(f"its condition is met: {text}")
    return Review(tuple(reasons), since, tuple(conditions))
