"""The files that the settings match in a tree, and files that read like ADRs if there are none."""

import re
from typing import NamedTuple

from ..adr.examine import Source, read
from ..adr.reference import collection
from ..config.settings import Settings
from ..config.watched import BY_NAME, View, Watch, escaped
from ..config.watched import watch as watched_in
from ..errors import UsageError
from ..paths import SETTINGS, without_suffix
from ..text import counted, printable
from . import files
from .trees import GitTree, Tree
from .work_tree import WorkTree

NO_REPOSITORY = "this folder is not in a git repository; go to one, or run `git init` here"
_WAY_OUT = "check it out (`git restore`, `git sparse-checkout`), or commit the deletion"

_MOST_READ = 2000
"""Number of files that are read, those with a number in their name first."""

_MOST_SHOWN = 5
_FEWEST = 2
"""Number of ADR-like files that a folder needs; a single one may be a page about decisions."""

_BESIDE = frozenset(("context", "consequences", "options", "status"))


def of_commit(settings: Settings, tree: GitTree) -> View:
    """Return the view of a commit or of the index, in which every file is tracked."""
    return View(settings, tree.folder(""), (), _linked(settings, tree))


def of_work_tree(settings: Settings, tree: WorkTree, index: GitTree) -> View:
    """Return the view of the work tree.

    Files in the index are tracked, all others are untracked.
    """
    tracked = index.entries.keys()
    untracked = [path for path in tree.folder("") if path not in tracked]
    return View(settings, tracked, untracked, _linked(settings, tree))


def _linked(settings: Settings, tree: Tree) -> list[str]:
    """Return the links that hide an ADR."""
    return sorted(path for path in tree.links if files.is_adr(tree, settings, path))


def is_empty(
    tree: GitTree | WorkTree,
    settings: Settings,
    index: GitTree | None,
    watch: Watch | None,
    selected: tuple[str, ...] | None,
) -> bool:
    """Return whether a repository has no ADR.

    `watch` is what the settings match after a change, None without one. `selected` are the ADRs on
    the disk, None if the work tree is not checked as a whole.

    Raises:
        ConfigError: The settings match nothing.
        UsageError: All ADRs are missing on the disk.
    """
    if not index or (selected and settings.paths_at is None and not watch):
        return False
    if not watch:
        watch = Watch(())
        if isinstance(tree, GitTree):
            watch = watched_in(of_commit(settings, tree))
        # Without patterns in the settings, the files on the disk are enough, and git lists nothing.
        elif settings.paths_at or settings.exclude_at or files.adrs(tree, settings):
            watch = watched_in(of_work_tree(settings, tree, index))
    if selected == () and watch.adrs and isinstance(tree, WorkTree):
        message = f"{watch.adrs[0]} is tracked, but no ADR is in the work tree"
        raise UsageError(f"{message}; {_WAY_OUT}")
    return not (watch.adrs or watch.lost or selected)


class Folder(NamedTuple):
    """A pattern that matches the files of a folder, and a description of them."""

    pattern: str
    about: str


def require_none(tree: Tree, settings: Settings) -> None:
    """Raise UsageError if folders without an ADR have files that read like ADRs."""
    folders = look_alike(tree, settings)
    if not folders:
        return
    about = "; ".join(folder.about for folder in folders)
    exclude = ", ".join(f'"{folder.pattern}"' for folder in folders)
    raise UsageError(
        printable(
            f"no ADR in {BY_NAME}, but {about}: if these are yours, {way_out(folders)}; "
            f"if they are no ADRs, `exclude: [{exclude}]`"
        )
    )


def way_out(folders: list[Folder]) -> str:
    """Return the line of settings that makes files of some folders ADRs."""
    globs = printable(", ".join(f'"{folder.pattern}"' for folder in folders))
    return f"write `paths: [{globs}]` into {SETTINGS} and run this again"


def look_alike(tree: Tree, settings: Settings) -> list[Folder]:
    """Return the folders in which several files have a decision as ADRs do, most files first."""
    pages = [path for path in tree.markdown("") if not settings.leaves_out(path)]
    pages.sort(key=lambda path: not re.search(r"\d", path.rpartition("/")[2]))
    alike: dict[str, list[str]] = {}
    for path in pages[:_MOST_READ]:
        if _reads_like_adr(tree, settings, path):
            alike.setdefault(collection(path), []).append(path)
    ordered = sorted(alike.items(), key=lambda item: -len(item[1]))[:_MOST_SHOWN]
    return [_folder(folder, paths, pages) for folder, paths in ordered if len(paths) >= _FEWEST]


def _folder(folder: str, alike: list[str], pages: list[str]) -> Folder:
    """Return the pattern of a folder; of its names with a number, if there are other pages."""
    start = f"{escaped(folder)}/" if folder else ""
    inside = [path for path in pages if path.startswith(f"{folder}/" if folder else "")]
    forms = {_form(path) for path in alike}
    pattern = f"{start}**/*.md" if folder else "*.md"
    if len(inside) > len(alike) and len(forms) == 1 and forms != {""}:
        pattern = f"{start}{forms.pop()}*.md"
    place = folder or "the root of the repository"
    return Folder(pattern, f"{place}: {counted(len(alike), 'file')} with a decision, as in ADRs")


def _form(path: str) -> str:
    """Return the beginning of a name with `?` for each digit of its number; "" without one."""
    name = without_suffix(path.rpartition("/")[2])
    start = re.match(r"(?:[A-Za-z]+[-_ ]?)?\d+[-_. ]", name)
    return re.sub(r"\d", "?", start[0]) if start else ""


def _reads_like_adr(tree: Tree, settings: Settings, path: str) -> bool:
    doc = tree.document(path)
    if doc.defect:
        return False
    adr = read(Source(doc), settings.ruleset)
    parts = set(adr.h2)
    if adr.header.statuses:
        parts.add("status")
    return "decision" in parts and not parts.isdisjoint(_BESIDE)
