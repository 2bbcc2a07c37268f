"""The diff of a branch: its changes since the merge base, and what the other branch has since.

Without a network: a remote-tracking branch is compared as it was last fetched.
"""

from typing import NamedTuple

from .. import git
from ..adr.reference import key_in_path
from ..config.watched import named
from ..errors import HelixError, UsageError
from ..git import history
from ..git.history import Changed
from ..paths import READ_FIRST, is_markdown
from ..verdict.injection.signs import ours
from .settings import readable_settings
from .trees import NOTHING, GitTree, Place, Revision

_FETCH_ALL = "`git fetch --unshallow`, or fetch-depth: 0"


class BranchDiff(NamedTuple):
    """The changed files of a branch, as trees and paths.

    `base` is the tree at the merge base, `tip` the present tree of the other branch. `old_names`
    maps renamed files to their names at the base. `taken` are the Markdown files that the other
    branch has added since the merge base, by the id in their names.
    """

    base: GitTree
    tip: GitTree
    changes: tuple[Changed, ...]
    old_names: dict[str, str]
    taken: dict[str, list[str]]

    @property
    def deleted(self) -> list[Changed]:
        """Return the files that the branch deleted, or renamed to a file that is not an ADR."""
        renamed = set(self.old_names.values())
        deleted = [item for item in self.changes if item.status == "D" and item.path not in renamed]
        for item in self.changes:
            is_moved = item.status == "R" and item.path not in self.old_names
            if is_moved and item.old not in renamed:
                deleted.append(Changed("D", item.old, item.old))
        return deleted


class NoBaseError(HelixError):
    """There is no merge base, so the change could not be checked. Exit code 3."""


def named_commit(root: str, flag: str, revision: str) -> str:
    """Return the commit that a flag names.

    Raises:
        UsageError: The revision is unknown or ambiguous.
    """
    commit = history.commit(root, revision)
    if not commit:
        raise UsageError(f"{flag} {revision}: there is no such revision{_fetch_hint(root)}")
    names = history.refs(root, revision)
    if len(names) > 1:
        choice = " or ".join(names)
        raise UsageError(
            f"{flag} {revision}: this is ambiguous ({choice}); write one of them in full"
        )
    return commit


def _fetch_hint(root: str) -> str:
    if not history.commit(root, "HEAD"):
        return ", and no commit yet"
    if history.is_shallow(root):
        return f"; this clone is shallow, fetch it first ({_FETCH_ALL})"
    return "; fetch it first"


def required_base(root: str, revision: str, base: str) -> str:
    """Return a merge base unless it is ""; `revision` is the user's name for the other side.

    Raises:
        NoBaseError: The merge base is "", since the two share no history.
    """
    if base:
        return base
    if history.is_shallow(root):
        raise NoBaseError(f"this clone is shallow; fetch the whole history ({_FETCH_ALL})")
    raise NoBaseError(f"{revision} and HEAD share no history")


def find_diff(
    root: str, revision: str, index: GitTree
) -> tuple[BranchDiff | None, str, tuple[str, ...]]:
    """Return the diff of the branch, or the reason why there is none, and notices for the user.

    Raises UsageError for an unknown revision.
    """
    try:
        diff = staged_diff(root, revision, index)
    except NoBaseError as error:
        return None, str(error), ()
    notice = behind(root, "--since", revision)
    return diff, "", (notice,) if notice else ()


def staged_diff(root: str, revision: str, index: GitTree) -> BranchDiff:
    """Return the changes of the index since the merge base with a revision.

    Raises UsageError and NoBaseError, as above.
    """
    other = named_commit(root, "--since", revision)
    head = history.commit(root, "HEAD")
    merge_base = ""
    if head:
        merge_base = history.merge_base(root, other, head)
    base = required_base(root, revision, merge_base)
    tree = Revision(root, base, index)
    tip = Revision(root, other, index)
    changes = history.changes(root, base, staged=True)
    changes = through_links(tree, index, changes)
    return branch_diff(root, (base, tree), (other, tip), changes)


def branch_diff(
    root: str, base: tuple[str, GitTree], tip: tuple[str, GitTree], changes: list[Changed]
) -> BranchDiff:
    """Return the diff from the merge base `base`; `tip` is the present state of the other branch.

    Each is a commit with its tree.
    """
    renamed = {item.path: item.old for item in changes if item.status == "R"}
    renamed |= _renumbered(changes, renamed)
    return BranchDiff(base[1], tip[1], tuple(changes), renamed, _taken(root, base[0], tip[0]))


def through_links(base: GitTree, head: GitTree, changes: list[Changed]) -> list[Changed]:
    """Return the changes of contents as seen through symbolic links.

    A name that a link gives to a file has the content of that file.
    """
    names = {**base.names(), **head.names()}
    if not names:
        return changes
    all_changes = [_followed(change, base, head) for change in changes]
    for name in sorted(names.keys() - {change.path for change in all_changes}):
        old, new = base.place(name), head.place(name)
        if (old.kind, base.blob(name)) != (new.kind, head.blob(name)):
            all_changes.append(Changed(_status(old, new), name, name))
    return _renamed(base, head, all_changes)


def _status(old: Place, new: Place) -> str:
    if new.kind == NOTHING:
        return "D"
    if old.kind == NOTHING:
        return "A"
    return "M"


def _renamed(base: GitTree, head: GitTree, changes: list[Changed]) -> list[Changed]:
    """Return the changes, with a rename for each file that got a new name by a link."""
    old_names = _old_link_names(base, head, changes)
    renamed = frozenset(old_names.values())
    result: list[Changed] = []
    for change in changes:
        if change.path in old_names:
            result.append(Changed("R", change.path, old_names[change.path]))
        elif change.status != "D" or change.path not in renamed:
            result.append(change)
    return result


def _old_link_names(base: GitTree, head: GitTree, changes: list[Changed]) -> dict[str, str]:
    """Return the lost name of each file that has a new one, by the new name."""
    lost: dict[str, list[str]] = {}
    for change in changes:
        if change.status == "D" and change.path in base.names():
            lost.setdefault(base.place(change.path).path, []).append(change.path)
    if not lost:
        return {}
    moved = {change.path: change.old for change in changes if change.status == "R"}
    old_names: dict[str, str] = {}
    for change in changes:
        if change.status == "A":
            # The file itself may have been moved by the same change.
            end = head.place(change.path).path
            candidates = lost.get(moved.get(end, end))
            if candidates:
                old_names[change.path] = candidates.pop(0)
    return old_names


def _followed(change: Changed, base: GitTree, head: GitTree) -> Changed:
    """Return a change with links followed.

    A path is not deleted if a link still leads to it, and not added if a link led to it.
    """
    is_still_there = change.status == "D" and head.there(change.path)
    was_there = change.status == "A" and base.there(change.path)
    if is_still_there or was_there:
        return change._replace(status="M")
    return change


def _renumbered(changes: list[Changed], names: dict[str, str]) -> dict[str, str]:
    """Return new files that replace deleted ones of the same number, one for each.

    Git does not see such a rename, since the text is another.
    """
    deleted: dict[str, str] = {}
    for item in changes:
        if item.status == "D" and key_in_path(item.path):
            deleted[key_in_path(item.path)] = item.path
    replaced: dict[str, str] = {}
    for item in changes:
        if item.status == "A" and is_markdown(item.path) and item.path not in names:
            old = deleted.pop(key_in_path(item.path), "")
            if old:
                replaced[item.path] = old
    return replaced


def _taken(root: str, base: str, other: str) -> dict[str, list[str]]:
    """Return the Markdown files that the other branch has added, by the id in their names."""
    taken: dict[str, list[str]] = {}
    if base == other:
        return taken
    for path in history.added(root, base, other):
        key = ""
        if is_markdown(path):
            key = key_in_path(path)
        if key:
            taken.setdefault(key, []).append(path)
    return taken


_LOCAL = "refs/heads/"


def behind(root: str, flag: str, revision: str) -> str:
    """Return a warning about a base whose upstream has other settings; "" if there is none.

    `flag` is the option that named the base.
    """
    branch = _full_name(root, revision)
    upstream = ""
    if branch.startswith(_LOCAL):
        upstream = _upstream(root, branch)
    paths = _newer(root, branch, upstream) if upstream else []
    if not paths:
        return ""
    short = branch.removeprefix(_LOCAL)
    other = upstream.removeprefix("refs/remotes/").removeprefix(_LOCAL)
    return (
        f"warning: {short} is behind {other}, which has other settings ({named(paths)}); "
        f"use {flag} {other}, or bring {short} up to date"
    )


def _full_name(root: str, revision: str) -> str:
    """Return the full name of a branch, as refs/heads/main; "" for a commit."""
    flags = ["--verify", "--quiet", "--symbolic-full-name", "--end-of-options"]
    done = git.run(["rev-parse", *flags, revision], root, check=False)
    return done.stdout.decode().strip()


def _upstream(root: str, branch: str) -> str:
    """Return the upstream of a branch, else the branch of the same name at `origin`.

    It is "" if neither is in this clone.
    """
    done = git.run(["for-each-ref", "--format=%(upstream)", branch], root)
    upstream = done.stdout.decode().strip() or branch.replace(_LOCAL, "refs/remotes/origin/", 1)
    if history.commit(root, upstream):
        return upstream
    return ""


def _newer(root: str, branch: str, upstream: str) -> list[str]:
    """Return the settings files that only the upstream has changed since the merge base."""
    fork = history.merge_base(root, branch, upstream)
    if not fork or fork == history.commit(root, upstream):
        return []
    folders = (*_settings_folders(root, branch), *_settings_folders(root, upstream))
    different = history.differing(root, branch, upstream)
    newer: list[str] = []
    for path in history.differing(root, fork, upstream):
        is_setting = path in READ_FIRST or path.startswith(folders)
        if is_setting and path in different:
            newer.append(path)
    return newer


def _settings_folders(root: str, branch: str) -> tuple[str, ...]:
    """Return the paths of the settings on a branch."""
    revision = Revision(root, branch)
    try:
        settings = readable_settings(revision)
        if settings:
            return ours(settings.approvals)
        return ours()
    finally:
        revision.close()
