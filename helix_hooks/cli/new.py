"""`helix-hooks new TITLE`: a new ADR that passes its own gate."""

import os
import re
import time
import unicodedata
from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import NamedTuple

from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.names.language import language as language_of
from ..adr.names.number import number_in_path
from ..adr.template import Required, Template
from ..config.settings import Settings, load
from ..console.output import write
from ..errors import HelixError, UsageError
from ..repository import files, git

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
    parser.add_argument(
        "--template", metavar="NAME", help="helix, madr, nygard or one of the settings (default: the settings', else as the newest ADR, else helix)"
    )
    parser.add_argument("--language", choices=LANGUAGES, help="default: as the newest ADR, else en")
    parser.add_argument("--dir", metavar="FOLDER", help=f"default: beside the newest ADR, else {FOLDER}")


def run(options: Namespace) -> int:
    repository = git.repository()
    root = repository or "."
    settings = load(files.WorkTree(root, None).read, files.packaged)
    folder = git.given(repository, [options.dir])[0] if options.dir else None
    if folder and os.path.isabs(folder):
        raise UsageError(f"{options.dir} lies outside of the repository; an ADR lives beside what it decides")
    names = (*TEMPLATES, *settings.ruleset.templates)
    if options.template and options.template not in names:
        raise UsageError(f"there is no template {options.template!r}; there are {', '.join(dict.fromkeys(names))}")
    write(f"{create(root, options.title, settings, folder, options.template, options.language)}\n")
    return 0


def create(root: str, title: str, settings: Settings, folder: str | None = None, template: str | None = None, language: str | None = None) -> str:
    """Write the ADR and return its path in the repository. Raises UsageError for a title that can't be one."""
    title = " ".join(title.split())
    if not re.search(r"\w", title) or not title.isprintable():
        raise UsageError("a title needs a letter or digit, and no characters that can't be printed; say in a few words what is decided")
    newest = newest_adr(root, settings, folder)
    place = folder or (os.path.dirname(newest.path) if newest else FOLDER)
    template = template or _template(settings, newest)
    language = language or (_language(newest.adr) if newest else "en")
    own = settings.ruleset.templates[template] if template not in TEMPLATES else None
    number = newest.digits if newest else "000" if template == "helix" else "0000"
    number = str(int(number) + 1).zfill(len(number))
    path = f"{place}/{newest.prefix if newest else ''}{number}-{slug(title)}.md".lstrip("/")
    text = _from_sections(own, number, title, newest) if own else _text(template, language if language in LANGUAGES else "en", number, title)
    _save(os.path.join(root, path), text)
    return path


def newest_adr(root: str, settings: Settings, folder: str | None) -> Neighbour | None:
    """The ADR with the highest number in a folder, or in the folder that has most of them."""
    repository = git.repository()
    tree = files.WorkTree(root, git.Index(root) if repository else None)
    known = (path for path in tree.folder("") if settings.is_adr(path) and number_in_path(path) is not None)
    paths = [path for path in known if tree.has(path)]
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


def _language(adr: Adr) -> str:
    return language_of([section.title for section in adr.doc.sections if section.level == 2], "en")


def _template(settings: Settings, newest: Neighbour | None) -> str:
    configured = settings.ruleset.template
    if configured != "auto":
        return configured
    found = newest.adr.template.name if newest else "helix"
    return found if found in TEMPLATES else "helix"


def _from_sections(template: Template, number: str, title: str, newest: Neighbour | None) -> str:
    """A skeleton of a template that the settings define: its fields, its sections, and a title like the neighbour's."""
    above = newest.adr.doc.title.title if newest and newest.adr.doc.title else ""
    style = re.match(r"(\W*(?:[A-Za-z]+[-_ #]*)?)(\d+)(\s*[-–—:.)]+\s*)", above)
    numbered = f"{style[1]}{str(int(number)).zfill(len(style[2]))}{style[3]}" if style else ""
    fields = "".join(f"{name}: {template.statuses[0] if name == 'status' else 'TODO'}\n" for name in template.fields)
    head = f"---\n{fields}---\n\n" if fields else ""
    return f"{head}# {numbered}{title}\n" + "".join(f"\n## {section.name}\n\n{_guidance(template, section)}\n" for section in template.sections)


def _guidance(template: Template, section: Required) -> str:
    if "status" in section.meanings:
        return template.statuses[0]
    if "acceptance-criteria" in section.meanings:
        return "\n".join(f"- [ ] Something to check, number {number}" for number in range(1, max(3, template.min_acceptance_criteria) + 1))
    sentence = f"Say here what belongs under {section.name}."
    return " ".join([sentence] * (template.min_section_length // len(sentence) + 1))


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
