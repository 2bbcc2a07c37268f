"""`helix-hooks new TITLE`: a new ADR with blanks, which `check` reports until they are filled."""

import os

import click

from .. import git
from ..authoring.difference import difference
from ..authoring.naming import FOLDER
from ..authoring.new import LANGUAGES, Draft, NewAdr, create, planned
from ..console.output import print_message, print_result
from .frame import command, complete_folder

EXAMPLE = """examples:
  helix-hooks new "Use Kafka for events"
  helix-hooks new "Kafka für Ereignisse" --template madr --language de
  helix-hooks new "Use Pulsar for events" --supersedes 12 --edit"""


@command("new", example=EXAMPLE, arguments={"TITLE": "decision in a few words"})
@click.argument("title", metavar="TITLE")
@click.option(
    "--template",
    metavar="NAME",
    help=(
        "template: helix, madr, nygard or one from the settings (default: from the settings, "
        "else as in the newest ADR, else helix)"
    ),
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="language of the headings (default: as in the newest ADR, else en)",
)
@click.option(
    "--dir",
    metavar="FOLDER",
    shell_complete=complete_folder,
    help=f"folder of the new ADR (default: the folder of the ADRs, else {FOLDER})",
)
@click.option(
    "--supersedes",
    metavar="ID",
    multiple=True,
    help="ADR that the new one supersedes: link both, and accept the new one; repeatable",
)
@click.option("--edit", is_flag=True, help="open the new ADR in the editor of git")
@click.option("--dry-run", is_flag=True, help="write nothing; print the path and the changes")
def run(
    *,
    title: str,
    template: str | None,
    language: str | None,
    dir: str | None,
    supersedes: tuple[str, ...],
    edit: bool,
    dry_run: bool,
) -> int:
    root = git.repository()
    new = NewAdr(title, folder=dir, template=template, language=language, supersedes=supersedes)
    draft = planned(root, new)
    if draft.unread:
        noun = "branch was" if draft.unread == 1 else "branches were"
        print_message(f"{draft.unread} {noun} not read; the number may be taken there")
    if dry_run:
        print_result(f"{draft.path}\n{_differences(draft)}\n")
        return 0
    create(root, draft)
    changed = "".join(f"{item.path}\n" for item in draft.changed)
    print_result(f"{draft.path}\n{changed}")
    if edit:
        git.edit(root, os.path.join(root or ".", draft.path))
    return 0


def _differences(draft: Draft) -> str:
    new = difference(draft.path, "", draft.text)
    return "\n".join([new, *(difference(*changed) for changed in draft.changed)])
