"""`new --supersedes`: the ADRs that are named, and the texts of both sides of a succession."""

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from .. import git
from ..adr.corpus import DECIDED, OPEN, entry
from ..adr.examine import Source, read
from ..adr.model import Adr, applied
from ..adr.parse.document import AdrDocument, parse
from ..adr.reference import collection, id_key, key_in_path
from ..adr.rules.corpus.supersede_asymmetric import naming
from ..adr.rules.registry import Ruleset
from ..check.work_tree import WorkTree
from ..errors import UsageError
from ..paths import without_suffix

_WITH_WORDS = r"/|\d[-_. ][^\W\d]"
"""An id with a slash, or with words after its number, names one file and not each file of that
number.
"""
_SHOWN = 5
_CHANGES = [
    "--no-optional-locks", "--literal-pathspecs", "status",
    "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=dirty",
]  # fmt: skip


class Rewritten(NamedTuple):
    """An ADR that the new one supersedes: its path, its present text and its next one."""

    path: str
    old: str
    new: str


class Old(NamedTuple):
    """An ADR to supersede, and its text with its own line ends."""

    adr: Adr
    text: str


def superseded_by_ids(
    repository: str | None,
    tree: WorkTree,
    ruleset: Ruleset,
    adrs: Sequence[str],
    home: str,
    ids: Sequence[str],
) -> list[Old]:
    """Return the ADRs with some ids, each once. ADRs in the folder `home` have precedence.

    `repository` is None without git.

    Raises:
        UsageError: An id names no ADR or several, or a file may not be changed.
    """
    by_path = {adr.doc.path: adr for adr in (adr_of(tree.document(path), ruleset) for path in adrs)}
    keys: dict[str, frozenset[str]] = {}
    for path, adr in by_path.items():
        facts, name = entry(adr, "", refers=False), path.rpartition("/")[2]
        keys[path] = frozenset((facts.key, facts.named, path, name, without_suffix(name)))
    paths = dict.fromkeys(_path(id, keys, home) for id in ids)
    return [Old(by_path[path], _text(repository, tree, by_path[path])) for path in paths]


def _path(id: str, keys: dict[str, frozenset[str]], home: str) -> str:
    """Return the path of the one ADR that an id names. Raises UsageError."""
    exact = id.removeprefix("./")
    near = [path for path, names in keys.items() if exact in names]
    if not near and not re.search(_WITH_WORDS, id):
        number = id_key(id)
        near = [path for path, names in keys.items() if number and number in names]
    near = [path for path in near if collection(path) == home] or near
    if len(near) == 1:
        return near[0]
    shown = "".join(char for char in id if char.isprintable())[:80]
    if near:
        several = ", ".join(near[:_SHOWN])
        raise UsageError(f"several ADRs have the id {shown!r}: {several}; name one by its path")
    hint = "give the number, file name or path of one"
    raise UsageError(f"there is no ADR {shown!r}; {hint}")


def _text(repository: str | None, tree: WorkTree, adr: Adr) -> str:
    """Return the text of an ADR. Raises UsageError if it may not be changed."""
    path, root = adr.doc.path, repository or "."
    place = os.path.join(root, path)
    if os.path.realpath(place) != os.path.join(os.path.realpath(root), *path.split("/")):
        raise UsageError(f"{path} is a symbolic link, or is below one; nothing was written")
    if adr.doc.defect:
        raise UsageError(f"{path} can't be read: {adr.doc.defect.message}; nothing was written")
    if repository:
        command = [*git.without_filters(repository), *_CHANGES, "--", path]
        if git.run(command, repository).stdout:
            problem = "has changes that are not committed"
            raise UsageError(f"{path} {problem}; commit or undo them first, nothing was written")
    try:
        return (tree.raw(path) or b"").decode()
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not in UTF-8; convert it first, nothing was written") from None


def succession(
    path: str, text: str, old: Sequence[Old], ruleset: Ruleset
) -> tuple[str, tuple[Rewritten, ...]]:
    """Return the text of a new ADR that is accepted and names old ones, and the changes to these.

    The word for accepted is that of the first old ADR.

    Raises:
        UsageError: An ADR has no status that can change, or the change can't be written.
    """
    new = adr_of(parse(text.encode(), path), ruleset)
    facts, word = entry(old[0].adr, ""), "Accepted"
    if facts.status == "Accepted" and facts.status_text.replace(" ", "").isalpha():
        word = facts.status_text
    for adr, _ in old:
        facts = entry(adr, "")
        if facts.status not in (*DECIDED, *OPEN):
            problem = "it states no status"
            if facts.status_text:
                shown = facts.status_text if facts.status_text.isprintable() else "unknown"
                problem = f"its status is {shown[:80]!r}"
            raise UsageError(f"{adr.doc.path} can't be superseded: {problem}; nothing was written")
    text = _naming(new, text, "supersedes", [item.adr for item in old], word, ruleset)
    changed: list[Rewritten] = []
    for adr, before in old:
        after = _naming(adr, before, "superseded_by", [new], "Superseded", ruleset)
        changed.append(Rewritten(adr.doc.path, before, after))
    return text, tuple(changed)


def _naming(
    adr: Adr, text: str, kind: str, others: Sequence[Adr], word: str, ruleset: Ruleset
) -> str:
    """Return a text with a status that names other ADRs.

    Raises:
        UsageError: The rules do not read them there.
    """
    changed, path = applied(text, naming(adr, text, kind, others, word)), adr.doc.path
    facts = entry(adr_of(parse(changed.encode(), path), ruleset), "")
    paths = [other.doc.path for other in others]
    references = [*facts.of(kind)]
    is_named = all(
        any(item.path == other or item.key == key_in_path(other) != "" for item in references)
        for other in paths
    )
    if not is_named or facts.status != ("Superseded" if kind == "superseded_by" else "Accepted"):
        raise UsageError(
            f"{path}: the status has an unsupported format; nothing was written, write "
            f"`{kind.capitalize().replace('_', ' ')}` and a link to {', '.join(paths)} by hand"
        )
    return changed


def adr_of(document: AdrDocument, ruleset: Ruleset) -> Adr:
    """Return a document as the rules see it."""
    return read(Source(document), ruleset)
