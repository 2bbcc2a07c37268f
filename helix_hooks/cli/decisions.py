"""`helix-hooks decisions` and `mcp`: the accepted ADRs that govern some files, before a change."""

import os
import sys

import click

from .. import git
from ..agents.file_use import HOOKS
from ..agents.stop import MAX_PAYLOAD_BYTES
from ..console import print_message, print_result
from ..enforce.agent_hook import answered
from ..enforce.base_decisions import BaseDecisions, decisions_of, files_below
from ..enforce.decisions_text import BUDGET, decisions_text, doubts
from ..errors import HelixError, UsageError
from . import shared

_MOST_BUDGET = 100_000


@shared.command(
    "decisions",
    example="""examples:
  helix-hooks decisions src/orders.py              what binds a file
  helix-hooks decisions src/orders.py src/api/     what binds a file and a folder
  helix-hooks decisions src/orders.py --budget 400 --format json""",
    exits={0: "the decisions are printed, also if there are none", 3: "an ADR can't be read"},
)
@shared.paths("[PATH]...", "files or folders that will be changed; they need not exist")
@shared.text("--base", "REV", "read the ADRs from REV (default: the main branch)")
@click.option(
    "--budget",
    type=click.IntRange(200, _MOST_BUDGET),
    default=BUDGET,
    show_default=True,
    metavar="N",
    help="maximum characters from the second decision on; what is left out is named",
)
@shared.choice(
    "--hook",
    tuple(HOOKS),
    "answer the hook of an agent that starts, reads or edits; standard input has its payload",
)
@shared.formats()
def run(*, paths: tuple[str, ...], base: str, budget: int, hook: str | None, format: str) -> int:
    """Print the accepted ADRs of the base that govern some files, the strongest first.

    Raises:
        UsageError: A path is missing or not below the root of the repository, or there is no such
            revision.
    """
    if bool(paths) == bool(hook):
        raise UsageError("name a PATH, or use --hook")
    if hook:
        payload = sys.stdin.buffer.read(MAX_PAYLOAD_BYTES + 1) if sys.stdin else b""
        print_result(answered(hook, payload, base, budget, os.environ))
        return 0
    root = git.root_for("decisions")
    files = files_below(root, paths)
    decisions = decisions_of(root, files, base)
    text = decisions_text(decisions, files, budget)
    shared.print_as(format, _fields(decisions, files), text)
    for line in doubts(decisions):
        print_message(line)
    return HelixError.exit_code if decisions.unread else 0


@shared.command(
    "mcp",
    example="""examples:
  claude mcp add decisions -- helix-hooks mcp    an agent starts this command

The server speaks the Model Context Protocol on stdin and stdout. Its tools are decisions_for
(paths, budget) and decision (id).""",
)
@shared.text("--base", "REV", "read the ADRs from REV (default: the main branch)")
def mcp(*, base: str) -> None:
    from ..enforce.mcp_server import serve

    serve(git.root_for("mcp"), base)


def _fields(decisions: BaseDecisions, files: list[str]) -> dict[str, object]:
    return {
        "version": 1,
        "base": decisions.base,
        "commit": decisions.commit,
        "files": files,
        "accepted": decisions.accepted,
        "unread": list(decisions.unread),
        "undecided": decisions.undecided,
        "decisions": [
            {
                "adr_id": item.decision.id,
                "path": item.decision.path,
                "title": item.decision.title,
                "sentence": item.sentence,
                "rejected": list(item.decision.rejected),
                "scope": [*item.decision.files, *item.decision.scope],
                "governs": [one._asdict() for one in item.files],
            }
            for item in decisions.governing
        ],
        "others": [
            {"adr_id": item.id, "path": item.path, "title": item.title} for item in decisions.others
        ],
    }
