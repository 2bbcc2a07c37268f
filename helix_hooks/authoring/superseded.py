"""The ADRs that `new --supersedes` names: found by their ids, and safe to change."""

import difflib
import os
from collections.abc import Sequence
from typing import NamedTuple

from ..adr.corpus import entry
from ..adr.model import Adr
from ..adr.reference import collection, id_key
from ..config.settings import Settings
from ..errors import UsageError
from ..repository import git, runner
from ..repository.work_tree import WorkTree
from .succession import adr_of

_SHOWN = 5
_CLOSE = 0.5
"""Similarity from which an id is shown, as difflib measures it."""


class Superseded(NamedTuple):
    """An ADR to supersede, and its text with its own line ends."""

    adr: Adr
    text: str


def superseded_by_ids(
    root: str,
    tree: WorkTree,
    settings: Settings,
    adrs: Sequence[str],
    ids: Sequence[str],
    home: str,
) -> list[Superseded]:
    """Return the ADRs with some ids, each once; those of the folder `home` count first.

    Raises: UsageError for an id of none or several, and for a file that may not be changed.
    """
    documents = [tree.document(path) for path in adrs]
    known = {document.path: adr_of(document, settings.ruleset) for document in documents}
    keys = {path: _keys(adr) for path, adr in known.items()}
    paths = dict.fromkeys(_path(id, keys, home) for id in ids)
    return [_changeable(root, tree, known[path]) for path in paths]


def _keys(adr: Adr) -> frozenset[str]:
    """Return the ids by which an ADR can be named: its number, its file's name and its path."""
    path = adr.doc.path
    name = path.rpartition("/")[2]
    facts = entry(adr, "", refers=False)
    found = (facts.key, facts.named, path, name, name.removesuffix(".md"))
    return frozenset(key for key in found if key)


def _path(id: str, keys: dict[str, frozenset[str]], home: str) -> str:
    """Return the path of the one ADR that an id names."""
    shown = "".join(char for char in id if char.isprintable())[:80]
    wanted = {id_key(id), id, id.removeprefix("./")} - {""}
    found = [path for path, names in keys.items() if not wanted.isdisjoint(names)]
    near = [path for path in found if collection(path) == home] or found
    if len(near) == 1:
        return near[0]
    if near:
        several = ", ".join(near[:_SHOWN])
        raise UsageError(f"several ADRs have the id {shown!r}: {several}; name one by its path")
    names = {name: path for path, own in keys.items() for name in own}
    close = difflib.get_close_matches(shown, names, _SHOWN, _CLOSE)
    nearest = ", ".join(dict.fromkeys(names[name] for name in close))
    hint = f"the closest are {nearest}" if nearest else "`helix-hooks index` lists all"
    raise UsageError(f"there is no ADR {shown!r}; {hint}")


def _changeable(root: str, tree: WorkTree, adr: Adr) -> Superseded:
    path = adr.doc.path
    place = os.path.join(root, path)
    if os.path.realpath(place) != os.path.join(os.path.realpath(root), *path.split("/")):
        raise UsageError(f"{path} is a symbolic link, or lies behind one; nothing was written")
    if adr.doc.defect:
        raise UsageError(f"{path} can't be read: {adr.doc.defect.message}; nothing was written")
    in_git = git.repository() is not None
    command = [*git.without_filters(root), *_CHANGES, "--", path] if in_git else []
    if command and runner.run(command, root).stdout:
        problem = "has changes that are not committed"
        raise UsageError(f"{path} {problem}; commit or undo them first, nothing was written")
    try:
        text = (tree.raw(path) or b"").decode()
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not in UTF-8; convert it first, nothing was written") from None
    return Superseded(adr, text)


_CHANGES = [
    "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false", "status",
    "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=dirty",
]  # fmt: skip
