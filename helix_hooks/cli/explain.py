"""`helix-hooks explain RULE`: the reason for a rule, and how to satisfy it."""

import click

from ..check.rules import page_of
from ..console.output import columns, print_result
from ..report import rule_pages as report
from .frame import command, console, with_format

EXAMPLE = """examples:
  helix-hooks explain major-needs-migration
  helix-hooks explain placeholder --format json

RULE may also be the address that a report shows for a rule, e.g.
https://github.com/helix-hooks/helix-hooks/blob/main/docs/rules.md#placeholder"""


@command(
    "explain",
    example=EXAMPLE,
    arguments={"RULE": "rule id, as shown in brackets after a finding, or its documentation URL"},
)
@click.argument("rule", metavar="RULE")
@with_format()
def run(*, rule: str, format: str) -> int:
    page = page_of(rule)
    if format == "json":
        print_result(report.page_json(page))
    else:
        print_result(report.explained(page, console().colored, columns()))
    return 0
