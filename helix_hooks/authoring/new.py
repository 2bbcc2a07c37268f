"""A new ADR: its number, folder, template and language follow those of its neighbours."""

import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .. import writing
from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.names.language import language as language_of
from ..adr.names.number import number_in_title
from ..adr.parse.document import parse
from ..adr.template import HELIX
from ..config.declared import DeclaredFolder
from ..config.settings import Settings, load
from ..errors import HelixError, UsageError
from ..repository import files, git
from ..repository.index import Index
from ..repository.work_tree import WorkTree
from .alike import NewAdrFacts, in_form_of
from .naming import FOLDER, Destination, destination_of, free_number
from .new_file import create_file
from .skeleton import Style, from_package, from_settings, slug
from .succession import adr_of, superseded, superseding
from .superseded import Neighbours, Superseded, superseded_by_ids
from .taken import taken

TEMPLATES = ("helix", "madr", "nygard")
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl")


class NewAdr(NamedTuple):
    """An ADR to write. A value of None is taken from the neighbours and the settings."""

    title: str
    folder: str | None = None
    template: str | None = None
    language: str | None = None
    supersedes: tuple[str, ...] = ()


class Rewritten(NamedTuple):
    """An ADR that the new one supersedes: its path, its text and the one it gets."""

    path: str
    old: str
    new: str


class Draft(NamedTuple):
    """A new ADR that is not written yet: its path in the repository, its text, and the changes of
    those that it supersedes. `unread` is the number of branches whose ids are unknown.
    """

    path: str
    text: str
    changed: tuple[Rewritten, ...] = ()
    unread: int = 0


def planned(repository: str | None, new: NewAdr) -> Draft:
    """Return an ADR by the settings of the work tree, which is not written yet.

    Raises: UsageError for a folder, template, title or id that can't be one.
    """
    settings = load(WorkTree(repository or ".", None).read, files.packaged)
    folder = git.paths_in(repository, [new.folder])[0] if new.folder else None
    if folder and os.path.isabs(folder):
        message = "lies outside of the repository; an ADR lives beside what it decides"
        raise UsageError(f"{new.folder} {message}")
    names = dict.fromkeys((*TEMPLATES, *settings.ruleset.templates))
    if new.template and new.template not in names:
        raise UsageError(f"there is no template {new.template!r}; there are {', '.join(names)}")
    return draft(repository, settings, new._replace(folder=folder))


def create(repository: str | None, draft: Draft) -> None:
    """Write an ADR, and those that it supersedes; nothing if one of them can't be written.

    Raises: UsageError if a file is there or its folder lies elsewhere; HelixError.
    """
    root = repository or "."
    place = os.path.join(root, draft.path)
    try:
        create_file(place, draft.text)
    except FileExistsError:
        raise UsageError(f"{place} exists; nothing was written") from None
    done: list[Rewritten] = []
    try:
        for changed in draft.changed:
            writing.replace(os.path.join(root, changed.path), changed.new.encode())
            done.append(changed)
    except OSError as error:
        failed = draft.changed[len(done)].path
        for changed in done:
            writing.replace(os.path.join(root, changed.path), changed.old.encode())
        os.unlink(place)
        problem = f"{failed} could not be written: {error.strerror}"
        raise HelixError(f"{problem}; nothing was changed") from None


def draft(repository: str | None, settings: Settings, new: NewAdr) -> Draft:
    """Return an ADR as its neighbours are named and written. Raises UsageError."""
    title = " ".join(new.title.split())
    if not re.search(r"[^\W_]", title) or not title.isprintable():
        needed = "a title needs a letter or digit, and no characters that can't be printed"
        raise UsageError(f"{needed}; say in a few words what is decided")
    today = time.strftime("%Y-%m-%d")
    root = repository or "."
    tree = WorkTree(root, Index(root) if repository else None)
    paths = [path for path in tree.folder("") if tree.has(path)]
    adrs = [path for path in paths if settings.is_adr(path)]
    first = destination_of(adrs, paths, today, new.folder)
    folder = new.folder or _first_folder(settings)
    others = taken(repository, first.homes if first else frozenset((folder,)))
    place = destination_of(adrs, [*paths, *others.paths], today, new.folder)
    newest = _read(tree, settings, place.newest) if place else []
    declared = None if place else _declared(settings, folder)
    template = new.template or _template(settings, newest, declared)
    free = free_number(others.paths, folder)
    digits = _digits(place, newest, template, free)
    is_dated = declared is not None and not declared.is_numbered
    first_name = f"{today.replace('-', '') if is_dated else digits}-{slug(title)}.md"
    path = place.path(title) if place else f"{folder}/{first_name}"
    _check_place(root, settings, path)
    text = _text(settings, new, template, newest, digits, path)
    written = Draft(path, text, unread=others.left_out)
    if not new.supersedes:
        return written
    home = place.folder if place else folder
    old = superseded_by_ids(Neighbours(repository, tree, settings, adrs, home), new.supersedes)
    return _superseding(written, old, settings)


def _text(
    settings: Settings, new: NewAdr, template: str, newest: Sequence[Adr], digits: str, path: str
) -> str:
    title, today = " ".join(new.title.split()), time.strftime("%Y-%m-%d")
    levels = Counter(adr.level for adr in newest if adr.h2)
    level = levels.most_common(1)[0][0] if levels else 2
    above = next((adr.doc.title.title for adr in reversed(newest) if adr.doc.title), "")
    if template in TEMPLATES:
        language = new.language or _language(newest)
        known = language if language in LANGUAGES else "en"
        number = _id(newest, digits) if template == HELIX.name else digits
        text = from_package(template, known, number, title, date=today)
        if template == HELIX.name or new.template or new.language:
            return text
        return in_form_of(text, newest, NewAdrFacts(digits, title, today, path))
    own = settings.ruleset.templates[template]
    return from_settings(own, digits, title, today, Style(above, level))


def _superseding(draft: Draft, old: Sequence[Superseded], settings: Settings) -> Draft:
    """Return a draft that names the ADRs which it supersedes, with the changes of those."""
    ruleset = settings.ruleset
    new = adr_of(parse(draft.text.encode(), draft.path), ruleset)
    text = superseding(new, draft.text, [item.adr for item in old], ruleset)
    changed = tuple(
        Rewritten(item.adr.doc.path, item.text, superseded(item.adr, item.text, new, ruleset))
        for item in old
    )
    return draft._replace(text=text, changed=changed)


def _first_folder(settings: Settings) -> str:
    """Return the folder of the first ADR: the usual one, or that of a pattern of the settings."""
    fixed = [pattern.partition("*")[0].rpartition("/")[0] for pattern in settings.paths]
    declared = [item.folder for item in settings.declared]
    folders = (*declared, FOLDER, *fixed)
    fitting = [folder for folder in folders if folder and _holds(settings, folder)]
    return fitting[0] if fitting else FOLDER


def _holds(settings: Settings, folder: str) -> bool:
    return settings.is_adr(f"{folder}/0001-x.md")


def _check_place(root: str, settings: Settings, path: str) -> None:
    """Raise UsageError if a file would be no ADR, or lies outside of the repository."""
    if not settings.is_adr(path):
        if settings.paths:
            patterns = ", ".join(settings.paths)
            problem = f"the settings would not check it (`paths`: {patterns})"
            raise UsageError(f"{path}: {problem}; choose another --dir, or add its folder there")
        problem = "no file of this name is taken for an ADR there"
        raise UsageError(f"{path}: {problem}; choose another --dir, or set `paths`")
    above = os.path.realpath(os.path.join(root, os.path.dirname(path)))
    inside = os.path.realpath(root)
    if os.path.commonpath((above, inside)) != inside:
        problem = "its folder is a link that leads out of the repository"
        raise UsageError(f"{path}: {problem}; nothing was written")
    if ".git" in os.path.relpath(above, inside).casefold().split(os.sep):
        problem = "its folder is a link that leads into the files of git"
        raise UsageError(f"{path}: {problem}; nothing was written")


def _read(tree: WorkTree, settings: Settings, paths: Iterable[str]) -> list[Adr]:
    documents = (tree.document(path) for path in paths)
    return [read(Source(doc), settings.ruleset) for doc in documents if not doc.defect]


def _digits(place: Destination | None, newest: Sequence[Adr], template: str, first: int) -> str:
    """Return the number, with as many digits as the neighbours have; some have it in the title.

    Without neighbours it is the `first` one.
    """
    if not place:
        return f"{first:03}" if template == "helix" else f"{first:04}"
    if place.model.digits:
        return place.digits
    titles = [adr.doc.title.title for adr in newest if adr.doc.title]
    number = max((number_in_title(title) or 0 for title in titles), default=0) + 1
    return f"{number:04}"


def _id(newest: Sequence[Adr], digits: str) -> str:
    """Return the id for a header, with as many digits as the last declared one has."""
    declared = (adr.header.text("adr_id") for adr in reversed(newest))
    last = next((id for id in declared if re.fullmatch(r"\d{1,6}", id)), "")
    return str(int(digits)).zfill(len(last)) if last and digits.isdigit() else digits


def _language(newest: Sequence[Adr]) -> str:
    titles = (section.title for adr in newest for section in adr.doc.sections)
    return language_of(titles, "en")


def _declared(settings: Settings, folder: str) -> DeclaredFolder | None:
    """Return the declaration of a folder by another ADR tool; None without one."""
    return next((item for item in settings.declared if item.folder == folder), None)


def _template(settings: Settings, newest: Sequence[Adr], declared: DeclaredFolder | None) -> str:
    """Return the template of the settings, else the usual one of the newest ADRs.

    Without an ADR it is that of the tool that declared the folder: adr-tools writes Nygard,
    log4brains MADR.
    """
    if settings.ruleset.template != "auto":
        return settings.ruleset.template
    if declared and not newest:
        return "nygard" if declared.is_numbered else "madr"
    names = Counter(adr.template.name for adr in newest)
    name = names.most_common(1)[0][0] if names else "helix"
    return name if name in TEMPLATES else "nygard"
