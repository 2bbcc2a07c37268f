"""`helix-hooks decisions`: the accepted ADRs that govern some files, before they are changed."""

import os
from collections.abc import Iterator

import click

from .. import git
from ..console import print_message
from ..enforce.base_decisions import BaseDecisions, decisions_of
from ..enforce.governing import Governing
from ..errors import HelixError, UsageError
from ..text import counted, listed, printable
from . import shared

_BUDGET = 1_600
_MOST_BUDGET = 100_000


@shared.command(
    "decisions",
    example="""examples:
  helix-hooks decisions src/orders.py              what binds a file
  helix-hooks decisions src/orders.py src/api/     what binds a file and a folder
  helix-hooks decisions src/orders.py --budget 400 --format json""",
    exits={0: "the decisions are printed, also if there are none", 3: "an ADR can't be read"},
)
@shared.paths("PATH...", "files or folders that will be changed; they need not exist")
@shared.text("--base", "REV", "read the ADRs from REV (default: the main branch)")
@click.option(
    "--budget",
    type=click.IntRange(200, _MOST_BUDGET),
    default=_BUDGET,
    show_default=True,
    metavar="N",
    help="maximum characters from the second decision on; what is left out is named",
)
@shared.formats()
def run(*, paths: tuple[str, ...], base: str, budget: int, format: str) -> int:
    """Print the accepted ADRs of the base that govern some files, the strongest first.

    Raises:
        UsageError: A path is not below the root of the repository, or there is no such revision.
    """
    root = git.root_for("decisions")
    files = git.paths_in(root, paths)
    for file in files:
        if os.path.isabs(file) or file == ".":
            raise UsageError(f"{file} is not below the root of the repository, {root}")
    decisions = decisions_of(root, files, base)
    shared.print_as(format, _fields(decisions, files), _text(decisions, files, budget))
    if decisions.undecided:
        number = counted(decisions.undecided, "ADR")
        print_message(
            f"{number} of {decisions.base} without a known status: not counted as accepted"
        )
    if decisions.unread:
        names = listed([printable(path) for path in decisions.unread])
        print_message(f"{names} can't be read at {decisions.base}, so decisions may be missing")
    return HelixError.exit_code if decisions.unread else 0


def _text(decisions: BaseDecisions, files: list[str], budget: int) -> str:
    if not decisions.governing:
        names = listed([printable(file) for file in files])
        read = counted(decisions.accepted, "accepted ADR")
        return f"no accepted ADR of {printable(decisions.base)} names {names} ({read} read)\n"
    shown = ""
    waiting = list(decisions.governing)
    while waiting:
        block = _block(waiting[0])
        left = _left(waiting[1:])
        if shown and len(shown) + len(block) + len(left) > budget:
            break
        shown += block
        waiting.pop(0)
    return shown + _left(waiting)


def _left(waiting: list[Governing]) -> str:
    """Return a line that names the decisions which are not shown."""
    names = [item.decision.name for item in waiting]
    return f"not shown: {listed(names, 10)}\n" if names else ""


def _block(item: Governing) -> str:
    return "".join(f"{printable(line)}\n" for line in _lines(item))


def _lines(item: Governing) -> Iterator[str]:
    decision = item.decision
    yield f"{decision.name}: {decision.title} ({decision.path})"
    yield f"  {item.sentence}"
    if decision.rejected:
        yield f"  rejected: {'; '.join(decision.rejected)}"
    yield f"  governs {', '.join(f'{one.file} ({one.way}: {one.by})' for one in item.files)}"


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
    }
