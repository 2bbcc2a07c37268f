"""`helix-hooks rules`: what is checked here."""

from argparse import ArgumentParser, Namespace

from .. import explain, files, git
from ..report import rules as report
from ..settings import load
from .main import write

EXAMPLE = """examples:
  helix-hooks rules
  helix-hooks rules --format markdown > docs/rules.md"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="how to print the rules (default: text)")


def run(options: Namespace) -> int:
    pages = in_force()
    if options.format == "json":
        write(report.as_json(pages))
    elif options.format == "markdown":
        write(report.markdown([with_examples(page) for page in pages]))
    else:
        write(report.listing(pages))
    return 0


def in_force() -> list[explain.Page]:
    """The pages of the rules that hold in the current repository."""
    repository = git.repository()
    tree = files.WorkTree(repository or ".", None)
    return explain.pages(load(tree.read, files.packaged).ruleset)


def with_examples(page: explain.Page) -> explain.Page:
    return page._replace(fails=_example(page.id, "fails"), passes=_example(page.id, "passes"))


def _example(rule: str, name: str) -> explain.Example | None:
    text = files.packaged(f"examples/{rule}/{name}.md")
    beside = ((label, files.packaged(f"examples/{rule}/{name}.{suffix}")) for suffix, label in explain.BESIDE.items())
    found = tuple((label, data.decode()) for label, data in beside if data is not None)
    return None if text is None else explain.Example(text.decode(errors="replace"), found)
