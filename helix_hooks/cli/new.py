"""`helix-hooks new TITLE`: a new ADR, whose blanks the gate names."""

import click

from ..authoring.naming import FOLDER
from ..authoring.new import LANGUAGES, NewAdr, write
from ..console.output import print_result
from ..repository import git
from .frame import command, complete_folder

EXAMPLE = """examples:
  helix-hooks new "Use Kafka for events"
  helix-hooks new "Kafka für Ereignisse" --template madr --language de"""


@command("new", example=EXAMPLE, arguments={"TITLE": "what is decided, in a few words"})
@click.argument("title", metavar="TITLE")
@click.option(
    "--template",
    metavar="NAME",
    help=(
        "helix, madr, nygard or one of the settings (default: the settings', else as the "
        "newest ADR, else helix)"
    ),
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="default: as the newest ADR, else en",
)
@click.option(
    "--dir",
    metavar="FOLDER",
    shell_complete=complete_folder,
    help=f"default: beside the newest ADR, else {FOLDER}",
)
def run(*, title: str, template: str | None, language: str | None, dir: str | None) -> int:
    new = NewAdr(title, folder=dir, template=template, language=language)
    print_result(f"{write(git.repository(), new)}\n")
    return 0
