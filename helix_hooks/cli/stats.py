"""`helix-hooks stats`: results, time and cost of the judge's runs."""

import os
from datetime import datetime

import click

from .. import extras, git
from ..console.output import print_result
from ..errors import HelixError, UsageError
from ..flow.place import here
from ..github.environment import repository_name
from ..judge import statistics
from ..phases.advance import outcome
from ..report import flow_costs
from ..report import stats as report
from ..report.flow import FlowView
from ..report.json import dumped
from .frame import command, git_root, with_format

_MOST = 20
"""Maximum number of listed runs of flows, newest first."""

_HERE = "."
"""The value of `--repo` without a name."""

EXAMPLE = """examples:
  helix-hooks stats                  show approvals, time, cost and coverage of this repository
  helix-hooks stats --format json    print JSON
  GITHUB_TOKEN=... helix-hooks stats --repo --since 2026-06-01
                                     show the decisions on pull requests by month and type

Runs of flows are listed with time and cost of each phase. The figures come from
helix-hooks/runs.jsonl in the git directory, which records every run of `approve`."""


@command("stats", example=EXAMPLE)
@with_format()
@click.option(
    "--repo",
    metavar="OWNER/NAME",
    is_flag=False,
    flag_value=_HERE,
    default="",
    help="show figures of the pull requests on GitHub (without a name: of this repository)",
)
@click.option(
    "--since",
    metavar="DATE",
    type=click.DateTime(("%Y-%m-%d",)),
    help="with --repo: only pull requests that changed since a day, e.g. 2026-06-01",
)
def run(*, format: str, repo: str, since: datetime | None) -> int:
    """Print the figures of this repository, or of its pull requests.

    Raises:
        UsageError: --since is used without --repo, or no repository is known.
    """
    if repo:
        day = ""
        if since:
            day = since.date().isoformat()
        return _print_gate_figures(repo, day, format)
    if since:
        raise UsageError("--since requires --repo")
    figures, views = statistics.of_repository(git_root("stats")), _flows()
    if format == "json":
        flows = None
        if views is not None:
            flows = flow_costs.payload(views)
        print_result(dumped({"version": 1, **figures._asdict(), "flows": flows}))
    else:
        print_result(report.runs_text(figures) + flow_costs.as_text(views or ()))
    return 0


def _flows() -> list[FlowView] | None:
    """Return the runs of flows, newest first; None if the optional packages are missing."""
    if not extras.are_there("flow"):
        return None
    from ..flow.client import states

    return [
        FlowView(flow, state, outcome(state)) for flow, state in states(here(os.environ))[:_MOST]
    ]


def _print_gate_figures(repo: str, since: str, format: str) -> int:
    """Print the figures of pull requests; return 3 if GitHub failed before all were read."""
    extras.require_packages("stats --repo", "github")
    from ..action.repository_figures import repository_figures

    environment = dict(os.environ)
    option = repo
    if repo == _HERE:
        option = ""
    name = repository_name(git.repository() or ".", option, environment)
    if not name:
        problem = "no repository is given, and the remote `origin` is not on GitHub"
        raise UsageError(f"{problem}; use --repo OWNER/NAME")
    collected = repository_figures(name, since, environment)
    if format == "json":
        print_result(report.gate_json(collected.figures))
    else:
        print_result(report.gate_text(collected.figures))
    if collected.has_failed:
        return HelixError.exit_code
    return 0
