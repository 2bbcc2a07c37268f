"""The diff of a branch: its changes since the merge base, and what the other branch has since.

Without a network: a remote-tracking branch is compared as it was last fetched.
"""

from typing import NamedTuple

from .. import git
from ..adr.reference import key_in_path
from ..errors import HelixError, UsageError
from ..git import history
from ..git.history import Changed
from ..paths import READ_FIRST, is_markdown
from ..text import listed
from ..verdict.injection.signs import ours
from .settings import readable_settings
from .trees import GitTree, Revision

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
    if not history.is_named(root, "HEAD"):
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
    """Return the diff of the index, or the reason why there is none, and notices for the user.

    It is the difference from the merge base with a revision. Raises UsageError for an unknown one.
    """
    other = named_commit(root, "--since", revision)
    head = history.commit(root, "HEAD")
    merge_base = history.merge_base(root, other, head) if head else ""
    try:
        base = required_base(root, revision, merge_base)
    except NoBaseError as error:
        return None, str(error), ()
    tree, tip = Revision(root, base, index), Revision(root, other, index)
    changes = history.changes(root, base, staged=True)
    notice = behind(root, "--since", revision)
    diff = branch_diff(root, (base, tree), (other, tip), changes)
    return diff, "", (notice,) if notice else ()


def branch_diff(
    root: str, base: tuple[str, GitTree], tip: tuple[str, GitTree], changes: list[Changed]
) -> BranchDiff:
    """Return the diff from the merge base `base`; `tip` is the present state of the other branch.

    Each is a commit with its tree.
    """
    renamed = {item.path: item.old for item in changes if item.status == "R"}
    renamed |= _renumbered(changes, renamed)
    taken: dict[str, list[str]] = {}
    for path in history.added(root, base[0], tip[0]) if base[0] != tip[0] else ():
        key = key_in_path(path) if is_markdown(path) else ""
        if key:
            taken.setdefault(key, []).append(path)
    return BranchDiff(base[1], tip[1], tuple(changes), renamed, taken)


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


_LOCAL = "refs/heads/"


def behind(root: str, flag: str, revision: str) -> str:
    """Return a warning about a base whose upstream has other settings; "" if there is none.

    `flag` is the option that named the base. The upstream of a branch is the one of its settings,
    else the branch of the same name at `origin`.
    """
    flags = ["--verify", "--quiet", "--symbolic-full-name", "--end-of-options"]
    done = git.run(["rev-parse", *flags, revision], root, check=False)
    branch = done.stdout.decode().strip()
    if not branch.startswith(_LOCAL):
        return ""
    done = git.run(["for-each-ref", "--format=%(upstream)", branch], root)
    upstream = done.stdout.decode().strip() or branch.replace(_LOCAL, "refs/remotes/origin/", 1)
    paths = _newer(root, branch, upstream)
    if not paths:
        return ""
    short = branch.removeprefix(_LOCAL)
    other = upstream.removeprefix("refs/remotes/").removeprefix(_LOCAL)
    return (
        f"warning: {short} is behind {other}, which has other settings ({listed(paths)}); "
        f"use {flag} {other}, or bring {short} up to date"
    )


def _newer(root: str, branch: str, upstream: str) -> list[str]:
    """Return the settings files that only the upstream has changed since the merge base."""
    latest = history.commit(root, upstream)
    fork = history.merge_base(root, branch, upstream) if latest else ""
    if not fork or fork == latest:
        return []
    folders: list[str] = []
    for name in (branch, upstream):
        revision = Revision(root, name)
        settings = readable_settings(revision)
        folders += ours(settings.approvals) if settings else ours()
        revision.close()
    different = history.differing(root, branch, upstream)
    changed = [path for path in history.differing(root, fork, upstream) if path in different]
    return [path for path in changed if path in READ_FIRST or path.startswith((*folders,))]
