"""`helix-hooks explain RULE`: why a rule exists and how to satisfy it."""

from difflib import get_close_matches

import click

from ..check.rules import in_force, with_examples
from ..console.output import write
from ..errors import UsageError
from ..report import rules as report
from .frame import command

EXAMPLE = """example:
  helix-hooks explain major-needs-migration"""


@command("explain", example=EXAMPLE, arguments={"RULE": "the id of a rule, as a finding shows it in brackets"})
@click.argument("rule", metavar="RULE")
def run(*, rule: str) -> int:
    known = {page.id: page for page in in_force()}
    if rule not in known:
        near = get_close_matches(rule, known, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"there is no rule {rule!r}; {hint}`helix-hooks rules` lists them")
    write(report.text(with_examples(known[rule])))
    return 0
