"""A new ADR: its number, folder, template and language follow those of its neighbours."""

import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from .. import git, writing
from ..adr.examine import Source, check_file, read
from ..adr.model import Adr
from ..adr.names.language import language as language_of
from ..adr.names.number import number_in_title
from ..adr.names.status import DRAFT
from ..adr.norm import keys_of
from ..adr.parse.document import parse
from ..adr.template import HELIX
from ..check import files
from ..check.trees import Index
from ..check.versions import Siblings
from ..check.work_tree import WorkTree
from ..config.settings import DeclaredFolder, Settings, load
from ..errors import HelixError, UsageError
from .alike import Beside, NewAdrFacts, in_form_of
from .naming import FOLDER, Destination, destination_of, free_number
from .new_file import create_file
from .skeleton import from_package, from_settings, slug
from .succession import adr_of, superseded, superseding
from .superseded import Neighbours, Superseded, superseded_by_ids
from .taken import taken

TEMPLATES = ("helix", "madr", "nygard")
LANGUAGES = ("en", "de")


class NewAdr(NamedTuple):
    """An ADR to write. A value of None is taken from the neighbours and the settings."""

    title: str
    folder: str | None = None
    template: str | None = None
    language: str | None = None
    supersedes: tuple[str, ...] = ()


class Rewritten(NamedTuple):
    """An ADR that the new one supersedes: its path, its present text and its next one."""

    path: str
    old: str
    new: str


class Draft(NamedTuple):
    """A new ADR that is not written yet: its path in the repository, and its text.

    `changed` are the ADRs that it supersedes. `unread` is the number of branches whose ids are not
    known.
    """

    path: str
    text: str
    changed: tuple[Rewritten, ...] = ()
    unread: int = 0


class _Location(NamedTuple):
    """The folder of a new ADR, and how its neighbours are named and written.

    `place` is None without a neighbour. Then `first` is the number of the first ADR.
    """

    folder: str
    place: Destination | None
    beside: Beside
    siblings: Siblings
    first: int


def planned(repository: str | None, new: NewAdr) -> Draft:
    """Return an ADR that follows the settings of the work tree. Nothing is written.

    Raises:
        UsageError: A folder, template, title or id is invalid.
        ConfigError: The settings are invalid.
        GitError: A branch can't be read.
    """
    settings = load(WorkTree(repository or ".", None).read, files.packaged)
    folder = git.paths_in(repository, [new.folder])[0] if new.folder else None
    if folder and os.path.isabs(folder):
        message = "is outside of the repository; choose a folder inside"
        raise UsageError(f"{new.folder} {message}")
    names = dict.fromkeys((*TEMPLATES, *settings.ruleset.templates))
    if new.template and new.template not in names:
        raise UsageError(f"there is no template {new.template!r}; there are {', '.join(names)}")
    return draft(repository, settings, new._replace(folder=folder))


def create(repository: str | None, draft: Draft) -> None:
    """Write an ADR and those that it supersedes; nothing if one of them can't be written.

    Raises:
        UsageError: The file exists.
        HelixError: A file can't be written.
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
    """Return an ADR with a name and a form like those of its neighbours.

    Raises:
        UsageError: The title is empty, a path is invalid, or an ADR can't be superseded.
        GitError: A branch can't be read.
    """
    new = new._replace(title=_title(new.title))
    root = repository or "."
    tree = WorkTree(root, Index(root) if repository else None)
    paths = [path for path in tree.folder("") if tree.has(path)]
    adrs = [path for path in paths if settings.is_adr(path)]
    today = time.strftime("%Y-%m-%d")
    beside = destination_of(adrs, paths, today, new.folder)
    folder = new.folder or _first_folder(settings)
    folders = beside.homes if beside else frozenset((folder,))
    # Names on other branches are read only in the folders that share the numbers.
    branches = taken(repository, folders)
    place = destination_of(adrs, [*paths, *branches.paths], today, new.folder)
    location = _location(tree, settings, place, folder, branches.paths)
    path, text = _path_and_text(settings, new, location, today)
    _check_place(root, settings, path)
    written = Draft(path, text, unread=branches.left_out)
    if not new.supersedes:
        return written
    neighbours = Neighbours(repository, tree, settings, adrs, location.folder)
    return _superseding(written, superseded_by_ids(neighbours, new.supersedes), settings)


def _location(
    tree: WorkTree,
    settings: Settings,
    place: Destination | None,
    folder: str,
    taken_paths: frozenset[str],
) -> _Location:
    """Return the location beside existing ADRs, or in `folder` without them."""
    siblings = Siblings(tree, settings)
    adrs, file = siblings.beside(place.folder if place else folder)
    if not place:
        first = free_number(taken_paths, folder)
        return _Location(folder, None, Beside(adrs, file), siblings, first)
    # Other folders may share the numbers, and hold the ADRs that a small folder lacks.
    around = _read(tree, settings, place.newest)
    return _Location(place.folder, place, Beside(max(adrs, around, key=len), file), siblings, 0)


def _title(text: str) -> str:
    """Return a title with single spaces. Raises UsageError if it can't be one."""
    title = " ".join(text.split())
    if not re.search(r"[^\W_]", title) or not title.isprintable():
        needed = "a title needs a letter or digit, and no characters that can't be printed"
        raise UsageError(f"{needed}; say in a few words what is decided")
    return title


def _path_and_text(
    settings: Settings, new: NewAdr, location: _Location, today: str
) -> tuple[str, str]:
    place, newest = location.place, location.beside.adrs
    declared = None if place else _declared(settings, location.folder)
    template = new.template or _template(settings, newest, declared)
    digits = _digits(location, template)
    if place:
        path = place.path(new.title)
    elif declared and not declared.is_numbered:
        path = f"{location.folder}/{today.replace('-', '')}-{slug(new.title)}.md"
    else:
        path = f"{location.folder}/{digits}-{slug(new.title)}.md"
    facts = NewAdrFacts(digits, new.title, today, path)
    text = _text(settings, new, template, location.beside, facts)
    return path, _with_blank(text, path, location.siblings, settings)


def _with_blank(text: str, path: str, siblings: Siblings, settings: Settings) -> str:
    """Return the text of a new ADR, with a blank if the gate finds nothing to fill in.

    The blanks of a Draft are warnings; it may be left as it is.
    """
    doc = parse(text.encode(), path)
    source = Source(doc, norm=partial(siblings.norm, path))
    report = check_file(source, settings.ruleset)
    if not report.passed or report.status == DRAFT:
        return text
    adr = read(source, settings.ruleset)
    section = next((item for item in doc.sections if "decision" in keys_of(adr, item.title)), None)
    blank = "{Say here what was decided.}\n"
    if not section:
        return f"{text.rstrip()}\n\n## Decision\n\n{blank}"
    before, after = doc.data[: section.start].decode(), doc.data[section.own_stop :].decode()
    guidance = doc.data[section.start : section.own_stop].decode().strip()
    comment = f"<!-- {guidance} -->\n" if guidance and "--" not in guidance else ""
    return f"{before.rstrip()}\n\n{comment}{blank}" + (f"\n{after}" if after else "")


def _text(
    settings: Settings, new: NewAdr, template: str, beside: Beside, facts: NewAdrFacts
) -> str:
    newest = beside.adrs
    is_set = settings.ruleset.template != "auto"
    beside = beside._replace(is_whole=is_set or template not in ("madr", "nygard"))
    if template not in TEMPLATES:
        own = settings.ruleset.templates[template]
        text = from_settings(own, facts.number, facts.title, facts.date)
        return text if new.template else in_form_of(text, beside, facts)
    language = new.language or _language(newest)
    if language not in LANGUAGES:
        language = "en"
    number = _id(newest, facts.number) if template == HELIX.name else facts.number
    text = from_package(template, language, number, facts.title, facts.date)
    if new.template or new.language:
        return text
    return in_form_of(text, beside, facts)


def _superseding(draft: Draft, old: Sequence[Superseded], settings: Settings) -> Draft:
    """Return a draft that names the ADRs it supersedes, with the changes to them."""
    ruleset = settings.ruleset
    new = adr_of(parse(draft.text.encode(), draft.path), ruleset)
    text = superseding(new, draft.text, [item.adr for item in old], ruleset)
    changed: list[Rewritten] = []
    for adr, before in old:
        after = superseded(adr, before, new, ruleset)
        changed.append(Rewritten(adr.doc.path, before, after))
    return draft._replace(text=text, changed=tuple(changed))


def _first_folder(settings: Settings) -> str:
    """Return the folder of the first ADR: a declared one, the usual one, or one of `paths`."""
    fixed = [pattern.partition("*")[0].rpartition("/")[0] for pattern in settings.paths]
    declared = [item.folder for item in settings.declared]
    for folder in (*declared, FOLDER, *fixed):
        if folder and settings.is_adr(f"{folder}/0001-x.md"):
            return folder
    return FOLDER


def _check_place(root: str, settings: Settings, path: str) -> None:
    """Raise UsageError if a file would not be an ADR, or is outside of the repository."""
    if not settings.is_adr(path):
        if settings.paths:
            patterns = ", ".join(settings.paths)
            problem = f"it is not covered by `paths` ({patterns})"
            raise UsageError(f"{path}: {problem}; choose another --dir, or add its folder there")
        problem = "a file of this name is not recognised as an ADR there"
        raise UsageError(f"{path}: {problem}; choose another --dir, or set `paths`")
    above = os.path.realpath(os.path.join(root, os.path.dirname(path)))
    inside = os.path.realpath(root)
    if os.path.commonpath((above, inside)) != inside:
        problem = "its folder is a link that leads out of the repository"
        raise UsageError(f"{path}: {problem}; nothing was written")
    # File systems of macOS and Windows ignore case: `.GIT` is the folder of git there.
    if ".git" in os.path.relpath(above, inside).casefold().split(os.sep):
        problem = "its folder is a link that leads into the files of git"
        raise UsageError(f"{path}: {problem}; nothing was written")


def _read(tree: WorkTree, settings: Settings, paths: Iterable[str]) -> list[Adr]:
    documents = (tree.document(path) for path in paths)
    return [read(Source(doc), settings.ruleset) for doc in documents if not doc.defect]


def _digits(location: _Location, template: str) -> str:
    """Return the number, with as many digits as the neighbours have; some have it in the title."""
    place = location.place
    if not place:
        width = 3 if template == "helix" else 4
        return str(location.first).zfill(width)
    if place.model.digits:
        return place.digits
    titles = [adr.doc.title.title for adr in location.beside.adrs if adr.doc.title]
    number = max((number_in_title(title) or 0 for title in titles), default=0) + 1
    return f"{number:04}"


def _id(newest: Sequence[Adr], digits: str) -> str:
    """Return the id for a header, with as many digits as the last declared one has."""
    for adr in reversed(newest):
        declared = adr.header.text("adr_id")
        if digits.isdigit() and re.fullmatch(r"\d{1,6}", declared):
            return str(int(digits)).zfill(len(declared))
    return digits


def _language(newest: Sequence[Adr]) -> str:
    titles: list[str] = []
    for adr in newest:
        titles += (section.title for section in adr.doc.sections)
    return language_of(titles, "en")


def _declared(settings: Settings, folder: str) -> DeclaredFolder | None:
    """Return the declaration of a folder by another ADR tool; None without one."""
    return next((item for item in settings.declared if item.folder == folder), None)


def _template(settings: Settings, newest: Sequence[Adr], declared: DeclaredFolder | None) -> str:
    """Return the template of the settings, else the usual one of the newest ADRs.

    Without an ADR it is the template of the tool that declared the folder: adr-tools writes Nygard,
    log4brains MADR.
    """
    if settings.ruleset.template != "auto":
        return settings.ruleset.template
    if declared and not newest:
        if declared.is_numbered:
            return "nygard"
        return "madr"
    names = Counter(adr.template.name for adr in newest)
    name = names.most_common(1)[0][0] if names else "helix"
    if name in TEMPLATES:
        return name
    return "nygard"
