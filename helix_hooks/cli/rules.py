"""`helix-hooks rules`: the rules in force."""

from ..check.rules import in_force, with_examples
from ..console.output import print_result
from ..report import rule_pages as report
from .frame import command, with_format

EXAMPLE = """examples:
  helix-hooks rules
  helix-hooks rules --format markdown > docs/rules.md"""


@command("rules", example=EXAMPLE)
@with_format("text", "json", "markdown")
def run(*, format: str) -> int:
    pages = in_force()
    if format == "json":
        print_result(report.list_json(pages))
    elif format == "markdown":
        print_result(report.markdown([with_examples(page) for page in pages]))
    else:
        print_result(report.listing(pages))
    return 0
