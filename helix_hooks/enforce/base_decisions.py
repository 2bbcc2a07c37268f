"""Read the accepted ADRs of the base, and the commits that claim to implement them."""

import os
import re
from collections import Counter
from collections.abc import Collection
from contextlib import closing
from typing import NamedTuple

from .. import git
from ..adr.corpus import DECIDED
from ..adr.enforcement import FIELD as ENFORCEMENT
from ..adr.examine import Source, adr_id, read
from ..adr.model import Adr
from ..adr.reference import id_key, key_in_path
from ..check.settings import settings_of
from ..check.trees import Revision, Tree
from ..config.settings import Settings
from ..contract.claims import claim_key, claimed_in
from ..errors import HelixError, UsageError
from ..git.history import files_with, touching
from ..text import listed
from ..verify.base import base_here
from .governing import (
    MOST_WITH_WORD,
    BindingDecision,
    Codebase,
    Governing,
    binding_decision,
    by_relation,
    governing,
    stem,
    telling_words,
    words_of,
)

_MOST_READ = 100_000
"""Characters of a file whose words are compared with those of decisions."""

_MOST_WORDS = 100
"""Words of ADRs that are counted in the files of the base."""


class BaseDecisions(NamedTuple):
    """The decisions of a base that govern some files.

    `base` is its name for users, `commit` its commit, "" before the first commit. `accepted` is the
    number of accepted ADRs. `unread` are the paths of ADRs that can't be read, and `undecided` the
    number of those without a known status: whether they govern a file is unknown. `others` are the
    accepted decisions that name none of the files, the most related by their words first.
    """

    base: str
    commit: str
    accepted: int
    unread: tuple[str, ...]
    undecided: int
    governing: tuple[Governing, ...]
    others: tuple[BindingDecision, ...] = ()


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
    base = base_here(root, revision)
    if base is None:
        return BaseDecisions("HEAD", "", 0, (), 0, ())
    with closing(Revision(root, base.commit)) as tree:
        accepted = accepted_adrs(tree, settings_of(tree))
        decisions = list(map(binding_decision, accepted.adrs))
        codebase = _codebase(tree, decisions, files)
        texts = [*files, *(tree.text(file)[:_MOST_READ] for file in files if tree.has(file))]
    done = _implemented(root, base.commit, decisions, files)
    found = governing(decisions, files, done, codebase)
    governed = {item.decision.path for item in found}
    others = [item for item in decisions if item.path not in governed]
    return BaseDecisions(
        base=base.name,
        commit=base.commit,
        accepted=len(decisions),
        unread=accepted.unread,
        undecided=accepted.undecided,
        governing=tuple(found),
        others=tuple(by_relation(others, words_of(" ".join(texts)))),
    )


class AcceptedAdrs(NamedTuple):
    """The accepted ADRs of a tree, the paths of those that can't be read, and the number of those
    without a known status.
    """

    adrs: tuple[Adr, ...]
    unread: tuple[str, ...]
    undecided: int


def accepted_adrs(tree: Tree, settings: Settings, signs: Collection[bytes] = ()) -> AcceptedAdrs:
    """Read the accepted ADRs of a tree in the order of their paths.

    With `signs`, in lowercase, those without any of them are left out.
    """
    adrs: list[Adr] = []
    unread: list[str] = []
    undecided = 0
    for path in sorted(filter(settings.is_adr, tree.paths)):
        content = tree.content(path).lower() if signs else b""
        if signs and not any(sign in content for sign in signs):
            continue
        doc = tree.document(path)
        if doc.defect:
            unread.append(path)
            continue
        adr = read(Source(doc), settings.ruleset)
        may_have_rules = ENFORCEMENT in (doc.front or "").casefold()
        if adr.header.defects and (may_have_rules or not adr.status):
            unread.append(path)
        else:
            undecided += not adr.status
        if adr.status in DECIDED:
            adrs.append(adr)
    return AcceptedAdrs(tuple(adrs), tuple(unread), undecided)


def _codebase(
    tree: Revision, decisions: Collection[BindingDecision], files: Collection[str]
) -> Codebase:
    """Return how many files have a name, and which words of ADRs stand in files, and in few."""
    telling = set().union(*map(telling_words, decisions))
    inside = {
        file: telling.intersection(re.findall(r"[\w-]+", tree.text(file)))
        for file in files
        if tree.has(file)
    }
    words = sorted(set().union(*inside.values()))[:_MOST_WORDS]
    numbers = Counter(files_with(tree.root, tree.name, words)) if words else Counter()
    rare = {word for word in words if numbers[word] <= MOST_WITH_WORD}
    stems = Counter(map(stem, tree.paths))
    return Codebase(stems, {file: frozenset(found & rare) for file, found in inside.items()})


def text_of(root: str, asked: str, revision: str) -> str:
    """Return the text of an accepted decision of the base, by its id or its path.

    Raises:
        UsageError: The revision is unknown.
        HelixError: There is not exactly one, or the base can't be read.
    """
    base = base_here(root, revision)
    texts: dict[str, str] = {}
    if base:
        with closing(Revision(root, base.commit)) as tree:
            texts = {
                adr.doc.path: adr.doc.data.decode(errors="replace")
                for adr in accepted_adrs(tree, settings_of(tree)).adrs
                if claim_key(asked) in _keys(adr_id(adr), adr.doc.path)
            }
    if len(texts) != 1:
        number = f"{len(texts)} accepted ADRs: {listed([*texts])}" if texts else "no accepted ADR"
        raise HelixError(f"{asked} names {number}")
    return next(iter(texts.values()))


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
