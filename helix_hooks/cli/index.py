"""`helix-hooks index`: the table of all ADRs in a README."""

import click

from ..authoring import entries, index
from ..authoring.index import CURRENT, README, WRITTEN
from ..console.output import print_message, print_result
from ..repository import git
from ..text.sanitize import printable
from .frame import command, complete_file, console

EXAMPLE = """examples:
  helix-hooks index                      write the table into the README beside the ADRs
  helix-hooks index docs/decisions.md    into another file
  helix-hooks index --check              exit 1 when the table is stale"""

_DONE = {CURRENT: "is up to date", WRITTEN: "is written"}


@command(
    "index",
    example=EXAMPLE,
    arguments={"FILE": f"default: {README} in the folder that has most ADRs"},
)
@click.argument("file", required=False, metavar="[FILE]", shell_complete=complete_file)
@click.option("--check", is_flag=True, help="write nothing; exit 1 when the table is stale")
def run(*, file: str | None, check: bool) -> int:
    repository = git.repository()
    path = index.path_in(repository, file) if file else ""
    adrs = entries.read_all(repository)
    for note in adrs.notes:
        print_message(note)
    path = path or index.default_path(adrs.entries)
    if not path:
        return 0
    result = index.update(repository or ".", path, adrs.entries, only_check=check)
    if result.state not in _DONE:
        call = f"helix-hooks index {file}" if file else "helix-hooks index"
        print_message(f"{path}: the index is {result.state}; write it with `{call}`")
        return 1
    if not console().quiet:
        print_result(f"{printable(path)}: the index {_DONE[result.state]}\n")
    return 0
