"""The files of a tree among which the settings find ADRs, and whether git tracks them."""

from ..config.settings import Settings
from ..config.watched import View
from .files import adrs
from .trees import SUBMODULE, GitTree, Tree
from .work_tree import WorkTree

NO_REPOSITORY = "this folder is not in a git repository; go to one, or run `git init` here"


def of_commit(settings: Settings, tree: GitTree) -> View:
    """Return the view of a commit or of the index, in which every file is tracked."""
    tracked = tree.folder("")
    entries = ((path, tree.blob(path)) for path in tracked)
    submodules = [path for path, entry in entries if entry and entry[0] == SUBMODULE]
    return View(settings, tracked, (), submodules, _linked(settings, tree))


def of_work_tree(settings: Settings, tree: WorkTree, index: GitTree) -> View:
    """Return the view of the work tree.

    Files in the index are tracked, all others are untracked.
    """
    entries = index.entries
    submodules = [path for path, (kind, _) in entries.items() if kind == SUBMODULE]
    untracked = [path for path in tree.folder("") if path not in entries]
    return View(settings, entries.keys(), untracked, submodules, _linked(settings, tree))


def _linked(settings: Settings, tree: Tree) -> list[str]:
    """Return the ADRs whose names are links, and broken links with names of ADRs."""
    names = tree.names()
    return [path for path in adrs(tree, settings) if path in names or not settings.is_adr(path)]
