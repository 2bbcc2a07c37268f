"""`helix-hooks explain RULE`: why a rule exists and how to satisfy it."""

from argparse import ArgumentParser, Namespace
from difflib import get_close_matches

from ..check.rules import in_force, with_examples
from ..console.output import write
from ..errors import UsageError
from ..report import rules as report

EXAMPLE = """example:
  helix-hooks explain major-needs-migration"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="the id of a rule, as a finding shows it in brackets")


def run(options: Namespace) -> int:
    known = {page.id: page for page in in_force()}
    if options.rule not in known:
        near = get_close_matches(options.rule, known, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"there is no rule {options.rule!r}; {hint}`helix-hooks rules` lists them")
    write(report.text(with_examples(known[options.rule])))
    return 0
