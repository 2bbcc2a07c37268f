"""`helix-hooks rules`: what is checked here."""

from argparse import ArgumentParser, Namespace

from ..check.rules import in_force, with_examples
from ..console.output import print_result
from ..report import rules as report

EXAMPLE = """examples:
  helix-hooks rules
  helix-hooks rules --format markdown > docs/rules.md"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="how to print the rules (default: text)")


def run(options: Namespace) -> int:
    pages = in_force()
    if options.format == "json":
        print_result(report.as_json(pages))
    elif options.format == "markdown":
        print_result(report.markdown([with_examples(page) for page in pages]))
    else:
        print_result(report.listing(pages))
    return 0
