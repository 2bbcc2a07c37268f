"""The fate of missing files that ADRs mention, from the history of the repository."""

from collections.abc import Iterator

from ..adr.check_report import Skipped
from ..adr.corpus import Entry, PathHistory
from ..repository import history
from ..repository.revisions import Revision

_RULE = "referenced-file-missing"
_NO_REPOSITORY = "this is not a git repository, so the history is unknown"
_SHALLOW = (
    "this clone is shallow, so the history is unknown; fetch the whole history (fetch-depth: 0)"
)


def fates_of(
    lost: list[str], entries: list[Entry], repository: str | None, *, staged: bool, commit: str
) -> tuple[dict[str, PathHistory], list[Skipped]]:
    """Return what became of each missing file, and what could not be checked.

    `commit` is checked in the place of the index.
    """
    if not repository:
        return {}, _skipped(entries, _NO_REPOSITORY)
    if history.is_shallow(repository):
        return {}, _skipped(entries, _SHALLOW)
    return _told(repository, lost, staged=staged, commit=commit), []


def _skipped(entries: list[Entry], reason: str) -> list[Skipped]:
    return [Skipped(_RULE, item.path, reason) for item in entries if item.lost]


def _told(root: str, lost: list[str], *, staged: bool, commit: str) -> dict[str, PathHistory]:
    """Return what history says of each path.

    Paths that git ignores, or that lie in a submodule, are left out.
    """
    inside = history.in_submodules(root, lost)
    asked = [path for path in lost if path not in inside]
    there = {folder for path in Revision(root, "HEAD").look_up(asked) for folder in _above(path)}
    is_gone = any(path in there for path in asked)
    changes = history.changes(root, "HEAD", staged, other=commit) if is_gone else []
    now = {change.old: change for change in changes if change.status in "RD"}
    deleted = history.deleted(root, [path for path in asked if path not in there])
    before = {item.path: item for item in reversed(deleted)}
    below = {folder: item for item in reversed(before.values()) for folder in _above(item.path)}
    fates = {
        path: _now(now.get(path)) if path in there else _before(path, before, below)
        for path in asked
    }
    never = [path for path, fate in fates.items() if fate.kind == "never"]
    ignored = history.ignored(root, never) if never else set()
    return {path: fate for path, fate in fates.items() if path not in ignored}


def _above(path: str) -> Iterator[str]:
    """Yield a path and the folders it lies in."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _now(change: history.Changed | None) -> PathHistory:
    """Return what this change does to a path that the last commit has."""
    if change and change.status == "R":
        return PathHistory("moved", change.path, recent=True)
    return PathHistory("gone", "this change", recent=True)


def _before(
    path: str, before: dict[str, history.Deleted], below: dict[str, history.Deleted]
) -> PathHistory:
    """Return what became of a file, else of one that lay in a folder of that name."""
    deleted = before.get(path) or below.get(path)
    if not deleted:
        return PathHistory("never")
    was_moved = deleted.moved_to and deleted.path == path
    return (
        PathHistory("moved", deleted.moved_to) if was_moved else PathHistory("gone", deleted.commit)
    )
