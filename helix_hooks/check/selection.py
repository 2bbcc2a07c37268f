"""The ADRs that a branch concerns: changed ones, and those that depend on a changed file."""

import os
import re
from collections.abc import Collection, Iterator

from ..adr.reference import key_in_path
from ..config.settings import Settings
from ..paths import neighbours
from ..repository import files
from .comparison import Comparison

_MARK = b"helix-d"
"""Beginnings of comments that suppress a finding or drop a section."""

_TOP = 4_000
"""Bytes of an ADR in which its header stands."""


def select_changed(comparison: Comparison, below: Collection[str]) -> files.Selection:
    """Return the ADRs that the branch concerns; of those, the ones at or below some paths."""
    tree, changes = comparison.tree, comparison.diff.changes
    changed = [item.path for item in changes if item.status != "D" and comparison.is_adr(item.path)]
    candidates = (*changed, *_dependent(comparison), *_become_adrs(comparison))
    adrs = [path for path in dict.fromkeys(candidates) if not comparison.is_other_name(tree, path)]
    wanted = (path for path in adrs if not below or _is_below(path, below))
    return files.Selection(tuple(path for path in wanted if tree.has(path) or path in changed))


def _is_below(path: str, places: Collection[str]) -> bool:
    return any(path == place or path.startswith(f"{place}/") or place == "." for place in places)


def _dependent(comparison: Comparison) -> Iterator[str]:
    """Yield the ADRs to check although they may be unchanged.

    Their concept was changed or is no longer theirs alone, or they name an ADR that was deleted or
    whose status was changed.
    """
    tree, changes = comparison.tree, comparison.diff.changes
    texts = {path for item in changes for path in (item.path, item.old)}
    ends = (path for item in changes if item.status != "M" for path in (item.path, item.old))
    texts |= {neighbours([path])[2] for path in ends if comparison.is_adr(path)}
    names = [
        os.path.basename(path.encode(errors="surrogateescape")) for path in comparison.unsettled
    ]
    numbers = [key for path in comparison.unsettled if (key := key_in_path(path)).isdigit()]
    for path in tree.folder(""):
        if not comparison.is_adr(path):
            continue
        data = tree.content(path)
        names_unsettled = any(name in data for name in names) or _names_one_of(data, numbers)
        if names_unsettled or _has_another_concept(comparison, path, data, texts):
            yield path


def _may_have_another_concept(
    comparison: Comparison, path: str, data: bytes, changed: set[str]
) -> bool:
    """Return False where a look at names and bytes is enough to say so."""
    if not changed.isdisjoint(neighbours([path])) or b"oncept" in data or b"onzept" in data:
        return True
    is_link = comparison.tree.is_link
    return bool(comparison.changed_settings) or any(map(is_link, neighbours([path])[1:]))


def _has_another_concept(comparison: Comparison, path: str, data: bytes, changed: set[str]) -> bool:
    """Return whether an ADR's concept is among some changed files, or another than at the base."""
    if not _may_have_another_concept(comparison, path, data, changed):
        return False
    base = comparison.diff.base
    now = _concept(comparison.tree, comparison.own_settings, path)
    before = _concept(base, comparison.base_settings, path)
    return not changed.isdisjoint(now | before) or (now != before and base.has(path))


def _concept(tree: files.StagedTree, settings: Settings, path: str) -> set[str]:
    """Return the path of an ADR's concept, and where it leads to when it is a link."""
    concept = files.concept_of(tree, tree.document(path), settings) if tree.has(path) else None
    return {concept.path, *tree.place(concept.path).passed} if concept else set()


def _become_adrs(comparison: Comparison) -> Iterator[str]:
    """Yield files that changed settings make ADRs, if they have comments that hide something."""
    if not comparison.changed_settings:
        return
    own, base, tree = comparison.own_settings, comparison.base_settings, comparison.tree
    for path in tree.folder(""):
        is_new = own.is_adr(path) and not base.is_adr(path)
        if is_new and _MARK in tree.content(path).lower():
            yield path


def _names_one_of(data: bytes, numbers: list[str]) -> bool:
    """Return whether the header of an ADR may name one of some numbers."""
    top = data[:_TOP]
    return any(re.search(rb"(?<!\d)0*%s(?!\d)" % number.encode(), top) for number in numbers)
