"""`helix-hooks index`: the table of all ADRs in a README."""

from collections.abc import Sequence

import click

from .. import git
from ..authoring import entries, index
from ..authoring.index import CURRENT, README, WRITTEN
from ..console.output import print_message, print_result
from ..errors import UsageError
from ..report.adr_table import DatedEntry
from ..text.sanitize import printable
from .frame import command, complete_file, console

EXAMPLE = """examples:
  helix-hooks index                      write the table into the README of the ADRs
  helix-hooks index docs/decisions.md    write it into another file
  helix-hooks index --check              exit 1 if the table is stale
  helix-hooks index --marked             in a hook: write stale tables, then exit 1"""

_DONE = {CURRENT: "is up to date", WRITTEN: "is written"}


@command(
    "index",
    example=EXAMPLE,
    arguments={
        "FILE": f"file with the table (default: each {README} near ADRs with the marker comments, "
        f"else {README} in the folder with most ADRs)"
    },
)
@click.argument("file", required=False, metavar="[FILE]", shell_complete=complete_file)
@click.option("--check", is_flag=True, help="write nothing; exit 1 if the table is stale")
@click.option(
    "--marked",
    is_flag=True,
    help="update only files with the marker comments, list only tracked ADRs; exit 1 if a table "
    "was stale",
)
def run(*, file: str | None, check: bool, marked: bool) -> int:
    """Write or check the tables, print the state of each, and return the worst exit code.

    Raises:
        UsageError: FILE is used with --marked.
    """
    if file and marked:
        raise UsageError("--marked cannot be used with FILE")
    repository = git.repository()
    root = repository or "."
    files = []
    if file:
        files = [index.path_in(repository, file)]
    adrs = entries.read_all(repository, only_tracked=marked)
    for note in adrs.notes:
        print_message(note)
    files = files or _found_files(root, adrs.entries, only_marked=marked)
    states = [index.update(root, name, adrs.entries, only_check=check) for name in files]
    return max((_print_state(state, file, is_hook=marked) for state in states), default=0)


def _found_files(root: str, adrs: Sequence[DatedEntry], *, only_marked: bool) -> list[str]:
    """Return the files with the comments of the table, else the README beside most ADRs."""
    files = index.marked_files(root, adrs)
    if files or not adrs:
        return files
    if not only_marked:
        return [index.default_path(adrs)]
    if not console().quiet:
        print_result(f"no {README} has the marker comments of the index; nothing to do\n")
    return []


def _print_state(result: index.IndexState, file: str | None, *, is_hook: bool) -> int:
    """Print the state of a file, and return its exit code."""
    path = printable(result.path)
    if is_hook and result.state == WRITTEN:
        print_message(
            f"{path}: the index was stale and has been written; run `git add {path}`, "
            "then commit again"
        )
        return 1
    if result.state not in _DONE:
        call = " ".join(filter(None, ("helix-hooks index", file)))
        print_message(f"{path}: the index is {result.state}; write it with `{call}`")
        return 1
    if not console().quiet:
        print_result(f"{path}: the index {_DONE[result.state]}\n")
    return 0
