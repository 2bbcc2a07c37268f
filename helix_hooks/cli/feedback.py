"""`helix-hooks feedback`: what verifications found missing, and the questions for a person."""

import json

import click

from ..console.output import print_result
from ..errors import UsageError
from ..report import feedback
from ..repository import git
from ..text.plural import counted
from ..text.sanitize import json_value
from ..verify import store
from .frame import command, console

EXAMPLE = """examples:
  helix-hooks feedback                  what is missing in this work tree, by the last verification
  helix-hooks feedback --format json    for programs
  helix-hooks feedback --clear          a person has decided: remove feedback and question

It lies in helix-hooks/verify/feedback.md in the git directory of the work tree, and goes when `verify` finds nothing missing.

exit codes:
  0  nothing is pending
  1  feedback is pending
  3  it could not be read
  4  an agent gave up, and a person must decide"""

_PENDING, _QUESTION = 1, 4


@command("feedback", example=EXAMPLE)
@click.option("--clear", is_flag=True, help="remove feedback and questions; counters stay")
@click.option(
    "--format",
    type=click.Choice(("text", "json")),
    default="text",
    help="how to print it (default: text)",
)
def run(*, clear: bool, format: str) -> int:
    root = git.repository()
    if not root:
        raise UsageError("feedback needs a git repository, and this folder is not in one")
    place = store.opened(root)
    records = store.clear(place) if clear else store.read(place)
    pending = [item for item in records if item.feedback]
    if format == "json":
        print_result(json.dumps(json_value(feedback.payload(records)), indent=2) + "\n")
    elif not clear:
        print_result(feedback.text(records))
    elif not console().quiet:
        print_result(f"cleared the feedback on {counted(len(pending), 'ADR')}\n")
    if clear or not pending:
        return 0
    return _QUESTION if any(item.is_question for item in pending) else _PENDING
