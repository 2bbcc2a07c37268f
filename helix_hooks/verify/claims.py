"""The ADRs that the work claims to implement."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

from ..adr.reference import id_key, key_in_path
from ..check import files
from ..check.trees import Tree
from ..config.settings import Settings
from ..contract.claims import claim_key, claimed_in, says_adr
from ..git.history import Changed, commit, messages
from .approved import adr_of, status_of
from .base import WorkBase

_DONE = "Implemented"
_MOST_CLAIMS = 100
"""Maximum number of claims; each of them costs a verification."""
_TOO_MANY = (
    f"more than {_MOST_CLAIMS} ADRs are claimed; verify this one, and those after it, by name"
)
_NEW = "it is new, so it was never approved"

_Finder = Callable[[str], list[str]]
"""A function that returns the ADRs of a tree with a path or an id."""


class Claim(NamedTuple):
    """A claim: the path of the ADR in the base ("" for none), and the name in the claim.

    With a `reason` the claim names no ADR of the base, and `path` is the path in the work.
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
    changes: list[Changed],
) -> list[Claim]:
    """Return the claims of the work.

    A claim is a status changed to Implemented, the trailer `Implements:` of a commit, or the same
    line in one of the `texts`. Without a `head` no commit is read. A name that is not an ADR is no
    claim, and does not count for the limit of 100.

    `trees` are the base, the merge base and the work, `changes` are those since the merge base. For
    work on the base itself, only its last commit is read.
    """
    claimed = [*texts]
    if head:
        start = commit(root, f"{head}^") if base.is_own else base.commit
        claimed += messages(root, start, head)
    finders = tuple(_finder(tree, settings) for tree in trees)
    by_name = (_by_name(name, finders) for name in _names(claimed))
    claims = list(islice(filter(None, by_name), _MOST_CLAIMS + 1))
    if len(claims) > _MOST_CLAIMS:
        claims[-1] = Claim("", claims[-1].name, _TOO_MANY)
    claims += _by_status(trees[1:], settings, changes)
    return list({claim.path or claim.name: claim for claim in claims}.values())


def _names(texts: Iterable[str]) -> Iterable[str]:
    """Return the names that texts claim: each ADR once, by the first spelling of its name."""
    names: dict[str, str] = {}
    for text in texts:
        for name in claimed_in(text):
            names.setdefault(claim_key(name), name)
    return names.values()


def _by_status(trees: tuple[Tree, Tree], settings: Settings, changes: list[Changed]) -> list[Claim]:
    """Return the claims of ADRs whose status the work changed to Implemented."""
    before, now = trees
    claims = []
    for item in changes:
        if item.status == "D" or not settings.is_adr(item.path) or not now.has(item.path):
            continue
        if not _is_done(item.path, now, settings):
            continue
        old = item.old if before.has(item.old) else item.path
        if not before.has(old):
            claims.append(Claim(item.path, item.path, _NEW))
        elif not _is_done(old, before, settings):
            claims.append(Claim(old, item.path))
    return claims


def _is_done(path: str, tree: Tree, settings: Settings) -> bool:
    """Return whether an ADR of a tree has the status Implemented."""
    return status_of(path, tree.content(path), settings) == _DONE


def _by_name(name: str, finders: tuple[_Finder, ...]) -> Claim | None:
    """Return the claim of a name; None for the name of something else, such as a ticket."""
    at_base, at_fork, now = finders
    # The work can't change which ADR a name means, so its own tree comes last.
    paths = at_base(name) or at_fork(name)
    if len(paths) == 1:
        return Claim(paths[0], name)
    if paths:
        return Claim("", name, f"{name} is ambiguous: {' or '.join(paths[:3])}; give the path")
    if new := now(name):
        return Claim(new[0], name, _NEW)
    return Claim("", name, "there is no such ADR") if says_adr(name) else None


def paths_named(name: str, tree: Tree, settings: Settings) -> list[str]:
    """Return the ADRs of a tree with a path or an id: by the file names, otherwise by headers."""
    return _finder(tree, settings)(name)


def _finder(tree: Tree, settings: Settings) -> _Finder:
    """Return a function that finds the ADRs of a tree by a name.

    It reads the headers only if a name needs them, and each ADR once.
    """
    listed = cache(partial(files.adrs, tree, settings))

    @cache
    def by_path() -> dict[str, list[str]]:
        return _grouped((key_in_path(path), path) for path in listed())

    @cache
    def by_header() -> dict[str, list[str]]:
        return _grouped((_declared(tree, settings, path), path) for path in listed())

    def find(name: str) -> list[str]:
        if name in listed():
            return [name]
        key = id_key(name)
        if not key:
            return []
        return by_path().get(key) or by_header().get(key, [])

    return find


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return paths by their key."""
    paths: dict[str, list[str]] = {}
    for key, path in pairs:
        paths.setdefault(key, []).append(path)
    return paths


def _declared(tree: Tree, settings: Settings, path: str) -> str:
    """Return the key of the id in the header of an ADR; "" without one."""
    text = adr_of(path, tree.content(path), settings).header.text("adr_id")
    if not text:
        return ""
    return id_key(text)
