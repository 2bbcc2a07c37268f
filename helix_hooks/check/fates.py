"""The history of missing files that ADRs mention: moved, deleted, or never there."""

from collections.abc import Iterable, Iterator

from ..adr.check_report import Skipped
from ..adr.corpus import Entry, PathHistory
from ..git import history
from .trees import Revision

_RULE = "referenced-file-missing"
_NO_REPOSITORY = "this is not a git repository, so the history is unknown"
_SHALLOW = (
    "this clone is shallow, so the history is unknown; fetch the whole history (fetch-depth: 0)"
)


def fates_of(
    lost: list[str], entries: list[Entry], repository: str | None, *, staged: bool, commit: str
) -> tuple[dict[str, PathHistory], list[Skipped]]:
    """Return the history of each missing file, and the ADRs for which it is unknown.

    `commit` is checked instead of the index; "" for the index or the work tree.
    """
    if not repository:
        return {}, _skipped(entries, _NO_REPOSITORY)
    if history.is_shallow(repository):
        return {}, _skipped(entries, _SHALLOW)
    return _from_history(repository, lost, staged=staged, commit=commit), []


def _skipped(entries: list[Entry], reason: str) -> list[Skipped]:
    return [Skipped(_RULE, item.path, reason) for item in entries if item.lost]


def _from_history(
    root: str, lost: list[str], *, staged: bool, commit: str
) -> dict[str, PathHistory]:
    """Return the history of each path, without ignored paths and those in submodules."""
    inside = history.in_submodules(root, lost)
    paths = [path for path in lost if path not in inside]
    at_head = _with_folders(Revision(root, "HEAD").entries)
    fates = dict.fromkeys(paths, PathHistory("never"))
    removed = [path for path in paths if path in at_head]
    fates |= _removed_now(root, removed, staged=staged, commit=commit)
    fates |= _removed_earlier(root, [path for path in paths if path not in at_head])
    return _without_ignored(root, fates)


def _without_ignored(root: str, fates: dict[str, PathHistory]) -> dict[str, PathHistory]:
    """Return the fates without paths that git ignores, which no commit ever has."""
    never = [path for path, fate in fates.items() if fate.kind == "never"]
    if not never:
        return fates
    ignored = history.ignored(root, never)
    return {path: fate for path, fate in fates.items() if path not in ignored}


def _with_folders(paths: Iterable[str]) -> set[str]:
    """Return paths, and all folders above them."""
    all_paths: set[str] = set()
    for path in paths:
        all_paths.update(_above(path))
    return all_paths


def _above(path: str) -> Iterator[str]:
    """Yield a path and the folders above it."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _removed_now(
    root: str, paths: list[str], *, staged: bool, commit: str
) -> dict[str, PathHistory]:
    """Return the fate of each path that the last commit has."""
    if not paths:
        return {}
    changes = history.changes(root, "HEAD", staged, other=commit)
    new_paths = {change.old: change.path for change in changes if change.status == "R"}
    fates: dict[str, PathHistory] = {}
    for path in paths:
        if path in new_paths:
            fates[path] = PathHistory("moved", new_paths[path], recent=True)
        else:
            fates[path] = PathHistory("gone", "this change", recent=True)
    return fates


def _removed_earlier(root: str, paths: list[str]) -> dict[str, PathHistory]:
    """Return the fate of each path that the last commit lacks."""
    by_path: dict[str, history.Deleted] = {}
    by_folder: dict[str, history.Deleted] = {}
    # From the oldest to the newest, so that the newest deletion of a path counts.
    for deleted in reversed(history.deleted(root, paths)):
        by_path[deleted.path] = deleted
    for deleted in reversed(by_path.values()):
        by_folder.update(dict.fromkeys(_above(deleted.path), deleted))
    return {path: _fate(path, by_path.get(path) or by_folder.get(path)) for path in paths}


def _fate(path: str, deleted: history.Deleted | None) -> PathHistory:
    """Return the fate of a path from the deletion of its file, or of a file below it."""
    if not deleted:
        return PathHistory("never")
    if deleted.moved_to and deleted.path == path:
        return PathHistory("moved", deleted.moved_to)
    return PathHistory("gone", deleted.commit)
