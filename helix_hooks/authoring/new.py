"""A new ADR: its number, folder, template and language follow those of its neighbours."""

import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.names.language import language as language_of
from ..adr.names.number import number_in_title
from ..config.settings import Settings, load
from ..errors import UsageError
from ..repository import files, git
from ..repository.index import Index
from ..repository.work_tree import WorkTree
from .naming import FOLDER, Destination, destination_of
from .new_file import create_file
from .skeleton import Style, from_package, from_settings, slug

TEMPLATES = ("helix", "madr", "nygard")
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl")


class NewAdr(NamedTuple):
    """An ADR to write. A value of None is taken from the neighbours and the settings."""

    title: str
    folder: str | None = None
    template: str | None = None
    language: str | None = None


class Draft(NamedTuple):
    """A new ADR that is not written yet: its path in the repository, and its text."""

    path: str
    text: str


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
    """Write an ADR into a folder of the repository, and return its path there.

    Raises: UsageError for a title that can't be one.
    """
    path, text = draft(repository, settings, new)
    place = os.path.join(repository or ".", path)
    try:
        create_file(place, text)
    except FileExistsError:
        raise UsageError(f"{place} exists; nothing was written") from None
    return path


def draft(repository: str | None, settings: Settings, new: NewAdr) -> Draft:
    """Return an ADR as its neighbours are named and written. Raises UsageError."""
    title = " ".join(new.title.split())
    if not re.search(r"\w", title) or not title.isprintable():
        needed = "a title needs a letter or digit, and no characters that can't be printed"
        raise UsageError(f"{needed}; say in a few words what is decided")
    today = time.strftime("%Y-%m-%d")
    root = repository or "."
    tree = WorkTree(root, Index(root) if repository else None)
    paths = [path for path in tree.folder("") if tree.has(path)]
    adrs = [path for path in paths if settings.is_adr(path)]
    place = destination_of(adrs, paths, today, new.folder)
    newest = _read(tree, settings, place.newest) if place else []
    template = new.template or _template(settings, newest)
    digits = _digits(place, newest, template)
    path = place.path(title) if place else f"{new.folder or FOLDER}/{digits}-{slug(title)}.md"
    if template in TEMPLATES:
        language = new.language or _language(newest)
        known = language if language in LANGUAGES else "en"
        return Draft(path, from_package(template, known, digits, title, date=today))
    above = next((adr.doc.title.title for adr in reversed(newest) if adr.doc.title), "")
    own = settings.ruleset.templates[template]
    levels = Counter(adr.level for adr in newest if adr.h2)
    style = Style(above, levels.most_common(1)[0][0]) if levels else Style(above)
    return Draft(path, from_settings(own, digits, title, today, style))


def _read(tree: WorkTree, settings: Settings, paths: Iterable[str]) -> list[Adr]:
    documents = (tree.document(path) for path in paths)
    return [read(Source(doc), settings.ruleset) for doc in documents if not doc.defect]


def _digits(place: Destination | None, newest: Sequence[Adr], template: str) -> str:
    """Return the number, with as many digits as the neighbours have; some have it in the title."""
    if not place:
        return "001" if template == "helix" else "0001"
    if place.model.digits:
        return place.digits
    titles = [adr.doc.title.title for adr in newest if adr.doc.title]
    number = max((number_in_title(title) or 0 for title in titles), default=0) + 1
    return f"{number:04}"


def _language(newest: Sequence[Adr]) -> str:
    titles = (section.title for adr in newest for section in adr.doc.sections)
    return language_of(titles, "en")


def _template(settings: Settings, newest: Sequence[Adr]) -> str:
    """Return the template of the settings, else the usual one of the newest ADRs."""
    if settings.ruleset.template != "auto":
        return settings.ruleset.template
    names = Counter(adr.template.name for adr in newest)
    name = names.most_common(1)[0][0] if names else "helix"
    return name if name in TEMPLATES else "nygard"
