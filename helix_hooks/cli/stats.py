"""`helix-hooks stats`: results, time and cost of the judge's runs."""

from argparse import ArgumentParser, Namespace

from ..console.output import write
from ..errors import UsageError
from ..judge import statistics
from ..report import statistics as report
from ..report.verdict import rendered
from ..repository import git

EXAMPLE = """examples:
  helix-hooks stats                  approvals, time, cost and coverage of this repository
  helix-hooks stats --format json    for programs

Every run of `approve` in any work tree of the repository is recorded in helix-hooks/runs.jsonl in its git directory."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print them (default: text)")


def run(options: Namespace) -> int:
    repository = git.repository()
    if not repository:
        raise UsageError("stats needs a git repository, and this folder is not in one")
    figures = statistics.of_repository(repository)
    if options.format == "json":
        write(rendered({"version": 1, **figures._asdict()}))
    else:
        write(report.text(figures))
    return 0
