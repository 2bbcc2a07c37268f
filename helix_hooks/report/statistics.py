"""The figures of the judge's runs, as text for people."""

from ..text.plural import counted
from ..text.table import table
from ..verdict.statistics import Figures


def text(figures: Figures) -> str:
    """Return one line per figure."""
    if not figures.runs:
        return f"no runs yet; {counted(figures.adrs, 'ADR')} here, none of them reviewed\n"
    return "".join(f"{line}\n" for line in table(_rows(figures)))


def _rows(figures: Figures) -> list[tuple[str, str]]:
    answered = f"{figures.runs}, {figures.cached} from the cache"
    approved = _share(figures.decisions.get("approved", 0), figures.runs, "runs")
    covered = _share(figures.covered, figures.adrs, "ADRs")
    rows = [
        ("runs", answered),
        ("verdicts", _counts(figures.results) or "none"),
        ("no verdict", _counts(figures.failed) or "never"),
        ("decisions", _counts(figures.decisions)),
        ("approved", approved),
        ("time", f"median {figures.seconds_median:.1f} s, longest {figures.seconds_longest:.1f} s"),
        ("cost", _cost(figures)),
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


def _share(part: int, whole: int, noun: str) -> str:
    return f"{part} of {whole} {noun} ({100 * part / max(1, whole):.0f} %)"


def _cost(figures: Figures) -> str:
    priced = max(1, figures.runs - figures.cached - figures.unpriced)
    cost = f"${figures.cost_usd:.4f}, ${figures.cost_usd / priced:.4f} per run"
    if not figures.unpriced:
        return cost
    return f"{cost}; {counted(figures.unpriced, 'run')} without a reported cost"
