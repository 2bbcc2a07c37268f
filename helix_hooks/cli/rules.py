"""`helix-hooks rules` and `explain`: the rules in force, and the reason for one."""

from ..check.rule_choice import in_force, page_of, with_examples
from ..console import columns, print_result
from ..report import rule_pages
from . import shared


@shared.command(
    "rules",
    example="""examples:
  helix-hooks rules
  helix-hooks rules --format markdown > docs/rules.md""",
)
@shared.formats("text", "json", "markdown")
def rules(*, format: str) -> None:
    pages = in_force()
    if format == "json":
        print_result(rule_pages.list_json(pages))
    elif format == "markdown":
        print_result(rule_pages.markdown([with_examples(page) for page in pages]))
    else:
        print_result(rule_pages.listing(pages))


@shared.command(
    "explain",
    example="""examples:
  helix-hooks explain major-needs-migration
  helix-hooks explain placeholder --format json

RULE may also be the address that a report shows for a rule, e.g.
https://github.com/helix-hooks/helix-hooks/blob/main/docs/rules.md#placeholder""",
)
@shared.argument(
    "rule", "RULE", "rule id, as shown in brackets after a finding, or its documentation URL"
)
@shared.formats()
def explain(*, rule: str, format: str) -> None:
    page = page_of(rule)
    if format == "json":
        print_result(rule_pages.page_json(page))
    else:
        print_result(rule_pages.explained(page, shared.console().colored, columns()))
