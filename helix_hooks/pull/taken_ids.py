"""Find new ADRs of an open pull request whose id another ADR has meanwhile taken on its base.

Each run compares the ids with the base of that time. Later only the sweep can notice that another
pull request with the same id was merged first.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..adr.place import is_adr
from ..adr.reference import collection, key_in_path, stem
from ..decision.handover import MOST_CHANGED, Handover, TakenId
from ..paths import MARKDOWN
from . import fetch
from .access import Access
from .branch_files import ListedBranches
from .contents import text_at

_MOST = 20
"""Maximum number of taken ids of a pull request that are reported."""


class AddedAdr(NamedTuple):
    """An ADR that a pull request may add to a branch: its collection, id and path."""

    branch: str
    collection: str
    key: str
    path: str


def added_adrs(to: Access, record: Handover, paths: ListedBranches) -> list[AddedAdr]:
    """Return the changed ADRs that the base does not have. They may be edited there or new."""
    branch = record.target.base_ref
    adrs = []
    for path in _changed(to, record):
        key = key_in_path(path)
        if key and path not in paths.below(branch, collection(path)):
            adrs.append(AddedAdr(branch, collection(path), key, path))
    return adrs


def _changed(to: Access, record: Handover) -> Iterable[str]:
    """Return the changed ADRs. A record has only the first ones of many."""
    if not record.target.settings:
        return ()
    has_more = len(record.changed) >= MOST_CHANGED or record.files_left_out
    if has_more:
        added = fetch.changed_paths(to.repository, record.target.number).added
        return [path for path in added if is_adr(path)]
    files = [path for path, hash in record.files if hash and is_adr(path)]
    return dict.fromkeys((*(item.path for item in record.changed), *files))


def taken_ids(
    to: Access, record: Handover, adrs: Iterable[AddedAdr], paths: ListedBranches
) -> tuple[TakenId, ...]:
    """Return the ids that other ADRs have taken on the base since the last run.

    An id that the base had before was a matter for the rules of that run. Only a suspicion costs
    requests: one for the changed files, and one for each suspicious file.
    """
    suspicions: list[TakenId] = []
    for adr in adrs:
        suspicions += _with_same_id(adr, paths)
    suspicions = suspicions[:_MOST]
    unknown = [item for item in suspicions if item not in record.taken]
    if unknown:
        unknown = _confirmed(to, record, unknown)
    return tuple(item for item in suspicions if item in (*record.taken, *unknown))


def _confirmed(to: Access, record: Handover, suspicions: list[TakenId]) -> list[TakenId]:
    """Return the ids that this change adds, and that the base did not have at the last run.

    The base may have renamed an edited ADR, and this change may rename or remove the other one.
    """
    changed = fetch.changed_paths(to.repository, record.target.number)
    added = [item for item in suspicions if item.path not in changed.edited]
    added = [item for item in added if item.by not in changed.removed]
    return [item for item in added if text_at(to.repository, item.by, record.target.base) == ""]


def _with_same_id(adr: AddedAdr, paths: ListedBranches) -> list[TakenId]:
    """Return the ADRs on the branch that have the id, except for other versions of the ADR."""
    texts = paths.below(adr.branch, adr.collection) - {adr.path}
    return [
        TakenId(adr.key, adr.path, path, adr.branch)
        for path in sorted(texts)
        if _has_id(path, adr) and stem(path) != stem(adr.path)
    ]


def _has_id(path: str, adr: AddedAdr) -> bool:
    place = (collection(path), key_in_path(path))
    return path.lower().endswith(MARKDOWN) and place == (adr.collection, adr.key)


def shared_ids(adrs: Iterable[tuple[int, AddedAdr]]) -> list[str]:
    """Return a line for each id that several open pull requests add.

    It blocks none of them: the first to be merged keeps the id.
    """
    by_id: dict[tuple[str, str, str], dict[int, None]] = {}
    for number, adr in adrs:
        by_id.setdefault((adr.branch, adr.collection, adr.key), {})[number] = None
    return [
        f"{' and '.join(f'#{number}' for number in numbers)} add the id {key} to {folder or '.'} "
        f"of {branch}; the first to be merged keeps it"
        for (branch, folder, key), numbers in by_id.items()
        if len(numbers) > 1
    ]
