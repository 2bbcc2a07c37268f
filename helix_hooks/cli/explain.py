"""`helix-hooks explain RULE`: the reason for a rule, and how to satisfy it."""

from argparse import ArgumentParser, Namespace

from ..check.rules import page_of
from ..console.output import write
from ..report import rules as report

EXAMPLE = """example:
  helix-hooks explain major-needs-migration"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="the id of a rule, as a finding shows it in brackets")


def run(options: Namespace) -> int:
    write(report.text(page_of(options.rule)))
    return 0
