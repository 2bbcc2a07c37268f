"""`helix-hooks feedback`: what verifications found missing, and the questions for a person."""

import click

from ..console.output import print_result
from ..report import verification as report
from ..report.json import dumped
from ..text.plural import counted
from ..verification.pending import Records
from ..verify import store
from .frame import command, console, git_root, with_format

EXAMPLE = """examples:
  helix-hooks feedback                  show what the last verification found missing
  helix-hooks feedback --format json    print JSON
  helix-hooks feedback --clear          remove feedback and questions after a person has decided

The feedback is in helix-hooks/verify/feedback.md in the git directory of the work tree. It is
removed when `verify` finds nothing missing.

exit codes:
  0  nothing is pending
  1  feedback is pending
  2  usage error
  3  the feedback could not be read
  4  an agent gave up, and a person must decide"""

_PENDING, _QUESTION = 1, 4


@command("feedback", example=EXAMPLE)
@click.option("--clear", is_flag=True, help="remove feedback and questions, keep the counters")
@with_format()
def run(*, clear: bool, format: str) -> int:
    """Print or clear the feedback; return whether some is pending as an exit code."""
    place = store.opened(git_root("feedback"))
    if clear:
        return _clear(place, format)
    records = store.read(place)
    if format == "json":
        _print_json(records)
    else:
        print_result(report.feedback_text(records))
    pending = [item for item in records if item.feedback]
    if any(item.is_question for item in pending):
        return _QUESTION
    if pending:
        return _PENDING
    return 0


def _clear(place: store.Store, format: str) -> int:
    """Remove the feedback, and print what was removed."""
    records = store.clear(place)
    if format == "json":
        _print_json(records)
    elif not console().quiet:
        count = sum(1 for item in records if item.feedback)
        print_result(f"cleared the feedback on {counted(count, 'ADR')}\n")
    return 0


def _print_json(records: Records) -> None:
    print_result(dumped(report.feedback_payload(records)))
