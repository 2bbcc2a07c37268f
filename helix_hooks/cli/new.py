"""`helix-hooks new TITLE`: a new ADR that passes its own gate."""

import os
import re
import time
import unicodedata
from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import NamedTuple

from .. import files, git
from ..adr import profile
from ..adr.check import Source, read
from ..adr.number import number_in_path
from ..adr.rule import Adr
from ..errors import HelixError, UsageError
from ..settings import Settings, load
from .main import write

EXAMPLE = """examples:
  helix-hooks new "Use Kafka for events"
  helix-hooks new "Kafka für Ereignisse" --template madr --language de"""

TEMPLATES = ("helix", "madr", "nygard")
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl")
FOLDER = "docs/adr"
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o"})


class Neighbour(NamedTuple):
    """The ADR with the highest number: its path, its number's digits, and what it means."""

    path: str
    prefix: str
    digits: str
    adr: Adr


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("title", metavar="TITLE", help="what is decided, in a few words")
    parser.add_argument("--template", choices=TEMPLATES, help="default: as the newest ADR, else helix")
    parser.add_argument("--language", choices=LANGUAGES, help="default: as the newest ADR, else en")
    parser.add_argument("--dir", metavar="FOLDER", help=f"default: beside the newest ADR, else {FOLDER}")


def run(options: Namespace) -> int:
    repository = git.repository()
    root = repository or "."
    settings = load(files.WorkTree(root, None).read, files.packaged)
    folder = files.given(repository, [options.dir])[0] if options.dir else None
    write(f"{create(root, options.title, settings, folder, options.template, options.language)}\n")
    return 0


def create(root: str, title: str, settings: Settings, folder: str | None = None, template: str | None = None, language: str | None = None) -> str:
    """Write the ADR and return its path in the repository. Raises UsageError for a title that can't be one."""
    title = " ".join(title.split())
    if not re.search(r"\w", title) or not title.isprintable():
        raise UsageError("the title is empty or has characters that can't be printed; say in a few words what is decided")
    newest = newest_adr(root, settings, folder)
    place = folder or (os.path.dirname(newest.path) if newest else FOLDER)
    template = template or _template(settings, newest)
    language = language or (profile.language(newest.adr) if newest else "en")
    number = newest.digits if newest else "000" if template == "helix" else "0000"
    number = str(int(number) + 1).zfill(len(number))
    path = f"{place}/{newest.prefix if newest else ''}{number}-{slug(title)}.md".lstrip("/")
    _save(os.path.join(root, path), _text(template, language if language in LANGUAGES else "en", number, title))
    return path


def newest_adr(root: str, settings: Settings, folder: str | None) -> Neighbour | None:
    """The ADR with the highest number in a folder, or in the folder that has most of them."""
    repository = git.repository()
    tree = files.WorkTree(root, git.Index(root) if repository else None)
    paths = [path for path in tree.folder("") if settings.is_adr(path) and number_in_path(path) is not None]
    folders = Counter(os.path.dirname(path) for path in paths)
    if not folders:
        return None
    place = folder if folder is not None else folders.most_common(1)[0][0]
    numbered = [(number_in_path(path) or 0, path) for path in paths if os.path.dirname(path) == place]
    if not numbered:
        return None
    _, path = max(numbered)
    parts = re.match(r"([A-Za-z]+[-_])?(\d+)", os.path.basename(path))
    adr = read(Source(tree.document(path)), settings.ruleset)
    return Neighbour(path, (parts[1] or "") if parts else "", parts[2] if parts else "000", adr)


def slug(title: str) -> str:
    """The title as part of a file name: small letters and digits joined by hyphens."""
    plain = unicodedata.normalize("NFKD", title.lower().translate(_UMLAUTS))
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    return re.sub(r"[\W_]+", "-", plain).strip("-")[:80].rstrip("-")


def _template(settings: Settings, newest: Neighbour | None) -> str:
    configured = settings.ruleset.template
    if configured in TEMPLATES:
        return configured
    found = newest.adr.template.name if newest else "helix"
    return found if found in TEMPLATES else "helix"


def _text(template: str, language: str, number: str, title: str) -> str:
    data = files.packaged(f"templates/{template}/{language}.md")
    if data is None:
        raise HelixError(f"the template {template} in {language} is missing from the installation; install helix-hooks again")
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    text = data.decode().replace("{date}", time.strftime("%Y-%m-%d")).replace("{number}", number)
    head, body = text.split("\n# ", 1) if "\n# " in text else ("", text.removeprefix("# "))
    return f"{head}\n# {body}".replace("{title}", title) if not head else f"{head.replace('{title}', quoted)}\n# {body.replace('{title}', title)}"


def _save(place: str, text: str) -> None:
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "x", encoding="utf-8", newline="\n") as file:
            file.write(text.lstrip("\n"))
    except FileExistsError:
        raise UsageError(f"{place} exists; nothing was written") from None
    except OSError as error:
        raise HelixError(f"{place} could not be written: {error.strerror}") from None
