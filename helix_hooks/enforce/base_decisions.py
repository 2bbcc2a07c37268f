"""Read the accepted ADRs of the base, and the commits that claim to implement them."""

import os
from collections.abc import Collection
from contextlib import closing
from typing import NamedTuple

from .. import git
from ..adr.corpus import DECIDED
from ..adr.examine import Source, adr_id, read
from ..adr.reference import id_key, key_in_path
from ..check.settings import settings_of
from ..check.trees import Revision
from ..contract.claims import claim_key, claimed_in
from ..errors import HelixError, UsageError
from ..git.history import touching
from ..text import listed
from ..verify.base import WorkBase, base_of
from .governing import BindingDecision, Governing, binding_decision, governing


class BaseDecisions(NamedTuple):
    """The decisions of a base that govern some files.

    `base` is its name for users, `commit` its commit, "" before the first commit. `accepted` is the
    number of accepted ADRs. `unread` are the paths of ADRs that can't be read, and `undecided` the
    number of those without a known status: whether they govern a file is unknown.
    """

    base: str
    commit: str
    accepted: int
    unread: tuple[str, ...]
    undecided: int
    governing: tuple[Governing, ...]


def files_below(root: str, paths: Collection[str]) -> list[str]:
    """Return paths of a user as paths from the root.

    Raises:
        UsageError: One of them is not below the root.
    """
    files = git.paths_in(root, paths)
    for file in files:
        if os.path.isabs(file) or file == ".":
            raise UsageError(f"{file} is not below the root of the repository, {root}")
    return files


def decisions_of(root: str, files: Collection[str], revision: str) -> BaseDecisions:
    """Return the accepted decisions of the base that govern some files.

    `files` are paths from the root of the repository. The base is `revision`, else the main branch.

    Raises:
        UsageError: The revision is unknown.
        HelixError: The base has broken settings, or can't be read.
    """
    base = _base(root, revision)
    if base is None:
        return BaseDecisions("HEAD", "", 0, (), 0, ())
    accepted: list[BindingDecision] = []
    unread: list[str] = []
    undecided = 0
    with closing(Revision(root, base.commit)) as tree:
        settings = settings_of(tree)
        for path in sorted(filter(settings.is_adr, tree.paths)):
            doc = tree.document(path)
            if doc.defect:
                unread.append(path)
                continue
            adr = read(Source(doc), settings.ruleset)
            undecided += not adr.status
            if adr.status in DECIDED:
                accepted.append(binding_decision(adr))
    found = governing(accepted, files, _implemented(root, base.commit, accepted, files))
    return BaseDecisions(
        base=base.name,
        commit=base.commit,
        accepted=len(accepted),
        unread=tuple(unread),
        undecided=undecided,
        governing=tuple(found),
    )


def text_of(root: str, asked: str, revision: str) -> str:
    """Return the text of an accepted decision of the base, by its id or its path.

    Raises:
        UsageError: The revision is unknown.
        HelixError: There is not exactly one, or the base can't be read.
    """
    base = _base(root, revision)
    texts: dict[str, str] = {}
    if base:
        with closing(Revision(root, base.commit)) as tree:
            settings = settings_of(tree)
            for path in sorted(filter(settings.is_adr, tree.paths)):
                doc = tree.document(path)
                adr = None if doc.defect else read(Source(doc), settings.ruleset)
                if adr and adr.status in DECIDED and claim_key(asked) in _keys(adr_id(adr), path):
                    texts[path] = doc.data.decode(errors="replace")
    if len(texts) != 1:
        number = f"{len(texts)} accepted ADRs: {listed([*texts])}" if texts else "no accepted ADR"
        raise HelixError(f"{asked} names {number}")
    return next(iter(texts.values()))


def _base(root: str, revision: str) -> WorkBase | None:
    head = git.run(git.HEAD, root, check=False).stdout.decode().strip()
    return base_of(root, revision, head)


def _keys(id: str, path: str) -> set[str]:
    """Return the comparable names of an ADR: its id or number, and its file."""
    return {id_key(id) or key_in_path(path), claim_key(path)}


def _implemented(
    root: str, commit: str, decisions: Collection[BindingDecision], files: Collection[str]
) -> dict[str, set[str]]:
    """Return for the path of an ADR the files among some that commits of the base did for it."""
    by_key = {key: item.path for item in decisions for key in _keys(item.id, item.path)}
    done: dict[str, set[str]] = {}
    for file in files:
        for message in touching(root, commit, file, "^[[:space:]*_-]*Implements"):
            for name in claimed_in(message):
                path = by_key.get(claim_key(name)) or by_key.get(id_key(name))
                if path:
                    done.setdefault(path, set()).add(file)
    return done
