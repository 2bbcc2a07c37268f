"""The ADRs that `new --supersedes` names: found by their ids, and safe to change."""

import difflib
import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from .. import git
from ..adr.corpus import entry
from ..adr.model import Adr
from ..adr.reference import collection, id_key
from ..check.work_tree import WorkTree
from ..config.settings import Settings
from ..errors import UsageError
from ..paths import without_suffix
from .succession import adr_of

_WITH_WORDS = r"/|\d[-_. ][^\W\d]"
"""An id with a slash, or with words after its number, names one file and not each file of that
number.
"""
_SHOWN = 5
_CLOSE = 0.5
"""Least similarity of an id that is suggested, as difflib measures it."""


class Superseded(NamedTuple):
    """An ADR to supersede, and its text with its own line ends."""

    adr: Adr
    text: str


class Neighbours(NamedTuple):
    """The ADRs of a work tree, and the folder of the new one. `repository` is None without git."""

    repository: str | None
    tree: WorkTree
    settings: Settings
    adrs: Sequence[str]
    home: str


def superseded_by_ids(neighbours: Neighbours, ids: Sequence[str]) -> list[Superseded]:
    """Return the ADRs with some ids, each once. ADRs in the folder of the new one have precedence.

    Raises:
        UsageError: An id names no ADR or several, or a file may not be changed.
    """
    _, tree, settings, adrs, home = neighbours
    by_path: dict[str, Adr] = {}
    for path in adrs:
        document = tree.document(path)
        by_path[document.path] = adr_of(document, settings.ruleset)
    keys = {path: _keys(adr) for path, adr in by_path.items()}
    paths = dict.fromkeys(_path(id, keys, home) for id in ids)
    return [_changeable(neighbours, by_path[path]) for path in paths]


def _keys(adr: Adr) -> frozenset[str]:
    """Return the ids by which an ADR can be named: its number, its file's name and its path."""
    path = adr.doc.path
    name = path.rpartition("/")[2]
    facts = entry(adr, "", refers=False)
    keys = {facts.key, facts.named, path, name, without_suffix(name)}
    return frozenset(keys - {""})


def _path(id: str, keys: dict[str, frozenset[str]], home: str) -> str:
    """Return the path of the one ADR that an id names. Raises UsageError."""
    shown = "".join(char for char in id if char.isprintable())[:80]
    near = _paths_of(id, keys)
    near = [path for path in near if collection(path) == home] or near
    if len(near) == 1:
        return near[0]
    if near:
        several = ", ".join(near[:_SHOWN])
        raise UsageError(f"several ADRs have the id {shown!r}: {several}; name one by its path")
    nearest = _closest(shown, keys)
    if nearest:
        raise UsageError(f"there is no ADR {shown!r}; the closest are {', '.join(nearest)}")
    hint = "give the number, file name or path of one"
    raise UsageError(f"there is no ADR {shown!r}; {hint}")


def _paths_of(id: str, keys: dict[str, frozenset[str]]) -> list[str]:
    """Return the ADRs that have an id as it is spelt, or else its number."""
    exact = id.removeprefix("./")
    paths = [path for path, names in keys.items() if exact in names]
    if paths or re.search(_WITH_WORDS, id):
        return paths
    return [path for path, names in keys.items() if id_key(id) in names]


def _closest(id: str, keys: dict[str, frozenset[str]]) -> list[str]:
    """Return the paths of the ADRs with the most similar ids."""
    paths: dict[str, str] = {}
    for path, names in keys.items():
        paths.update(dict.fromkeys(names, path))
    close = difflib.get_close_matches(id, paths, _SHOWN, _CLOSE)
    return list(dict.fromkeys(paths[name] for name in close))


def _changeable(neighbours: Neighbours, adr: Adr) -> Superseded:
    """Return an ADR with its text. Raises UsageError if it may not be changed."""
    path, repository = adr.doc.path, neighbours.repository
    root = repository or "."
    place = os.path.join(root, path)
    if os.path.realpath(place) != os.path.join(os.path.realpath(root), *path.split("/")):
        raise UsageError(f"{path} is a symbolic link, or is below one; nothing was written")
    if adr.doc.defect:
        raise UsageError(f"{path} can't be read: {adr.doc.defect.message}; nothing was written")
    if repository and _is_changed(repository, path):
        problem = "has changes that are not committed"
        raise UsageError(f"{path} {problem}; commit or undo them first, nothing was written")
    try:
        text = (neighbours.tree.raw(path) or b"").decode()
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not in UTF-8; convert it first, nothing was written") from None
    return Superseded(adr, text)


def _is_changed(root: str, path: str) -> bool:
    command = [*git.without_filters(root), *_CHANGES, "--", path]
    return bool(git.run(command, root).stdout)


_CHANGES = [
    "--no-optional-locks", "--literal-pathspecs", "status",
    "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=dirty",
]  # fmt: skip
