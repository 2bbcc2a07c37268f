"""`helix-hooks explain RULE`: the reason for a rule, and how to satisfy it."""

import click

from ..check.rules import page_of
from ..console.output import print_result
from ..report import rules as report
from .frame import command

EXAMPLE = """example:
  helix-hooks explain major-needs-migration"""


@command(
    "explain",
    example=EXAMPLE,
    arguments={"RULE": "the id of a rule, as a finding shows it in brackets"},
)
@click.argument("rule", metavar="RULE")
def run(*, rule: str) -> int:
    print_result(report.text(page_of(rule)))
    return 0
