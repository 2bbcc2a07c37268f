"""A new ADR: its number, folder, template and language, as its neighbours have them."""

import os
import re
import time
from collections import Counter
from typing import NamedTuple

from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.names.language import language as language_of
from ..adr.names.number import number_in_path
from ..config.settings import Settings, load
from ..errors import UsageError
from ..repository import files, git
from ..repository.index import Index
from ..repository.work_tree import WorkTree
from .new_file import create_file
from .skeleton import from_package, from_settings, slug

TEMPLATES = ("helix", "madr", "nygard")
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl")
FOLDER = "docs/adr"


class NewAdr(NamedTuple):
    """An ADR to write. The neighbours and the settings decide what is None."""

    title: str
    folder: str | None = None
    template: str | None = None
    language: str | None = None


class Neighbour(NamedTuple):
    """The ADR with the highest number: its path, the parts of its file name, its content."""

    path: str
    prefix: str
    digits: str
    adr: Adr


def write(repository: str | None, new: NewAdr) -> str:
    """Write an ADR by the settings of the work tree, and return its path in the repository.

    Raises: UsageError for a folder, template or title that can't be one.
    """
    settings = load(WorkTree(repository or ".", None).read, files.packaged)
    folder = git.paths_in(repository, [new.folder])[0] if new.folder else None
    if folder and os.path.isabs(folder):
        message = "lies outside of the repository; an ADR lives beside what it decides"
        raise UsageError(f"{new.folder} {message}")
    names = dict.fromkeys((*TEMPLATES, *settings.ruleset.templates))
    if new.template and new.template not in names:
        raise UsageError(f"there is no template {new.template!r}; there are {', '.join(names)}")
    return create(repository, settings, new._replace(folder=folder))


def create(repository: str | None, settings: Settings, new: NewAdr) -> str:
    """Write an ADR, whose folder is one in the repository, and return its path there.

    Raises: UsageError for a title that can't be one.
    """
    title = " ".join(new.title.split())
    if not re.search(r"\w", title) or not title.isprintable():
        needed = "a title needs a letter or digit, and no characters that can't be printed"
        raise UsageError(f"{needed}; say in a few words what is decided")
    newest = newest_adr(repository, settings, new.folder)
    template = new.template or _template(settings, newest)
    number = _next_number(newest, template)
    prefix = newest.prefix if newest else ""
    path = f"{_folder(new, newest)}/{prefix}{number}-{slug(title)}.md".lstrip("/")
    place = os.path.join(repository or ".", path)
    if template in TEMPLATES:
        language = new.language or (_language(newest.adr) if newest else "en")
        known = language if language in LANGUAGES else "en"
        text = from_package(template, known, number, title, date=time.strftime("%Y-%m-%d"))
    else:
        above = newest.adr.doc.title if newest else None
        own = settings.ruleset.templates[template]
        text = from_settings(own, number, title, above.title if above else "")
    try:
        create_file(place, text)
    except FileExistsError:
        raise UsageError(f"{place} exists; nothing was written") from None
    return path


def newest_adr(repository: str | None, settings: Settings, folder: str | None) -> Neighbour | None:
    """Return the ADR with the highest number in a folder, or in the folder that has most ADRs."""
    root = repository or "."
    tree = WorkTree(root, Index(root) if repository else None)
    paths = [path for path in tree.folder("") if _is_numbered(path, settings) and tree.has(path)]
    folders = Counter(os.path.dirname(path) for path in paths)
    if not folders:
        return None
    place = folder if folder is not None else folders.most_common(1)[0][0]
    beside = [path for path in paths if os.path.dirname(path) == place]
    if not beside:
        return None
    _, path = max((number_in_path(path) or 0, path) for path in beside)
    parts = re.match(r"([A-Za-z]+[-_])?(\d+)", os.path.basename(path))
    adr = read(Source(tree.document(path)), settings.ruleset)
    if not parts:
        return Neighbour(path, "", "000", adr)
    return Neighbour(path, parts[1] or "", parts[2], adr)


def _is_numbered(path: str, settings: Settings) -> bool:
    return settings.is_adr(path) and number_in_path(path) is not None


def _folder(new: NewAdr, newest: Neighbour | None) -> str:
    return new.folder or (os.path.dirname(newest.path) if newest else FOLDER)


def _next_number(newest: Neighbour | None, template: str) -> str:
    """Return the number after the newest, with as many digits."""
    if newest:
        return str(int(newest.digits) + 1).zfill(len(newest.digits))
    return "001" if template == "helix" else "0001"


def _language(adr: Adr) -> str:
    return language_of([section.title for section in adr.doc.sections if section.level == 2], "en")


def _template(settings: Settings, newest: Neighbour | None) -> str:
    """Return the template of the settings, else that of the newest ADR."""
    if settings.ruleset.template != "auto":
        return settings.ruleset.template
    name = newest.adr.template.name if newest else "helix"
    return name if name in TEMPLATES else "helix"
