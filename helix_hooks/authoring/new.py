"""A new ADR: its number, folder, template and language follow those of its siblings."""

import os
import re
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from .. import git, writing
from ..adr.model import Adr
from ..adr.names import language as language_of
from ..check import files
from ..check.around import Siblings
from ..check.trees import Index
from ..check.work_tree import WorkTree
from ..config.settings import Settings, load
from ..errors import HelixError, UsageError
from ..git.history import BranchPaths, on_branches
from .alike import NewAdrFacts, from_package, from_settings, like_siblings
from .naming import FOLDER, destination_of, free_number, slug
from .succession import Rewritten, succession, superseded_by_ids

TEMPLATES = ("helix", "madr", "nygard")
LANGUAGES = ("en", "de")


class NewAdr(NamedTuple):
    """An ADR to write. A value of None is taken from the siblings and the settings."""

    title: str
    folder: str | None = None
    template: str | None = None
    language: str | None = None
    supersedes: tuple[str, ...] = ()


class Draft(NamedTuple):
    """A new ADR that is not written yet: its path in the repository, and its text.

    `changed` are the ADRs that it supersedes. `unread` is the number of branches whose ids are not
    known.
    """

    path: str
    text: str
    changed: tuple[Rewritten, ...] = ()
    unread: int = 0


def planned(repository: str | None, new: NewAdr) -> Draft:
    """Return an ADR with a name and a form like those of its siblings. Nothing is written.

    Raises:
        UsageError: A folder, template, title or id is invalid, or an ADR can't be superseded.
        ConfigError: The settings are invalid.
        GitError: A branch can't be read.
    """
    root = repository or "."
    tree = WorkTree(root, Index(root) if repository else None)
    settings = load(tree.read, files.packaged)
    title = _title(new.title)
    chosen = git.paths_in(repository, [new.folder])[0] if new.folder else None
    if chosen and os.path.isabs(chosen):
        message = "is outside of the repository; choose a folder inside"
        raise UsageError(f"{new.folder} {message}")
    names = dict.fromkeys((*TEMPLATES, *settings.ruleset.templates))
    if new.template and new.template not in names:
        raise UsageError(f"there is no template {new.template!r}; there are {', '.join(names)}")

    paths = [path for path in tree.folder("") if tree.has(path)]
    adrs = [path for path in paths if settings.is_adr(path)]
    today = time.strftime("%Y-%m-%d")
    beside = destination_of(adrs, paths, today, chosen)
    folder = beside.folder if beside else chosen or _first_folder(settings)
    branches = taken(repository, frozenset((folder,)))
    place = destination_of(adrs, [*paths, *branches.paths], today, folder)
    siblings, file = Siblings(tree, settings).beside(folder)

    template = new.template or settings.ruleset.template
    if template == "auto":
        usual = Counter(adr.template.name for adr in siblings).most_common(1)
        template = usual[0][0] if usual else "helix"
        if template not in TEMPLATES:
            template = "nygard"
    if place:
        number, path = place.digits, place.path(title)
    else:
        free = free_number(branches.paths, folder)
        number = str(free).zfill(3 if template == "helix" else 4)
        path = f"{folder}/{number}-{slug(title)}.md"
    _check_place(root, settings, path)

    facts = NewAdrFacts(number, title, today, path)
    text = _text(settings, new, template, siblings, file, facts)
    draft = Draft(path, text, unread=branches.left_out)
    if not new.supersedes:
        return draft
    old = superseded_by_ids(repository, tree, settings.ruleset, adrs, folder, new.supersedes)
    text, changed = succession(path, text, old, settings.ruleset)
    return draft._replace(text=text, changed=changed)


def _title(text: str) -> str:
    """Return a title with single spaces. Raises UsageError if it can't be one."""
    title = " ".join(text.split())
    if not re.search(r"[^\W_]", title) or not title.isprintable():
        needed = "a title needs a letter or digit, and no characters that can't be printed"
        raise UsageError(f"{needed}; say in a few words what is decided")
    return title


def _first_folder(settings: Settings) -> str:
    """Return the folder of the first ADR: the usual one, or one of `paths`."""
    fixed = [pattern.partition("*")[0].rpartition("/")[0] for pattern in settings.paths]
    for folder in (FOLDER, *fixed):
        if folder and settings.is_adr(f"{folder}/0001-x.md"):
            return folder
    return FOLDER


def taken(repository: str | None, folders: frozenset[str]) -> BranchPaths:
    """Return the names in some folders on the disk, ignored ones too, and on all branches.

    Raises:
        GitError: A branch can't be read, so that its numbers are unknown.
    """
    names: set[str] = set()
    for folder in folders:
        with suppress(OSError):
            listed = os.listdir(os.path.join(repository or ".", folder))
            names.update(f"{folder}/{name}".lstrip("/") for name in listed)
    if not repository:
        return BranchPaths(frozenset(names), 0)
    branches = on_branches(repository, folders)
    return branches._replace(paths=branches.paths | names)


def _text(
    settings: Settings,
    new: NewAdr,
    template: str,
    siblings: Sequence[Adr],
    file: Adr | None,
    facts: NewAdrFacts,
) -> str:
    ruleset = settings.ruleset
    if template not in TEMPLATES:
        text = from_settings(ruleset.templates[template], facts)
    else:
        titles = [section.title for adr in siblings for section in adr.doc.sections]
        language = new.language or language_of(titles, "en")
        if language not in LANGUAGES:
            language = "en"
        text = from_package(template, language, facts)
    if new.template or new.language:
        return text
    is_whole = ruleset.template != "auto" or template not in ("madr", "nygard")
    return like_siblings(text, siblings, file, facts, is_whole)


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


def create(repository: str | None, draft: Draft) -> None:
    """Write an ADR and those that it supersedes; nothing if one of them can't be written.

    Raises:
        UsageError: The file exists.
        HelixError: A file can't be written.
    """
    root = repository or "."
    place = os.path.join(root, draft.path)
    create_file(place, draft.text)
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


def create_file(place: str, text: str) -> None:
    """Write a new file, with the folders above it. Nothing is ever overwritten.

    Raises:
        UsageError: Something is there.
        HelixError: It can't be written.
    """
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        writing.create(place, text.encode())
    except FileExistsError:
        raise UsageError(f"{place} exists; nothing was written") from None
    except OSError as error:
        raise HelixError(f"{place} could not be written: {error.strerror}") from None
