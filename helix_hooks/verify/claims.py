"""The ADRs that some work claims to implement."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

from ..adr.reference import id_key, key_in_path
from ..config.settings import Settings
from ..contract.claims import claim_key, claimed_in, says_adr
from ..repository import files, history
from ..repository.files import Tree
from ..repository.lineage import messages
from .approved import adr_of, status_of
from .base import WorkBase

_DONE = "Implemented"
_MOST_CLAIMS = 100
_NEW = "it is new, so it was never approved"

_Finder = Callable[[str], list[str]]
"""Returns the ADRs of a tree that have a path or an id."""


class Claim(NamedTuple):
    """A claim: the ADR's path at the base ("" if there is none), and as it was named.

    `reason` says why it names no ADR of the base; `path` is that of the work then.
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
    of a commit, and by further texts. Without a `head` no commit is asked. Of the claims, 100 at
    most count; what names no ADR is none, and hides none.

    `trees` are the base, the merge base and the work, `changes` those since the merge base. Work on
    the base itself claims by the message of its last commit.
    """
    start = history.commit(root, f"{head}^") if base.is_own else base.commit
    said = [*texts, *(messages(root, start, head) if head else [])]
    spoken = [name for text in said for name in claimed_in(text)]
    named: dict[str, str] = {}
    for name in spoken:
        named.setdefault(claim_key(name), name)
    finders = tuple(_finder(tree, settings) for tree in trees)
    claims = (claim for name in named.values() if (claim := _by_name(name, finders)))
    found = list(islice(claims, _MOST_CLAIMS))
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
            found.append(Claim(item.path, item.path, _NEW))
        elif status_of(old, before.content(old), settings) != _DONE:
            found.append(Claim(old, item.path))
    return found


def _by_name(name: str, finders: tuple[_Finder, ...]) -> Claim | None:
    """Return the claim of a name; None if it is that of something else, such as a ticket."""
    at_base, at_fork, now = finders
    paths = at_base(name) or at_fork(name)
    if len(paths) == 1:
        return Claim(paths[0], name)
    if paths:
        return Claim("", name, f"{name} may be {' or '.join(paths[:3])}; write the path")
    if new := now(name):
        return Claim(new[0], name, _NEW)
    return Claim("", name, "there is no such ADR") if says_adr(name) else None


def paths_named(name: str, tree: Tree, settings: Settings) -> list[str]:
    """Return the ADRs of a tree with a path or an id: by the names of files, else by headers."""
    return _finder(tree, settings)(name)


def _finder(tree: Tree, settings: Settings) -> _Finder:
    """Return a function that finds the ADRs of a tree by a name, and reads each of them once."""
    listed = cache(partial(files.adrs, tree, settings))

    @cache
    def by_path() -> dict[str, list[str]]:
        return _grouped((key_in_path(path), path) for path in listed())

    @cache
    def by_header() -> dict[str, list[str]]:
        return _grouped((_declared(tree, settings, path), path) for path in listed())

    def found(name: str) -> list[str]:
        if name in listed():
            return [name]
        key = id_key(name)
        return (by_path().get(key) or by_header().get(key, [])) if key else []

    return found


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, path in pairs:
        found.setdefault(key, []).append(path)
    return found


def _declared(tree: Tree, settings: Settings, path: str) -> str:
    text = adr_of(path, tree.content(path), settings).header.text("adr_id")
    return id_key(text) if text else ""
