"""A branch compared with its merge base: both trees, their settings and baselines."""

from typing import NamedTuple

from ..adr.baseline import Baseline
from ..adr.corpus import OPEN
from ..adr.parse import header
from ..config.settings import Settings
from ..config.watched import View, Watch, watch
from ..errors import ConfigError
from ..paths import READ_FIRST
from . import files, views
from .branch_diff import BranchDiff
from .options import CheckOptions
from .settings import baseline_or_empty, readable_settings, settings_of
from .trees import GitTree
from .versions import BaseVersions


class Comparison(NamedTuple):
    """The changes of a branch, and the settings of both sides.

    The head is checked with `settings`. With `rules_elsewhere` these are the settings of the target
    branch, and `own_settings` are those of the head itself. `base_error` is the reason why the
    settings at the base can't be read. `changed_settings` are the changed settings files.
    """

    diff: BranchDiff
    tree: GitTree
    rules_elsewhere: bool
    settings: Settings
    own_settings: Settings
    base_settings: Settings
    base_error: str
    baseline: Baseline
    base_baseline: Baseline
    changed_settings: tuple[str, ...]

    @property
    def versions(self) -> BaseVersions:
        """Return the ADRs at the base."""
        diff = self.diff
        return BaseVersions(
            (diff.base,), None, diff.old_names, unchanged_too=True, settings=self.base_settings
        )

    def is_adr(self, path: str) -> bool:
        return _is_adr(self.tree, self.settings, self.base_settings, path)

    def is_other_name(self, tree: GitTree, path: str) -> bool:
        """Return whether an ADR is checked by another name."""
        return _is_other_name(tree, self.settings, self.base_settings, path)

    def base_counts(self, path: str) -> dict[str, int]:
        """Return the number of findings that the base's baseline allows an ADR, by rule."""
        return self.base_baseline.counts.get(self.diff.old_names.get(path, path), {})


def compare(
    options: CheckOptions,
    diff: BranchDiff,
    tree: GitTree,
    settings: Settings,
    *,
    rules_elsewhere: bool,
) -> Comparison:
    """Return a branch compared with its merge base.

    Raises:
        ConfigError: The baseline of the head can't be read.
    """
    changed_settings = _changed_settings(diff)
    base_settings, base_error = settings, ""
    # The template of the options replaces that of the head only.
    if changed_settings or options.template is not None:
        base_settings, base_error = _base_settings(diff, settings)
    own_settings = settings
    if changed_settings and rules_elsewhere:
        own_settings = readable_settings(tree) or settings
    diff = diff._replace(old_names=_old_adr_names(diff, tree, settings, base_settings))
    baseline_path = options.baseline or settings.baseline
    return Comparison(
        diff=diff,
        tree=tree,
        rules_elsewhere=rules_elsewhere,
        settings=settings,
        own_settings=own_settings,
        base_settings=base_settings,
        base_error=base_error,
        baseline=_head_baseline(tree, baseline_path, rules_elsewhere=rules_elsewhere),
        base_baseline=_readable(diff.base, options.baseline or base_settings.baseline),
        changed_settings=changed_settings,
    )


def _head_baseline(tree: GitTree, path: str, *, rules_elsewhere: bool) -> Baseline:
    # Under the settings of the target branch, a broken baseline of the head is reported elsewhere.
    if rules_elsewhere:
        return _readable(tree, path)
    return baseline_or_empty(tree, path)


def _changed_settings(diff: BranchDiff) -> tuple[str, ...]:
    """Return the settings files that the branch changes, moves or deletes."""
    changes = diff.changes
    return tuple(item.path for item in changes if item.path in READ_FIRST or item.old in READ_FIRST)


def _old_adr_names(
    diff: BranchDiff, tree: GitTree, settings: Settings, base: Settings
) -> dict[str, str]:
    """Return the old names of renamed files that were ADRs."""
    return {
        new: old
        for new, old in diff.old_names.items()
        if base.is_adr(old) and not _is_second(tree, settings, base, new)
    }


def watched(comparison: Comparison) -> Watch:
    """Return the files that are watched after the change.

    Raises:
        ConfigError: The settings match nothing, and they are those of the head.
    """
    now, before = _views(comparison)
    try:
        return watch(now, before)
    except ConfigError:
        if not comparison.rules_elsewhere:
            raise
        return Watch(tuple(before.adrs))


def status_at(comparison: Comparison, tree: GitTree, path: str) -> str:
    """Return the status of an ADR in a tree, read with the settings of the base; "" if unknown."""
    return _status(tree, comparison.base_settings, path)


def decided_at(comparison: Comparison, tree: GitTree, path: str) -> bool:
    """Return whether an ADR has a status in a tree, and not that of a proposal."""
    ruleset = comparison.base_settings.ruleset
    text = header.read(tree.document(path), ruleset.meanings).text("status")
    return bool(text) and ruleset.statuses.read(text) not in OPEN


def _base_settings(diff: BranchDiff, settings: Settings) -> tuple[Settings, str]:
    """Return the settings at the base; if they are broken, the head's settings and the reason."""
    try:
        return settings_of(diff.base), ""
    except ConfigError as error:
        return settings, str(error)


def _views(comparison: Comparison) -> tuple[View, View]:
    """Return the files that may be watched after the change, and before it.

    With the settings of the target branch, they are searched in the files that a merge leaves
    there, unless the change itself moves the places of ADRs.
    """
    own, base = comparison.own_settings, comparison.base_settings
    before = views.of_commit(base, comparison.diff.base)
    if comparison.rules_elsewhere and _places(own) == _places(base):
        return View(comparison.settings, _merged(comparison.diff)), before
    return views.of_commit(own, comparison.tree), before


def _places(settings: Settings) -> tuple[object, ...]:
    return settings.paths, settings.exclude, settings.approvals, settings.declared


def _merged(diff: BranchDiff) -> dict[str, None]:
    """Return the paths that a merge leaves on the target branch."""
    gone = {item.old for item in diff.changes if item.status in "DR"}
    paths = [path for path in diff.tip.folder("") if path not in gone]
    paths += [item.path for item in diff.changes if item.status != "D"]
    return dict.fromkeys(paths)


def _status(tree: GitTree, settings: Settings, path: str) -> str:
    if not tree.has(path):
        return ""
    text = header.read(tree.document(path), settings.ruleset.meanings).text("status")
    if not text:
        return ""
    return settings.ruleset.statuses.read(text) or ""


def _is_adr(tree: GitTree, settings: Settings, base: Settings, path: str) -> bool:
    """Return whether a path has the name of an ADR at the head or the base.

    A link with such a name is an ADR too: if it leads elsewhere, it is an ADR that can't be read.
    """
    return settings.is_adr(path) or base.is_adr(path) or files.is_adr(tree, settings, path)


def _is_other_name(tree: GitTree, settings: Settings, base: Settings, path: str) -> bool:
    if path not in tree.names():
        return False
    return not any(files.is_adr(tree, item, path) for item in (settings, base))


def _is_second(tree: GitTree, settings: Settings, base: Settings, path: str) -> bool:
    """Return whether a path has the name of an ADR, but links to one that has another name."""
    is_adr = _is_adr(tree, settings, base, path)
    return is_adr and _is_other_name(tree, settings, base, path)


def _readable(tree: GitTree, path: str) -> Baseline:
    """Return a baseline. A broken one hides nothing, so that a change can repair it."""
    try:
        return baseline_or_empty(tree, path)
    except ConfigError:
        return Baseline(path, {})
