"""The history of a repository: commits, merge bases, changed paths, and deleted or moved files."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..errors import GitError
from . import batches, names, run, since_commit

_COMMITS = 50
"""Maximum number of commits in which renames are searched, the latest first."""


def commit(root: str, revision: str) -> str:
    """Return the commit of a revision; "" if there is none."""
    done = run(resolve(revision), root, check=False)
    return done.stdout.decode().strip()


def resolve(revision: str) -> list[str]:
    """Return the command that asks git for the commit of a revision."""
    return ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]


def refs(root: str, name: str) -> list[str]:
    """Return the tags and branches that a short name may mean.

    One is safe. Of two, git may take the one that an attacker has pushed.
    """
    existing = {line.strip("\n") for line in names(run(named(name), root, check=False).stdout)}
    return [ref for ref in _full_names(name) if ref in existing]


def named(name: str) -> list[str]:
    """Return the command that asks git for the tags and branches of a short name."""
    return ["for-each-ref", "--format=%(refname)%00", *_full_names(name)]


def _full_names(name: str) -> list[str]:
    return [f"refs/{kind}/{name}" for kind in ("tags", "heads", "remotes")]


def merge_base(root: str, one: str, other: str) -> str:
    """Return the merge base of two commits; "" if they have none or the history is cut off."""
    output = run(["merge-base", one, other], root, check=False).stdout.decode()
    # A criss-cross merge has several merge bases. The first is the one that git uses.
    return output.strip().split("\n")[0]


def is_shallow(root: str) -> bool:
    """Return whether the history is cut off, as in a checkout of depth 1."""
    place = os.path.join(root, ".git")
    if os.path.isdir(place):
        return os.path.exists(os.path.join(place, "shallow"))
    done = run(["rev-parse", "--is-shallow-repository"], root, check=False)
    return done.stdout.strip() == b"true"


class Changed(NamedTuple):
    """A path that differs from a revision.

    `status` is A, M, D, T or R. `old` is the path before a rename, and otherwise the same path.
    """

    status: str
    path: str
    old: str


def changes(
    root: str,
    base: str,
    staged: bool,
    paths: Iterable[str] = (),
    other: str = "",
    flags: Iterable[str] = (),
) -> list[Changed]:
    """Return the differences of a commit from the work tree, the index or another commit.

    Renamed files have their old path. Empty if there is no such commit. `flags` are those of git.

    Raises:
        GitError: git could not compare, although there is such a commit.
    """
    done = run(since_commit(base, staged, paths, other, flags), root, check=False)
    if done.returncode and commit(root, base):
        raise GitError(f"git could not compare the files with {base}")
    fields = iter(names(done.stdout))
    changed: list[Changed] = []
    for status in fields:
        # A status such as R100 is followed by two paths, all others by one.
        old = next(fields)
        new = next(fields) if status[0] in "RC" else old
        changed.append(Changed(status[0], new, old))
    return changed


def added(root: str, base: str, other: str) -> list[str]:
    """Return the paths that `other` has and `base` lacks."""
    flags = ["--name-only", "-z", "--no-renames", "--diff-filter=A"]
    return names(run(["diff", *flags, base, other], root).stdout)


def differing(root: str, one: str, other: str) -> list[str]:
    """Return the paths that differ between two commits."""
    flags = ["--name-only", "-z", "--no-renames", "--ignore-submodules=none"]
    return names(run(["diff", *flags, one, other], root).stdout)


def ignored(root: str, paths: Iterable[str]) -> set[str]:
    """Return those of some paths that git ignores, such as files that a build writes."""
    questions = "".join(f"{path}\0" for path in paths).encode(errors="surrogateescape")
    command = ["check-ignore", "-z", "--stdin", "--no-index"]
    return set(names(run(command, root, check=False, stdin=questions).stdout))


def in_submodules(root: str, paths: Iterable[str]) -> set[str]:
    """Return those of some paths that are in a submodule, which belongs to another repository."""
    if not os.path.exists(os.path.join(root, ".gitmodules")):
        return set()
    pattern = r"^submodule\..*\.path$"
    command = ["config", "--file", ".gitmodules", "--null", "--get-regexp", pattern]
    done = run(command, root, check=False)
    # Each record is the key, a line end and the value.
    folders = tuple(f"{record.partition(chr(10))[2]}/" for record in names(done.stdout))
    return {path for path in paths if f"{path}/".startswith(folders)}


class Deleted(NamedTuple):
    """A path that a commit deleted, and its new path in that commit ("" if it was not moved)."""

    path: str
    commit: str
    moved_to: str


def deleted(root: str, paths: Iterable[str]) -> list[Deleted]:
    """Return the commits that deleted some paths, or files below them, the latest first.

    Raises:
        GitError: git could not read the history.
    """
    deletions: list[Deleted] = []
    for batch in batches(list(paths)):
        deletions += _deletions(root, batch)
    commits = list(dict.fromkeys(item.commit for item in deletions))
    new_paths: dict[tuple[str, str], str] = {}
    for sha in commits[:_COMMITS]:
        for old, new in _renames(root, sha).items():
            new_paths[sha, old] = new
    return [
        item._replace(moved_to=new_paths.get((item.commit, item.path), "")) for item in deletions
    ]


def _deletions(root: str, paths: list[str]) -> Iterator[Deleted]:
    """Yield the deletions of some paths, without their new paths. Raises GitError."""
    flags = ["--format=%x01%h", "--diff-filter=D", "--no-renames", "--name-only", "-z"]
    done = run(["--literal-pathspecs", "log", *flags, "--", *paths], root, check=False)
    if done.returncode and commit(root, "HEAD"):
        raise GitError("git could not read the history of the files")
    for record in done.stdout.decode(errors="surrogateescape").split("\x01")[1:]:
        sha, _, listed = record.partition("\0")
        for name in listed.split("\0"):
            # git writes a line end between the format and the names.
            if name.strip("\n"):
                yield Deleted(name.lstrip("\n"), sha.strip(), "")


def _renames(root: str, commit: str) -> dict[str, str]:
    """Return the new path of each file that a commit renamed, by the old one."""
    flags = ["-r", "-z", "-M", "-l2000", "--root", "--no-commit-id", "--name-status"]
    fields = iter(names(run(["diff-tree", *flags, "--diff-filter=R", commit], root).stdout))
    renames: dict[str, str] = {}
    for _ in fields:  # the status, followed by both paths
        old = next(fields)
        renames[old] = next(fields)
    return renames
