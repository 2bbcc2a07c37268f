"""What a change makes milder in the rules, the rubric and the policy, read from the trees at both ends of it."""

from collections.abc import Iterable

from .. import files
from ..errors import ConfigError
from ..loosened import Places, Version, loosened, places
from ..places import APPROVALS, APPROVALS_FILE, RULES_FILE, SETTINGS
from ..settings import Settings, load
from . import plan
from .subject import Change


def of_change(change: Change, config: str) -> tuple[str, ...]:
    """The lines on a change, measured by where it left its base; none without a base."""
    if not change.before:
        return ()
    return between(change.before, change.tree, change.touched, config, change.approvals)


def between(before: files.Tree, now: files.Tree, touched: Iterable[str], config: str = "", folder: str = APPROVALS) -> tuple[str, ...]:
    """The lines on a change between two trees that touched some paths."""
    paths = list(touched)
    return loosened(version(before, config, paths), version(now, config, paths), paths, now.folder(""), config, folder)


def version(tree: files.Tree, config: str, paths: Iterable[str]) -> Version:
    """What a tree goes by, with which of some paths it has. What is broken is None, and other steps report it."""
    try:
        approvals = plan.approvals(tree, config)
    except ConfigError:
        approvals = None
    found: dict[str, tuple[str, int]] = {}
    for path in (RULES_FILE, SETTINGS, config or APPROVALS_FILE):
        found |= _places(tree, path)
    return Version(_settings(tree), approvals, found, frozenset(path for path in paths if tree.has(path)))


def _settings(tree: files.Tree) -> Settings | None:
    try:
        return load(tree.read, files.packaged)
    except ConfigError:
        return None


def _places(tree: files.Tree, path: str) -> Places:
    return places(tree.content(path).decode(errors="replace"), path)
