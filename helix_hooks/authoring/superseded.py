"""The ADRs that `new --supersedes` names: found by their ids, and safe to change."""

import difflib
import os
import re
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

_WITH_WORDS = r"/|\d[-_. ][^\W\d]"
"""Such an id names a file; its number alone could be that of another one."""
_SHOWN = 5
_CLOSE = 0.5
"""Similarity from which an id is shown, as difflib measures it."""


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
    """Return the ADRs with some ids, each once; those of the folder of the new one count first.

    Raises: UsageError for an id of none or several, and for a file that may not be changed.
    """
    _, tree, settings, adrs, home = neighbours
    documents = [tree.document(path) for path in adrs]
    known = {document.path: adr_of(document, settings.ruleset) for document in documents}
    keys = {path: _keys(adr) for path, adr in known.items()}
    paths = dict.fromkeys(_path(id, keys, home) for id in ids)
    return [_changeable(neighbours, known[path]) for path in paths]


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
    exact = id.removeprefix("./")
    found = [path for path, names in keys.items() if exact in names]
    if not found and not re.search(_WITH_WORDS, id):
        found = [path for path, names in keys.items() if id_key(id) in names]
    near = [path for path in found if collection(path) == home] or found
    if len(near) == 1:
        return near[0]
    if near:
        several = ", ".join(near[:_SHOWN])
        raise UsageError(f"several ADRs have the id {shown!r}: {several}; name one by its path")
    names = {name: path for path, own in keys.items() for name in own}
    close = difflib.get_close_matches(shown, names, _SHOWN, _CLOSE)
    nearest = ", ".join(dict.fromkeys(names[name] for name in close))
    hint = f"the closest are {nearest}" if nearest else "give the number, file name or path of one"
    raise UsageError(f"there is no ADR {shown!r}; {hint}")


def _changeable(neighbours: Neighbours, adr: Adr) -> Superseded:
    path, repository = adr.doc.path, neighbours.repository
    root = repository or "."
    place = os.path.join(root, path)
    if os.path.realpath(place) != os.path.join(os.path.realpath(root), *path.split("/")):
        raise UsageError(f"{path} is a symbolic link, or lies behind one; nothing was written")
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
    return bool(runner.run(command, root).stdout)


_CHANGES = [
    "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false", "status",
    "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=dirty",
]  # fmt: skip
