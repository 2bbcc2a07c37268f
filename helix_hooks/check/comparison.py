"""A branch compared with its merge base: both trees, their settings and baselines."""

from typing import NamedTuple

from ..adr.baseline import Baseline
from ..adr.parse import header
from ..config.settings import Settings
from ..config.watched import View, Watch, watch
from ..errors import ConfigError
from ..paths import READ_FIRST
from ..repository import files, views
from ..repository.branch import BranchDiff
from .options import CheckOptions
from .settings import baseline_or_empty, readable_settings, settings_of
from .versions import BaseVersions

_FEW = 8
"""Changes up to which it costs less to ask git for single paths of the base than for all."""


class Comparison(NamedTuple):
    """The changes of a branch, and the settings by which they count.

    `settings` are those by which the head is checked; with `rules_elsewhere` they belong to the
    branch that the change goes to, and `own_settings` are those that the head itself has.
    `base_error` says why the settings at the base cannot be read. `changed_settings` are the
    changed settings files, `unsettled` the ADRs that were deleted or whose status changed.
    """

    diff: BranchDiff
    tree: files.StagedTree
    rules_elsewhere: bool
    settings: Settings
    own_settings: Settings
    base_settings: Settings
    base_error: str
    baseline: Baseline
    base_baseline: Baseline
    changed_settings: tuple[str, ...]
    unsettled: tuple[str, ...]

    @property
    def versions(self) -> BaseVersions:
        """Return the ADRs as they were at the base."""
        diff = self.diff
        return BaseVersions(
            (diff.base,), None, diff.old_names, unchanged_too=True, settings=self.base_settings
        )

    def is_adr(self, path: str) -> bool:
        return _is_adr(self.tree, self.settings, self.base_settings, path)

    def is_other_name(self, tree: files.StagedTree, path: str) -> bool:
        """Return whether an ADR is checked by another name."""
        return _is_other_name(tree, self.settings, self.base_settings, path)

    def base_counts(self, path: str) -> dict[str, int]:
        """Return what the baseline at the base counted in an ADR."""
        return self.base_baseline.counts.get(self.diff.old_names.get(path, path), {})


def compare(
    options: CheckOptions,
    diff: BranchDiff,
    tree: files.StagedTree,
    settings: Settings,
    *,
    rules_elsewhere: bool,
) -> Comparison:
    """Return a branch compared with its merge base. Raises ConfigError for a broken baseline."""
    if len(diff.changes) > _FEW:
        diff.base.remember()
    changed = (
        item.path for item in diff.changes if not {item.path, item.old}.isdisjoint(READ_FIRST)
    )
    changed_settings = tuple(changed)
    is_same = options.template is None and not changed_settings
    base_settings, base_error = (settings, "") if is_same else _base_settings(diff, settings)
    own = readable_settings(tree) if rules_elsewhere and changed_settings else None
    old_names = {
        new: old
        for new, old in diff.old_names.items()
        if base_settings.is_adr(old) and not _is_second(tree, settings, base_settings, new)
    }
    diff = diff._replace(old_names=old_names)
    path = options.baseline or ""
    base_baseline = _readable(diff.base, path or base_settings.baseline)
    unsettled = _unsettled(diff, tree, settings, base_settings)
    head_baseline = _readable if rules_elsewhere else baseline_or_empty
    return Comparison(
        diff=diff,
        tree=tree,
        rules_elsewhere=rules_elsewhere,
        settings=settings,
        own_settings=own or settings,
        base_settings=base_settings,
        base_error=base_error,
        baseline=head_baseline(tree, path or settings.baseline),
        base_baseline=base_baseline,
        changed_settings=changed_settings,
        unsettled=unsettled,
    )


def watched(comparison: Comparison) -> Watch:
    """Return what is watched after the change.

    Raises ConfigError where that is nothing, unless the settings come from elsewhere.
    """
    now, before = _views(comparison)
    try:
        return watch(now, before)
    except ConfigError:
        if not comparison.rules_elsewhere:
            raise
        return Watch(tuple(before.adrs))


def status_at(comparison: Comparison, tree: files.StagedTree, path: str) -> str:
    """Return the status of an ADR in a tree, read as the base reads it; "" without a known one."""
    return _status(tree, comparison.base_settings, path)


def _base_settings(diff: BranchDiff, settings: Settings) -> tuple[Settings, str]:
    """Return the settings at the base; those of the head with the reason where they are broken."""
    try:
        return settings_of(diff.base), ""
    except ConfigError as error:
        return settings, str(error)


def _views(comparison: Comparison) -> tuple[View, View]:
    """Return what may be watched after the change, and before it.

    Settings from elsewhere are those of the branch that the change goes to. They are compared
    with the files that a merge leaves there, unless the change itself names other files.
    """
    own, base = comparison.own_settings, comparison.base_settings
    before = views.of_commit(base, comparison.diff.base)
    own_places, places = (
        (each.paths, each.exclude, each.approvals, each.declared) for each in (own, base)
    )
    if comparison.rules_elsewhere and own_places == places:
        return View(comparison.settings, _merged(comparison.diff)), before
    return views.of_commit(own, comparison.tree), before


def _merged(diff: BranchDiff) -> dict[str, None]:
    """Return the paths that a merge leaves on the other branch."""
    gone = {item.old for item in diff.changes if item.status in "DR"}
    changed = [item.path for item in diff.changes if item.status != "D"]
    return dict.fromkeys((*(path for path in diff.tip.folder("") if path not in gone), *changed))


def _unsettled(
    diff: BranchDiff, tree: files.StagedTree, settings: Settings, base: Settings
) -> tuple[str, ...]:
    """Return the ADRs that were deleted, or whose status was changed."""
    gone = (item.path for item in diff.deleted if base.is_adr(item.path))
    there = (item for item in diff.changes if item.status in "MR")
    adrs = (item for item in there if _is_adr(tree, settings, base, item.path))
    moved = (
        item.path
        for item in adrs
        if _status(tree, base, item.path) != _status(diff.base, base, item.old)
    )
    return (*gone, *moved)


def _status(tree: files.StagedTree, settings: Settings, path: str) -> str:
    if not tree.has(path):
        return ""
    text = header.read(tree.document(path), settings.ruleset.meanings).text("status")
    return settings.ruleset.statuses.read(text) or "" if text else ""


def _is_adr(tree: files.StagedTree, settings: Settings, base: Settings, path: str) -> bool:
    """Return whether a path is called an ADR at the head or the base.

    A link that leads to no folder of ADRs is one that cannot be read.
    """
    return settings.is_adr(path) or base.is_adr(path) or files.is_adr(tree, settings, path)


def _is_other_name(tree: files.StagedTree, settings: Settings, base: Settings, path: str) -> bool:
    if path not in tree.names():
        return False
    return not any(files.is_adr(tree, item, path) for item in (settings, base))


def _is_second(tree: files.StagedTree, settings: Settings, base: Settings, path: str) -> bool:
    """Return whether a path is called an ADR, and only leads to one checked by another name."""
    is_adr = _is_adr(tree, settings, base, path)
    return is_adr and _is_other_name(tree, settings, base, path)


def _readable(tree: files.StagedTree, path: str) -> Baseline:
    """Return a baseline; one that cannot be read hides nothing, so that a change can repair it."""
    try:
        return baseline_or_empty(tree, path)
    except ConfigError:
        return Baseline(path, {})
