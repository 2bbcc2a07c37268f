"""`helix-hooks rules`: the rules in force."""

import click

from ..check.rules import in_force, with_examples
from ..console.output import print_result
from ..report import rules as report
from .frame import command

EXAMPLE = """examples:
  helix-hooks rules
  helix-hooks rules --format markdown > docs/rules.md"""


@command("rules", example=EXAMPLE)
@click.option(
    "--format",
    type=click.Choice(("text", "json", "markdown")),
    default="text",
    help="output format (default: text)",
)
def run(*, format: str) -> int:
    pages = in_force()
    if format == "json":
        print_result(report.as_json(pages))
    elif format == "markdown":
        print_result(report.markdown([with_examples(page) for page in pages]))
    else:
        print_result(report.listing(pages))
    return 0
