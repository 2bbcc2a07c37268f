"""`helix-hooks stats`: results, time and cost of the judge's runs."""

import click

from ..console.output import print_result
from ..errors import UsageError
from ..judge import statistics
from ..report import statistics as report
from ..report.verdict import rendered
from ..repository import git
from .frame import command

EXAMPLE = """examples:
  helix-hooks stats                  approvals, time, cost and coverage of this repository
  helix-hooks stats --format json    for programs

Every run of `approve` in any work tree of the repository is recorded in helix-hooks/runs.jsonl in its git directory."""


@command("stats", example=EXAMPLE)
@click.option(
    "--format",
    type=click.Choice(("text", "json")),
    default="text",
    help="how to print them (default: text)",
)
def run(*, format: str) -> int:
    repository = git.repository()
    if not repository:
        raise UsageError("stats needs a git repository, and this folder is not in one")
    figures = statistics.of_repository(repository)
    if format == "json":
        print_result(rendered({"version": 1, **figures._asdict()}))
    else:
        print_result(report.text(figures))
    return 0
