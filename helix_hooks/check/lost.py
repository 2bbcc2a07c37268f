"""The history of missing files that ADRs mention: moved, deleted, or never there."""

from ..adr.check_report import Skipped
from ..adr.corpus import Entry, PathHistory
from ..git import history
from .trees import Revision, above

_RULE = "referenced-file-missing"
_NO_REPOSITORY = "this is not a git repository, so the history is unknown"
_SHALLOW = (
    "this clone is shallow, so the history is unknown; fetch the whole history (fetch-depth: 0)"
)


def history_of(
    lost: list[str], entries: list[Entry], root: str | None, *, staged: bool, commit: str
) -> tuple[dict[str, PathHistory], list[Skipped]]:
    """Return the history of each missing file, and the ADRs for which it is unknown.

    `commit` is checked instead of the index; "" for the index or the work tree. Files in submodules
    are left out, and those that git ignores, which no commit ever has.
    """
    reason = ""
    if not root:
        reason = _NO_REPOSITORY
    elif history.is_shallow(root):
        reason = _SHALLOW
    if not root or reason:
        return {}, [Skipped(_RULE, item.path, reason) for item in entries if item.lost]
    inside = history.in_submodules(root, lost)
    paths = [path for path in lost if path not in inside]
    head = Revision(root, "HEAD")
    at_head = [path for path in paths if head.look(path)[0]]
    head.close()
    changes = history.changes(root, "HEAD", staged, other=commit) if at_head else []
    new_paths = {change.old: change.path for change in changes if change.status == "R"}
    histories = dict.fromkeys(at_head, PathHistory("gone", "this change", recent=True))
    for path in new_paths.keys() & histories:
        histories[path] = PathHistory("moved", new_paths[path], recent=True)
    histories |= _removed_earlier(root, [path for path in paths if path not in histories])
    never = [path for path in paths if histories[path].kind == "never"]
    ignored = history.ignored(root, never) if never else ()
    return {path: histories[path] for path in paths if path not in ignored}, []


def _removed_earlier(root: str, paths: list[str]) -> dict[str, PathHistory]:
    """Return the history of paths that the last commit lacks.

    A folder is gone since the newest deletion of a file in it.
    """
    by_path: dict[str, history.Deleted] = {}
    by_folder: dict[str, history.Deleted] = {}
    # From the oldest to the newest, so that the newest deletion of a path counts.
    for deleted in reversed(history.deleted(root, paths)):
        by_path[deleted.path] = deleted
    for deleted in reversed(by_path.values()):
        by_folder.update(dict.fromkeys((deleted.path, *above(deleted.path)), deleted))
    histories = dict.fromkeys(paths, PathHistory("never"))
    for path in paths:
        last = by_path.get(path) or by_folder.get(path)
        if last and last.moved_to and last.path == path:
            histories[path] = PathHistory("moved", last.moved_to)
        elif last:
            histories[path] = PathHistory("gone", last.commit)
    return histories
