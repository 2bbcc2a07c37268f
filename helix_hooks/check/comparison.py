"""A branch compared with its merge base: both trees, their settings and baselines."""

from collections.abc import Iterator
from typing import NamedTuple

from ..adr.baseline import Baseline
from ..config.settings import Settings
from ..config.watched import View, Watch, watch
from ..errors import ConfigError
from ..git.history import Changed
from ..paths import READ_FIRST, is_below, neighbours
from . import files
from .around import BaseVersions
from .branch import BranchDiff
from .options import CheckOptions
from .settings import readable_baseline, readable_settings, settings_of
from .trees import GitTree
from .watched import of_commit

_MARK = b"helix-d"
"""The start of comments that suppress a finding or drop a section: helix-disable, helix-dropped."""


class Comparison(NamedTuple):
    """The changes of a branch, and the settings of both sides.

    The head is checked with `settings`. With `rules_elsewhere` these are the settings of the target
    branch, and `own_settings` are those of the head itself. `base_error` is the reason why the
    settings at the base can't be read. `changed_settings` are the changed settings files.
    """

    diff: BranchDiff
    tree: GitTree
    settings: Settings
    own_settings: Settings
    base_settings: Settings
    rules_elsewhere: bool = False
    base_error: str = ""
    baseline: Baseline = Baseline("", {})
    base_baseline: Baseline = Baseline("", {})
    changed_settings: tuple[str, ...] = ()

    @property
    def versions(self) -> BaseVersions:
        """Return the ADRs at the base."""
        diff = self.diff
        return BaseVersions(
            (diff.base,), None, diff.old_names, unchanged_too=True, settings=self.base_settings
        )

    def is_adr(self, path: str) -> bool:
        """Return whether a path is an ADR, or a link that hides one, at the head or the base."""
        both = (self.settings, self.base_settings)
        return any(files.is_adr(self.tree, item, path) for item in both)

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
    """Return a branch compared with its merge base."""
    # Also those behind a link are compared.
    changed_settings = tuple(path for path in READ_FIRST if not tree.same(path, diff.base, path))
    base_settings, base_error = settings, ""
    # The template of the options replaces that of the head only.
    if changed_settings or options.template is not None:
        try:
            base_settings = settings_of(diff.base)
        except ConfigError as error:
            base_error = str(error)
    own_settings = settings
    if changed_settings and rules_elsewhere:
        own_settings = readable_settings(tree) or settings
    baseline_path = options.baseline or settings.baseline
    comparison = Comparison(
        diff=diff,
        tree=tree,
        rules_elsewhere=rules_elsewhere,
        settings=settings,
        own_settings=own_settings,
        base_settings=base_settings,
        base_error=base_error,
        baseline=readable_baseline(tree, baseline_path),
        base_baseline=readable_baseline(diff.base, options.baseline or base_settings.baseline),
        changed_settings=changed_settings,
    )
    old_names = {new: old for new, old in diff.old_names.items() if base_settings.is_adr(old)}
    return comparison._replace(diff=diff._replace(old_names=old_names))


def since_head(
    head: GitTree, tree: GitTree, settings: Settings, changes: tuple[Changed, ...]
) -> Comparison:
    """Return staged changes compared with HEAD, without a look at settings or baselines."""
    diff = BranchDiff(head, head, changes, old_names={}, taken={})
    return Comparison(diff, tree, settings, own_settings=settings, base_settings=settings)


def watched(comparison: Comparison) -> Watch:
    """Return the files that are watched after the change.

    With the settings of the target branch, they are searched in the files that a merge leaves
    there, unless the change itself moves the places of ADRs.

    Raises:
        ConfigError: The settings match nothing, and they are those of the head.
    """
    own, base, diff = comparison.own_settings, comparison.base_settings, comparison.diff
    before = of_commit(base, diff.base)
    places = [(item.paths, item.exclude, item.approvals) for item in (own, base)]
    if comparison.rules_elsewhere and places[0] == places[1]:
        gone = {item.old for item in diff.changes if item.status in "DR"}
        merged = [path for path in diff.tip.folder("") if path not in gone]
        merged += [item.path for item in diff.changes if item.status != "D"]
        now = View(comparison.settings, dict.fromkeys(merged))
    else:
        now = of_commit(own, comparison.tree)
    try:
        return watch(now, before)
    except ConfigError:
        if not comparison.rules_elsewhere:
            raise
        return Watch(tuple(before.adrs))


def select_changed(comparison: Comparison, below: list[str] | tuple[str, ...]) -> files.Selection:
    """Return the ADRs that the branch concerns; with `below`, those at or below these paths."""
    tree, changes = comparison.tree, comparison.diff.changes
    changed = [item.path for item in changes if item.status != "D" and comparison.is_adr(item.path)]
    selected: list[str] = []
    links = _leading_to_changes(comparison)
    candidates = (*changed, *links, *_dependent(comparison), *_become_adrs(comparison))
    for path in dict.fromkeys(candidates):
        if below and not is_below(path, below):
            continue
        # A changed ADR that is not a file, such as a submodule, is reported as one.
        if tree.has(path) or path in changed or path in tree.links:
            selected.append(path)
    return files.Selection(tuple(selected))


def _leading_to_changes(comparison: Comparison) -> Iterator[str]:
    """Yield the links at paths of ADRs that lead to changed files. They are errors."""
    changed = {path for item in comparison.diff.changes for path in (item.path, item.old)}
    for link in filter(comparison.is_adr, sorted(comparison.tree.links)):
        place = comparison.tree.place(link)
        is_below = any(path.startswith(f"{place.path}/") for path in changed)
        if is_below or not place.passed.isdisjoint(changed):
            yield link


def _dependent(comparison: Comparison) -> Iterator[str]:
    """Yield the ADRs whose concept was changed, is another one, or is no longer theirs alone."""
    tree, base = comparison.tree, comparison.diff.base
    texts: set[str] = set()
    for item in comparison.diff.changes:
        texts.update((item.path, item.old))
        if item.status != "M":
            # concept.md belongs to the only ADR of a folder.
            adrs = filter(comparison.is_adr, (item.path, item.old))
            texts.update(neighbours([path])[2] for path in adrs)
    for path in filter(comparison.is_adr, tree.folder("")):
        beside = neighbours([path])
        # Names and bytes show that most ADRs have the same concept; parsing them all takes long.
        is_other = comparison.changed_settings or not texts.isdisjoint(beside)
        if is_other or files.may_name_concept(tree.content(path)):
            now = _concept(tree, comparison.own_settings, path)
            before = _concept(base, comparison.base_settings, path)
            if not texts.isdisjoint((now, before)) or (now != before and base.has(path)):
                yield path


def _concept(tree: GitTree, settings: Settings, path: str) -> str:
    """Return the path of an ADR's concept; "" without one."""
    concept = files.concept_of(tree, tree.document(path), settings) if tree.has(path) else None
    return concept.path if concept else ""


def _become_adrs(comparison: Comparison) -> Iterator[str]:
    """Yield files that changed settings make ADRs, if they have comments that hide a finding."""
    if not comparison.changed_settings:
        return
    own, base, tree = comparison.own_settings, comparison.base_settings, comparison.tree
    for path in tree.folder(""):
        is_new = own.is_adr(path) and not base.is_adr(path)
        if is_new and _MARK in tree.content(path).lower():
            yield path
