"""The figures of the gate on a repository's pull requests, as tables and as JSON."""

from collections.abc import Sequence

from ..decision.gate_figures import GateFigures, MonthFigures, TypeFigures
from ..text.plural import counted
from ..text.sanitize import printable
from .json import dumped

VERSION = 1
_MONTHS = (
    "month", "pull requests", "with ADRs", "judged", "approved", "rejected", "pending",
    "to decision", "overrides", "declines",
)  # fmt: skip
_TYPES = ("month", "type", "runs", "approved", "failed", "cached", "time", "cost")


def as_json(figures: GateFigures) -> str:
    """Return the figures for programs."""
    value = {
        "version": VERSION,
        "repository": figures.repository,
        "since": figures.since or None,
        "pull_requests": figures.pulls,
        "partial": list(figures.partial),
        "months": [month._asdict() for month in figures.months],
        "approval_types": [
            {**type._asdict(), "approval_rate": _rate(type)} for type in figures.types
        ],
    }
    return dumped(value, len(figures.months))


def _rate(type: TypeFigures) -> float | None:
    verdicts = sum(type.results.values())
    return round(type.approved / verdicts, 4) if verdicts else None


def as_text(figures: GateFigures) -> str:
    """Return a table of the months, one of the approval types, and what is missing."""
    since = f" since {figures.since}" if figures.since else ""
    head = f"{printable(figures.repository)}: {counted(figures.pulls, 'pull request')}{since}"
    blocks = [[head]]
    if figures.months:
        blocks.append(_table(_MONTHS, [_month(month) for month in figures.months]))
    if figures.types:
        blocks.append(_table(_TYPES, [_type(type) for type in figures.types]))
    notes = [*_without_record(figures), *(f"partial: {text}" for text in figures.partial)]
    blocks += [[printable(note) for note in notes]] if notes else []
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _month(month: MonthFigures) -> tuple[str, ...]:
    def status(*names: str) -> str:
        return str(sum(month.decisions.get(name, 0) for name in names))

    hours = month.hours_median
    return (
        month.month,
        str(month.pulls),
        str(month.with_adrs),
        _share(month.judged, month.with_adrs),
        status("approved", "auto_approved"),
        status("rejected", "failed", "broken"),
        status("pending", "expired"),
        "" if hours is None else f"{hours:.1f} h",
        str(month.overrides),
        str(month.declines),
    )


def _type(type: TypeFigures) -> tuple[str, ...]:
    return (
        type.month,
        printable(type.approval_type, 40),
        str(type.runs),
        _share(type.approved, sum(type.results.values())),
        str(type.failed),
        str(type.cached),
        f"{type.seconds_median:.1f} s",
        f"${type.cost_usd:.2f}{'?' if type.unpriced else ''}",
    )


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.0f} %)" if whole else "0"


def _without_record(figures: GateFigures) -> list[str]:
    missing = sum(month.unrecorded for month in figures.months)
    unpriced = sum(type.unpriced for type in figures.types)
    notes = []
    if missing:
        notes.append(f"{counted(missing, 'pull request')} with ADRs without a record of the gate")
    if unpriced:
        notes.append(f"{counted(unpriced, 'run')} without a stated cost (the costs with ?)")
    return notes


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (heads, *rows)
    ]
