"""List the relaxations of a change in rules, rubrics and policy."""

from collections.abc import Iterable

from ..check import files
from ..check.trees import Tree
from ..config.declaration import Places, places
from ..config.relaxations import Version, loosened, weakened_workflows
from ..config.settings import Settings, load
from ..config.workflows import is_workflow, ways_to_write
from ..errors import ConfigError
from ..paths import APPROVALS, APPROVALS_FILE, CODEOWNERS, RULES_FILE, SETTINGS
from .approvals import approvals_of
from .change import Change


def of_change(change: Change, config: str) -> tuple[str, ...]:
    """Return the lines on a change, compared with its merge base; none without a base."""
    if not change.merge_base_tree:
        return ()
    return between(change.merge_base_tree, change.tree, change.touched, config, change.approvals)


def weakened(change: Change) -> tuple[str, ...]:
    """Return the changed files by which another than the gate can write its check.

    These are CODEOWNERS, and workflows that can do so in a new way.
    """
    before, paths = change.merge_base_tree, list(change.touched)
    if not before:
        return ()
    old, new = (version(tree, "", paths) for tree in (before, change.tree))
    owners = (path for path in paths if path in CODEOWNERS)
    return tuple(dict.fromkeys((*owners, *weakened_workflows(old, new))))


def between(
    before: Tree,
    now: Tree,
    touched: Iterable[str],
    config: str = "",
    folder: str = APPROVALS,
) -> tuple[str, ...]:
    """Return the lines on the change between two trees. `touched` are the changed paths."""
    paths = list(touched)
    old, new = (version(tree, config, paths) for tree in (before, now))
    return loosened(old, new, paths, now.folder(""), config, folder)


def version(tree: Tree, config: str, paths: Iterable[str]) -> Version:
    """Return the settings of a tree, and the paths of `paths` that it has.

    Invalid settings are None; other steps report them.
    """
    try:
        approvals = approvals_of(tree, config)
    except ConfigError:
        approvals = None
    lines: dict[str, tuple[str, int]] = {}
    for path in (RULES_FILE, SETTINGS, config or APPROVALS_FILE):
        lines |= _places(tree, path)
    there = frozenset(path for path in paths if tree.has(path))
    workflows = {
        path: ways_to_write(tree.content(path) if tree.has(path) else None, path)
        for path in paths
        if is_workflow(path)
    }
    return Version(_settings(tree), approvals, lines, there, workflows)


def _settings(tree: Tree) -> Settings | None:
    try:
        return load(tree.read, files.packaged)
    except ConfigError:
        return None


def _places(tree: Tree, path: str) -> Places:
    return places(tree.content(path).decode(errors="replace"), path)
