"""The ADRs that some work claims to implement."""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from ..adr.reference import id_key, key_in_path
from ..config.settings import Settings
from ..contract.claims import claimed_in
from ..repository import files, history
from ..repository.files import Tree
from ..repository.lineage import messages
from .approved import adr_of, status_of
from .base import WorkBase

_DONE = "Implemented"


class Claim(NamedTuple):
    """A claim: the ADR's path at the base ("" if it is not there), and as it was named.

    `reason` says why it names no ADR.
    """

    path: str
    name: str
    reason: str = ""


def claims_of(
    root: str,
    base: WorkBase,
    head: str,
    texts: Iterable[str],
    trees: tuple[Tree, Tree, Tree],
    settings: Settings,
    changes: list[history.Changed],
) -> list[Claim]:
    """Return what the work claims: by a status changed to Implemented, by the trailer `Implements:`
    of a commit, and by further texts.

    `trees` are the base, the merge base and the work, `changes` those since the merge base. Work on
    the base itself claims by the message of its last commit.
    """
    start = history.commit(root, f"{head}^") if base.is_own else base.commit
    said = [*messages(root, start, head), *texts] if head else [*texts]
    named = [name for text in said for name in claimed_in(text)]
    adrs = tuple(NamedAdrs(tree, settings) for tree in trees)
    found = [_by_name(name, adrs) for name in dict.fromkeys(named)]
    found += _by_status(trees[1:], settings, changes)
    return list({claim.path or claim.name: claim for claim in found}.values())


def _by_status(
    trees: tuple[Tree, Tree], settings: Settings, changes: list[history.Changed]
) -> list[Claim]:
    """Return the ADRs whose status the work has changed to Implemented."""
    before, now = trees
    found = []
    for item in changes:
        if item.status == "D" or not settings.is_adr(item.path) or not now.has(item.path):
            continue
        if status_of(item.path, now.content(item.path), settings) != _DONE:
            continue
        old = item.old if before.has(item.old) else item.path
        if not before.has(old):
            found.append(Claim("", item.path, "it is new, so it was never approved"))
        elif status_of(old, before.content(old), settings) != _DONE:
            found.append(Claim(old, item.path))
    return found


def _by_name(name: str, adrs: tuple["NamedAdrs", ...]) -> Claim:
    at_base, at_fork, now = adrs
    paths = at_base.paths(name) or at_fork.paths(name)
    if len(paths) == 1:
        return Claim(paths[0], name)
    if paths:
        return Claim("", name, f"{name} may be {' or '.join(paths[:3])}; write the path")
    if now.paths(name):
        return Claim("", name, "it is new, so it was never approved")
    return Claim("", name, "there is no such ADR")


def paths_named(name: str, tree: Tree, settings: Settings) -> list[str]:
    """Return the ADRs of a tree with a path or an id: by the names of files, else by headers."""
    return NamedAdrs(tree, settings).paths(name)


class NamedAdrs:
    """The ADRs of a tree by their ids, which are read once for all names that are looked up."""

    def __init__(self, tree: Tree, settings: Settings) -> None:
        self._tree, self._settings = tree, settings

    def paths(self, name: str) -> list[str]:
        """Return the ADRs with a path or an id: by the names of files, else by headers."""
        if name.endswith(".md") and self._tree.has(name):
            return [name]
        key = id_key(name)
        return self._by_path.get(key) or (self._by_header.get(key, []) if key else [])

    @cached_property
    def _adrs(self) -> list[str]:
        return list(files.adrs(self._tree, self._settings))

    @cached_property
    def _by_path(self) -> dict[str, list[str]]:
        return _grouped((key_in_path(path), path) for path in self._adrs)

    @cached_property
    def _by_header(self) -> dict[str, list[str]]:
        return _grouped((self._declared(path), path) for path in self._adrs)

    def _declared(self, path: str) -> str:
        adr = adr_of(path, self._tree.content(path), self._settings)
        text = adr.header.text("adr_id")
        return id_key(text) if text else ""


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, path in pairs:
        found.setdefault(key, []).append(path)
    return found
