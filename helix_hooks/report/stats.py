"""The figures of `stats`: of the judge's runs, and of the gate on a repository's pull requests."""

from ..decision.gate_figures import GateFigures, MonthFigures, TypeFigures
from ..text.plural import counted
from ..text.sanitize import printable
from ..text.table import table
from ..verdict.statistics import Figures
from .json import dumped

VERSION = 1
_MONTHS = (
    "month", "pull requests", "with ADRs", "judged", "approved", "rejected", "pending",
    "to decision", "overrides", "declines",
)  # fmt: skip
_TYPES = ("month", "type", "runs", "approved", "failed", "cached", "time", "cost")


def runs_text(figures: Figures) -> str:
    """Return one line per figure."""
    if not figures.runs:
        return f"no runs yet; {counted(figures.adrs, 'ADR')} here, none of them reviewed\n"
    return "".join(f"{line}\n" for line in table(_rows(figures)))


def _rows(figures: Figures) -> list[tuple[str, str]]:
    answered = f"{figures.runs}, {figures.cached} from the cache"
    approved = _share_of(figures.decisions.get("approved", 0), figures.runs, "runs")
    covered = _share_of(figures.covered, figures.adrs, "ADRs")
    rows = [
        ("runs", answered),
        ("verdicts", _counts(figures.results) or "none"),
        ("no verdict", _counts(figures.failed) or "never"),
        ("decisions", _counts(figures.decisions)),
        ("approved", approved),
        ("time", f"median {figures.seconds_median:.1f} s, longest {figures.seconds_longest:.1f} s"),
        ("cost", _cost_of_runs(figures)),
        ("tokens", f"{figures.tokens}, in {counted(figures.turns, 'turn')}"),
        ("coverage", f"{covered} approved, {figures.current} in their current version"),
    ]
    if figures.unread:
        rows.append(("unreadable", f"{counted(figures.unread, 'record')}, left out"))
    return rows


def _counts(counts: dict[str, int]) -> str:
    """Return numbers with their names, the largest first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{number} {name}" for name, number in ordered)


def _share_of(part: int, whole: int, noun: str) -> str:
    return f"{part} of {whole} {noun} ({100 * part / max(1, whole):.0f} %)"


def _cost_of_runs(figures: Figures) -> str:
    priced = max(1, figures.runs - figures.cached - figures.unpriced)
    cost = f"${figures.cost_usd:.4f}, ${figures.cost_usd / priced:.4f} per run"
    if not figures.unpriced:
        return cost
    return f"{cost}; {counted(figures.unpriced, 'run')} without a reported cost"


def gate_json(figures: GateFigures) -> str:
    """Return the figures as JSON."""
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
    """Return the share of approvals among the verdicts, 0 to 1; None without verdicts."""
    verdicts = sum(type.results.values())
    if not verdicts:
        return None
    return round(type.approved / verdicts, 4)


def gate_text(figures: GateFigures) -> str:
    """Return a table of the months, a table of the approval types, and notes on missing data."""
    blocks = [[_headline(figures)]]
    if figures.months:
        blocks.append(table(map(_month, figures.months), _MONTHS))
    if figures.types:
        blocks.append(table(map(_type, figures.types), _TYPES))
    notes = [*_without_record(figures), *(f"partial: {text}" for text in figures.partial)]
    if notes:
        blocks.append([printable(note) for note in notes])
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _headline(figures: GateFigures) -> str:
    line = f"{printable(figures.repository)}: {counted(figures.pulls, 'pull request')}"
    if not figures.since:
        return line
    return f"{line} since {figures.since}"


def _month(month: MonthFigures) -> tuple[str, ...]:
    def number(*states: str) -> str:
        return str(sum(month.decisions.get(state, 0) for state in states))

    return (
        month.month,
        str(month.pulls),
        str(month.with_adrs),
        _share(month.judged, month.with_adrs),
        number("approved", "auto_approved"),
        number("rejected", "failed", "broken"),
        number("pending", "expired"),
        _hours(month.hours_median),
        str(month.overrides),
        str(month.declines),
    )


def _hours(hours: float | None) -> str:
    if hours is None:
        return ""
    return f"{hours:.1f} h"


def _type(type: TypeFigures) -> tuple[str, ...]:
    cost = f"${type.cost_usd:.2f}"
    if type.unpriced:
        cost = f"{cost}?"
    return (
        type.month,
        printable(type.approval_type, 40),
        str(type.runs),
        _share(type.approved, sum(type.results.values())),
        str(type.failed),
        str(type.cached),
        f"{type.seconds_median:.1f} s",
        cost,
    )


def _share(part: int, whole: int) -> str:
    if not whole:
        return "0"
    return f"{part} ({100 * part / whole:.0f} %)"


def _without_record(figures: GateFigures) -> list[str]:
    missing = sum(month.unrecorded for month in figures.months)
    unpriced = sum(type.unpriced for type in figures.types)
    notes = []
    if missing:
        notes.append(f"{counted(missing, 'pull request')} with ADRs: no gate record")
    if unpriced:
        notes.append(f"{counted(unpriced, 'run')} without a reported cost (marked with ?)")
    return notes
