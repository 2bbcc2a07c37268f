"""`helix-hooks new TITLE`: a new ADR with blanks, which `check` reports until they are filled."""

from typing import Any

from .. import git
from ..authoring.difference import difference
from ..authoring.naming import FOLDER
from ..authoring.new import LANGUAGES, NewAdr, create, planned
from ..console import print_message, print_result
from . import shared

EXAMPLE = """examples:
  helix-hooks new "Use Kafka for events"
  helix-hooks new "Kafka für Ereignisse" --template madr --language de
  helix-hooks new "Use Pulsar for events" --supersedes 12"""


@shared.command("new", example=EXAMPLE)
@shared.argument("title", "TITLE", "decision in a few words")
@shared.text(
    "--template",
    "NAME",
    "template: helix, madr, nygard or one from the settings (default: from the settings, "
    "else as in the newest ADR, else helix)",
)
@shared.choice(
    "--language", LANGUAGES, "language of the headings (default: as in the newest ADR, else en)"
)
@shared.file(
    "--dir",
    f"folder of the new ADR (default: the folder of the ADRs, else {FOLDER})",
    metavar="FOLDER",
    to="folder",
)
@shared.text(
    "--supersedes",
    "ID",
    "ADR that the new one supersedes: link both, and accept the new one",
    multiple=True,
)
@shared.flag("--dry-run", "write nothing; print the path and the changes")
def run(*, dry_run: bool, **values: Any) -> None:
    root = git.repository()
    draft = planned(root, shared.of_fields(NewAdr, values))
    if draft.unread:
        noun = "branch was" if draft.unread == 1 else "branches were"
        print_message(f"{draft.unread} {noun} not read; the number may be taken there")
    if dry_run:
        new = difference(draft.path, "", draft.text)
        changes = [new, *(difference(*changed) for changed in draft.changed)]
        print_result("\n".join([draft.path, *changes, ""]))
        return
    create(root, draft)
    changed = "".join(f"{item.path}\n" for item in draft.changed)
    print_result(f"{draft.path}\n{changed}")
