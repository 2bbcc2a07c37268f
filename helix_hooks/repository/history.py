"""The history of a repository: commits, merge bases, changed paths, and deleted or moved files."""

import os
from collections.abc import Iterable
from typing import NamedTuple

from ..errors import GitError
from .git import since_commit
from .runner import batches, names, run

_COMMITS = 50
"""Commits in which renames are looked for; a run asks for those that deleted what its ADRs name,
the latest first.
"""


def commit(root: str, revision: str) -> str:
    """Return the commit that a revision means; "" if there is none."""
    done = run(resolve(revision), root, check=False)
    return done.stdout.decode().strip()


def resolve(revision: str) -> list[str]:
    """Return the command that asks git for the commit of a revision."""
    return ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]


def refs(root: str, name: str) -> list[str]:
    """Return the tags and branches that a short name may mean.

    One is safe. Of two, git may take the one that an attacker has pushed.
    """
    found = {line.strip("\n") for line in names(run(named(name), root, check=False).stdout)}
    return [place for place in _places(name) if place in found]


def named(name: str) -> list[str]:
    """Return the command that asks git for the tags and branches of a short name."""
    return ["for-each-ref", "--format=%(refname)%00", *_places(name)]


def _places(name: str) -> list[str]:
    return [f"refs/{kind}/{name}" for kind in ("tags", "heads", "remotes")]


def merge_base(root: str, one: str, other: str) -> str:
    """Return the merge base of two commits; "" if they have none or the history is cut off."""
    return run(["merge-base", one, other], root, check=False).stdout.decode().strip().split("\n")[0]


def is_shallow(root: str) -> bool:
    """Return whether the history is cut off, as in a checkout of depth 1."""
    place = os.path.join(root, ".git")
    if os.path.isdir(place):
        return os.path.exists(os.path.join(place, "shallow"))
    return (
        run(["rev-parse", "--is-shallow-repository"], root, check=False).stdout.strip() == b"true"
    )


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

    Renamed files carry their old path. Empty if there is no such commit. `flags` are those of git.
    """
    done = run(since_commit(base, staged, paths, other, flags), root, check=False)
    if done.returncode and commit(root, base):
        raise GitError(f"git could not compare the files with {base}")
    fields = iter(names(done.stdout))
    found = []
    for status in fields:
        old = next(fields)
        found.append(Changed(status[0], next(fields) if status[0] in "RC" else old, old))
    return found


def added(root: str, base: str, other: str) -> list[str]:
    """Return the paths that one commit has and another had not."""
    return names(
        run(
            ["diff", "--name-only", "-z", "--no-renames", "--diff-filter=A", base, other], root
        ).stdout
    )


def differing(root: str, one: str, other: str) -> list[str]:
    """Return the paths that differ between two commits."""
    return names(
        run(
            ["diff", "--name-only", "-z", "--no-renames", "--ignore-submodules=none", one, other],
            root,
        ).stdout
    )


def ignored(root: str, paths: Iterable[str]) -> set[str]:
    """Return those of some paths that git ignores, such as files that a build writes."""
    asked = "".join(f"{path}\0" for path in paths).encode(errors="surrogateescape")
    return set(
        names(
            run(
                ["check-ignore", "-z", "--stdin", "--no-index"], root, check=False, stdin=asked
            ).stdout
        )
    )


def in_submodules(root: str, paths: Iterable[str]) -> set[str]:
    """Return those of some paths that lie in a submodule, whose content is another repository's."""
    if not os.path.exists(os.path.join(root, ".gitmodules")):
        return set()
    done = run(
        ["config", "--file", ".gitmodules", "--null", "--get-regexp", r"^submodule\..*\.path$"],
        root,
        check=False,
    )
    folders = [f"{record.partition(chr(10))[2]}/" for record in names(done.stdout)]
    return {path for path in paths if any(f"{path}/".startswith(folder) for folder in folders)}


class Deleted(NamedTuple):
    """A path that some commit deleted, and where it moved to in that commit ("" for nowhere)."""

    path: str
    commit: str
    moved_to: str


def deleted(root: str, paths: Iterable[str]) -> list[Deleted]:
    """Return the latest commit that deleted each of some paths, or something in a folder among
    them.
    """
    found: list[Deleted] = []
    for batch in batches(list(paths)):
        log = [
            "log",
            "--format=%x01%h",
            "--diff-filter=D",
            "--no-renames",
            "--name-only",
            "-z",
            "--",
            *batch,
        ]
        done = run(["--literal-pathspecs", *log], root, check=False)
        if done.returncode and commit(root, "HEAD"):
            raise GitError("git could not read the history of the files")
        for record in done.stdout.decode(errors="surrogateescape").split("\x01")[1:]:
            sha, _, listed = record.partition("\0")
            gone = [name.lstrip("\n") for name in listed.split("\0") if name.strip("\n")]
            found += [Deleted(name, sha.strip(), "") for name in gone]
    moved = {
        sha: _renames(root, sha)
        for sha in list(dict.fromkeys(item.commit for item in found))[:_COMMITS]
    }
    return [item._replace(moved_to=moved.get(item.commit, {}).get(item.path, "")) for item in found]


def _renames(root: str, commit: str) -> dict[str, str]:
    fields = iter(
        names(
            run(
                [
                    "diff-tree",
                    "-r",
                    "-z",
                    "-M",
                    "-l2000",
                    "--root",
                    "--no-commit-id",
                    "--name-status",
                    "--diff-filter=R",
                    commit,
                ],
                root,
            ).stdout
        )
    )
    return {old: next(fields) for status in fields for old in [next(fields)]}
