"""The ADRs that a branch changes: by their text, their concept or the settings."""

from collections.abc import Iterator

from ..config.settings import Settings
from ..paths import is_below, neighbours
from . import files
from .comparison import Comparison
from .trees import GitTree

_MARK = b"helix-d"
"""The start of comments that suppress a finding or drop a section: helix-disable, helix-dropped."""


def select_changed(comparison: Comparison, below: list[str] | tuple[str, ...]) -> files.Selection:
    """Return the ADRs that the branch concerns; with `below`, those at or below these paths."""
    tree, changes = comparison.tree, comparison.diff.changes
    changed = [item.path for item in changes if item.status != "D" and comparison.is_adr(item.path)]
    selected: list[str] = []
    candidates = (*changed, *_dependent(comparison), *_become_adrs(comparison))
    for path in dict.fromkeys(candidates):
        if comparison.is_other_name(tree, path) or (below and not is_below(path, below)):
            continue
        # A changed ADR that is not a file, such as a submodule, is reported as one.
        if tree.has(path) or path in changed:
            selected.append(path)
    return files.Selection(tuple(selected))


def _dependent(comparison: Comparison) -> Iterator[str]:
    """Yield the ADRs whose concept was changed, or is no longer theirs alone."""
    tree = comparison.tree
    texts = _changed_texts(comparison)
    for path in tree.folder(""):
        if comparison.is_adr(path) and _has_another_concept(comparison, path, texts):
            yield path


def _changed_texts(comparison: Comparison) -> set[str]:
    """Return the changed files, and the concepts of ADRs that were added, moved or deleted."""
    texts: set[str] = set()
    for item in comparison.diff.changes:
        texts.update((item.path, item.old))
        if item.status != "M":
            adrs = filter(comparison.is_adr, (item.path, item.old))
            texts.update(neighbours([path])[2] for path in adrs)
    return texts


def _may_have_another_concept(
    comparison: Comparison, path: str, data: bytes, changed: set[str]
) -> bool:
    """Return False if names and bytes show that the concept is the same. Parses nothing."""
    # The header or the text names a Concept or Konzept, in either case of its first letter.
    if not changed.isdisjoint(neighbours([path])) or b"oncept" in data or b"onzept" in data:
        return True
    is_link = comparison.tree.is_link
    return bool(comparison.changed_settings) or any(map(is_link, neighbours([path])[1:]))


def _has_another_concept(comparison: Comparison, path: str, changed: set[str]) -> bool:
    """Return whether an ADR's concept is among some changed files, or another than at the base."""
    data = comparison.tree.content(path)
    if not _may_have_another_concept(comparison, path, data, changed):
        return False
    base = comparison.diff.base
    now = _concept(comparison.tree, comparison.own_settings, path)
    before = _concept(base, comparison.base_settings, path)
    return not changed.isdisjoint(now | before) or (now != before and base.has(path))


def _concept(tree: GitTree, settings: Settings, path: str) -> set[str]:
    """Return the path of an ADR's concept, with the paths that it leads through if it is a link."""
    if not tree.has(path):
        return set()
    concept = files.concept_of(tree, tree.document(path), settings)
    if not concept:
        return set()
    return {concept.path, *tree.place(concept.path).passed}


def _become_adrs(comparison: Comparison) -> Iterator[str]:
    """Yield files that changed settings make ADRs, if they have comments that hide a finding."""
    if not comparison.changed_settings:
        return
    own, base, tree = comparison.own_settings, comparison.base_settings, comparison.tree
    for path in tree.folder(""):
        is_new = own.is_adr(path) and not base.is_adr(path)
        if is_new and _MARK in tree.content(path).lower():
            yield path
