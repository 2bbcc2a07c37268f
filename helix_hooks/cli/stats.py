"""`helix-hooks stats` and `audit`: figures of judges and of the gate; who decided what."""

import os
from contextlib import closing
from datetime import UTC, datetime

import click

from .. import extras, git
from ..audit.figures import GateFigures, MonthFigures, TypeFigures
from ..check.settings import settings_of
from ..check.trees import Revision
from ..enforce.coverage import Coverage, coverage_of
from ..errors import HelixError, UsageError
from ..flow.place import here
from ..judge import statistics
from ..phases import run_json, run_text
from ..phases.advance import outcome
from ..phases.run_text import FlowView
from ..pull.access import repository_name
from ..text import counted, printable
from ..text.table import table
from ..verdict.statistics import Figures
from ..verify.base import base_here
from . import shared

_MOST = 20
"""Maximum number of listed runs of flows, newest first."""
_HERE = "."
"""The value of `--repo` without a name."""
_MONTHS = (
    "month", "pull requests", "with ADRs", "judged", "approved", "rejected", "pending",
    "to decision", "overrides", "declines", "corrected",
)  # fmt: skip
_TYPES = ("month", "type", "runs", "approved", "failed", "cached", "time", "cost")


@shared.command(
    "stats",
    example="""examples:
  helix-hooks stats                  show approvals, time, cost and coverage of this repository
  GITHUB_TOKEN=... helix-hooks stats --repo --since 2026-06-01
                                     show the decisions on pull requests by month and type

Runs of flows are listed with time and cost of each phase. The figures come from
helix-hooks/runs.jsonl in the git directory, which records every run of `approve`.""",
)
@shared.formats()
@click.option(
    "--repo",
    metavar="OWNER/NAME",
    is_flag=False,
    flag_value=_HERE,
    default="",
    help="show figures of the pull requests on GitHub (without a name: of this repository)",
)
@shared.text(
    "--since",
    "DATE",
    "with --repo: only pull requests that changed since a day, e.g. 2026-06-01",
    type=click.DateTime(("%Y-%m-%d",)),
)
def stats(*, format: str, repo: str, since: datetime | None) -> int:
    """Print the figures of this repository, or of its pull requests.

    Raises:
        UsageError: --since is used without --repo, or no repository is known.
    """
    if repo:
        day = since.date().isoformat() if since else ""
        return _print_gate_figures("" if repo == _HERE else repo, day, format)
    if since:
        raise UsageError("--since requires --repo")
    root = git.root_for("stats")
    figures = statistics.of_repository(root)
    coverage = _coverage(root)
    views: list[FlowView] = []
    has_flows = extras.are_there("flow")
    if has_flows:
        from ..flow.client import states

        runs = states(here(os.environ))[:_MOST]
        views = [FlowView(flow, state, outcome(state)) for flow, state in runs]
    flows = [run_json.cost_fields(view) for view in views] if has_flows else None
    value = {
        "version": 1,
        **figures._asdict(),
        "flows": flows,
        "enforcement": coverage._asdict() if coverage else None,
    }
    text = _figures(figures) + (_enforced(coverage) if coverage else "")
    shared.print_as(format, value, text + run_text.costs(views))
    return 0


def _coverage(root: str) -> Coverage | None:
    """Return how many decisions of the main branch are enforced; None before the first commit."""
    base = base_here(root)
    if base is None:
        return None
    with closing(Revision(root, base.commit)) as tree:
        return coverage_of(tree, settings_of(tree), datetime.now(UTC).date())


def _enforced(coverage: Coverage) -> str:
    """Return the line on enforced decisions and overdue reviews, and what the others have."""
    decisions = counted(coverage.accepted, "accepted decision")
    if coverage.enforced is None:
        share = f"{decisions}, enforced: unknown (no engine: pip install 'helix-hooks[all]')"
    else:
        verb = "is" if 1 in (coverage.enforced, coverage.accepted) else "are"
        share = f"{coverage.enforced} of {decisions} {verb} enforced"
    parts = [share, f"{coverage.overdue} overdue for a review"]
    for number, text in (
        (coverage.unproven, "with an unproven rule"),
        (coverage.named, "with a named check only"),
        (coverage.explained, "with a reason for none"),
        (coverage.unread, "can't be read"),
    ):
        if number:
            parts.append(f"{number} {text}")
    return f"{', '.join(parts)}\n"


def _figures(figures: Figures) -> str:
    """Return one line per figure of the judge's runs."""
    if not figures.runs:
        return f"no runs yet; {counted(figures.adrs, 'ADR')} here, none of them reviewed\n"
    approved = figures.decisions.get("approved", 0)
    covered = _share(figures.covered, figures.adrs, " of {} ADRs")
    priced = max(1, figures.runs - figures.cached - figures.unpriced)
    cost = f"${figures.cost_usd:.4f}, ${figures.cost_usd / priced:.4f} per run"
    if figures.unpriced:
        cost = f"{cost}; {counted(figures.unpriced, 'run')} without a reported cost"
    rows = [
        ("runs", f"{figures.runs}, {figures.cached} from the cache"),
        ("verdicts", _counts(figures.results) or "none"),
        ("no verdict", _counts(figures.failed) or "never"),
        ("decisions", _counts(figures.decisions)),
        ("approved", _share(approved, figures.runs, " of {} runs")),
        ("time", f"median {figures.seconds_median:.1f} s, longest {figures.seconds_longest:.1f} s"),
        ("cost", cost),
        ("tokens", f"{figures.tokens}, in {counted(figures.turns, 'turn')}"),
        ("coverage", f"{covered} approved, {figures.current} in their current version"),
    ]
    if figures.unread:
        rows.append(("unreadable", f"{counted(figures.unread, 'record')}, left out"))
    return "".join(f"{line}\n" for line in table(rows))


def _counts(counts: dict[str, int]) -> str:
    """Return numbers with their names, the largest first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{number} {name}" for name, number in ordered)


def _share(part: int, whole: int, of: str = "") -> str:
    """Return a number with its share in percent; `of` is a template for the whole."""
    return f"{part}{of.format(whole)} ({100 * part / max(1, whole):.0f} %)"


def _print_gate_figures(repo: str, since: str, format: str) -> int:
    """Print the figures of pull requests; return 3 if GitHub failed before all were read."""
    extras.require("stats --repo", "github")
    from ..audit.collect import repository_figures

    collected = repository_figures(_repository(repo), since, dict(os.environ))
    figures = collected.figures
    value = {
        "version": 1,
        "repository": figures.repository,
        "since": figures.since or None,
        "pull_requests": figures.pulls,
        "partial": list(figures.partial),
        "months": [{**month._asdict(), "unknown": 0} for month in figures.months],
        "approval_types": [
            {**type._asdict(), "approval_rate": _rate(type)} for type in figures.types
        ],
    }
    shared.print_as(format, value, _gate_figures(figures))
    return HelixError.exit_code if collected.has_failed else 0


def _repository(repo: str) -> str:
    """Return a repository on GitHub, by default that of the environment or of the remote.

    Raises:
        UsageError: No repository is known.
    """
    name = repository_name(git.repository() or ".", repo, dict(os.environ))
    if not name:
        problem = "no repository is given, and the remote `origin` is not on GitHub"
        raise UsageError(f"{problem}; use --repo OWNER/NAME")
    return name


def _rate(type: TypeFigures) -> float | None:
    """Return the share of approvals among the verdicts, 0 to 1; None without verdicts."""
    verdicts = sum(type.results.values())
    return round(type.approved / verdicts, 4) if verdicts else None


def _gate_figures(figures: GateFigures) -> str:
    """Return a table of the months, a table of the approval types, and notes on missing data."""
    head = f"{printable(figures.repository)}: {counted(figures.pulls, 'pull request')}"
    blocks = [[f"{head} since {figures.since}" if figures.since else head]]
    if figures.months:
        blocks.append(table(map(_month, figures.months), _MONTHS))
    if figures.types:
        blocks.append(table(map(_type, figures.types), _TYPES))
    notes = []
    if missing := sum(month.unrecorded for month in figures.months):
        notes.append(f"{counted(missing, 'pull request')} with ADRs: no gate record")
    if unpriced := sum(type.unpriced for type in figures.types):
        notes.append(f"{counted(unpriced, 'run')} without a reported cost (marked with ?)")
    notes += (f"partial: {text}" for text in figures.partial)
    if notes:
        blocks.append([printable(note) for note in notes])
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _month(month: MonthFigures) -> tuple[str, ...]:
    def number(*states: str) -> str:
        return str(sum(month.decisions.get(state, 0) for state in states))

    return (
        month.month,
        str(month.pulls),
        str(month.with_adrs),
        _share(month.judged, month.with_adrs) if month.with_adrs else "0",
        number("approved", "auto_approved"),
        number("rejected", "failed", "broken"),
        number("pending", "expired"),
        "" if month.hours_median is None else f"{month.hours_median:.1f} h",
        str(month.overrides),
        str(month.declines),
        _share(month.adrs_corrected, month.adrs_approved, " of {} ADRs")
        if month.adrs_approved
        else "",
    )


def _type(type: TypeFigures) -> tuple[str, ...]:
    verdicts = sum(type.results.values())
    return (
        type.month,
        printable(type.approval_type, 40),
        str(type.runs),
        _share(type.approved, verdicts) if verdicts else "0",
        str(type.failed),
        str(type.cached),
        f"{type.seconds_median:.1f} s",
        f"${type.cost_usd:.2f}{'?' if type.unpriced else ''}",
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise click.BadParameter(f"invalid pull request number {text!r} (expected e.g. 12)")
    return int(text)


@shared.command(
    "audit",
    example="""examples:
  GITHUB_TOKEN=... helix-hooks audit 12 --repo acme/decisions --format json

Set HELIX_RECORD_KEY to the secret `record-key` of the Action to check the signatures.""",
    exits={
        0: "the record agrees with the facts on GitHub",
        1: "the record is missing, invalid, or contradicts GitHub, e.g. a merge without approval",
    },
)
@shared.argument("number", "PR", "number of a pull request", type=_number)
@shared.repo
@shared.formats()
def audit(*, number: int, repo: str, format: str) -> int:
    """Print the audit of a pull request; return 1 if its record is wrong or missing."""
    from ..audit import collect
    from ..audit.report import payload, text

    result = collect.audit(_repository(repo), number, dict(os.environ))
    shared.print_as(format, payload(result), text(result))
    return int(not result.is_sound)
