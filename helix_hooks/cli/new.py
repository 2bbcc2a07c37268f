"""`helix-hooks new TITLE`: a new ADR that passes its own gate."""

from argparse import ArgumentParser, Namespace

from ..authoring.new import FOLDER, LANGUAGES, NewAdr
from ..authoring.new import write as write_adr
from ..console.output import write
from ..repository import git

EXAMPLE = """examples:
  helix-hooks new "Use Kafka for events"
  helix-hooks new "Kafka für Ereignisse" --template madr --language de"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("title", metavar="TITLE", help="what is decided, in a few words")
    parser.add_argument(
        "--template", metavar="NAME", help="helix, madr, nygard or one of the settings (default: the settings', else as the newest ADR, else helix)"
    )
    parser.add_argument("--language", choices=LANGUAGES, help="default: as the newest ADR, else en")
    parser.add_argument("--dir", metavar="FOLDER", help=f"default: beside the newest ADR, else {FOLDER}")


def run(options: Namespace) -> int:
    new = NewAdr(options.title, folder=options.dir, template=options.template, language=options.language)
    write(f"{write_adr(git.repository(), new)}\n")
    return 0
