"""The figures of decisions, as tables and as JSON."""

from ..text.plural import counted
from ..text.sanitize import printable
from ..text.table import table
from ..waiting.figures import DECIDERS, QueueFigures, QueueMonth
from .json import dumped
from .queue_table import duration

FORMATS = ("table", "json")
VERSION = 1
_HEADS = (
    "month", "ended", "approved", "rejected", "expired", *DECIDERS, "median time", "longest time",
)  # fmt: skip
_WIDEST = 40
"""Characters of a project or type in a table."""


def render(figures: QueueFigures, format: str) -> str:
    """Return the figures in one of FORMATS."""
    if format == "json":
        return as_json(figures)
    return as_text(figures)


def as_json(figures: QueueFigures) -> str:
    """Return the figures as JSON."""
    value = {
        "version": VERSION,
        "since": figures.since or None,
        "waiting": figures.waiting,
        "partial": list(figures.partial),
        "months": [_fields(month) for month in figures.months],
        "parts": [
            {"project": part.project, "type": part.type, **_fields(part)} for part in figures.parts
        ],
    }
    return dumped(value, len(figures.parts))


def _fields(month: QueueMonth) -> dict[str, object]:
    return {
        "month": month.month,
        "ended": month.ended,
        "approved": month.approved,
        "rejected": month.rejected,
        "expired": month.expired,
        "decided_by": {by: month.by.get(by, 0) for by in DECIDERS},
        "shares": {by: month.share(by) for by in DECIDERS},
        "hours_median": month.hours_median,
        "hours_longest": month.hours_longest,
    }


def as_text(figures: QueueFigures) -> str:
    """Return a table of the months, a table of projects and types, and notes on missing data."""
    blocks = [[_headline(figures)]]
    if figures.months:
        blocks.append(table(map(_row, figures.months), _HEADS))
    if figures.parts:
        heads = ("project", "type", *_HEADS)
        rows = [(*_part(part), *_row(part)) for part in figures.parts]
        blocks.append(table(rows, heads))
    if figures.partial:
        blocks.append([f"partial: {printable(text)}" for text in figures.partial])
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _headline(figures: QueueFigures) -> str:
    ended = sum(month.ended for month in figures.months)
    since = f" since {figures.since}" if figures.since else ""
    if not ended:
        return f"nothing was decided{since}; {counted(figures.waiting, 'question')} waiting"
    return f"{counted(ended, 'question')} ended{since}, {figures.waiting or 'none'} waiting"


def _part(part: QueueMonth) -> tuple[str, str]:
    return printable(part.project, _WIDEST), printable(part.type, _WIDEST)


def _row(month: QueueMonth) -> tuple[str, ...]:
    counts = (month.ended, month.approved, month.rejected, month.expired)
    return (
        month.month,
        *map(str, counts),
        *(_share(month, by) for by in DECIDERS),
        _hours(month.hours_median),
        _hours(month.hours_longest),
    )


def _share(month: QueueMonth, by: str) -> str:
    share = month.share(by)
    if not share:
        return "0"
    return f"{month.by[by]} ({100 * share:.0f} %)"


def _hours(hours: float | None) -> str:
    if hours is None:
        return ""
    return duration(int(hours * 3600))
