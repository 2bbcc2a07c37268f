"""The git work tree of a run: its start, a commit after each task, and the way back.

Commits are made by `commit-tree` with one date for the whole run, so no hook runs, nothing is
signed, and the same files have the same id. The id of the last one is stored with the run, and only
that id counts: a ref could be moved by an agent. The ref `refs/helix/runs/RUN` keeps the commits
from the garbage collection of git. It is no branch, so pushing it starts no workflow.
"""

import os
import shutil
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .. import git, writing
from ..errors import GitError, UsageError
from ..text import printable
from . import plain, run_files
from .place import DATABASE, FILES, FlowPlace, files_of

REFS = "refs/helix/runs/"
_AUTHOR = "helix-hooks"
_EMAIL = "run@helix-hooks.invalid"
_SETTINGS = [
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "gc.auto=0"),
    *("-c", "advice.addEmbeddedRepo=false"),
    *("-c", "core.quotePath=false"),
]
"""Settings with which git runs no hook of the repository and no maintenance."""
_OURS = FILES.split("/", maxsplit=1)[0]
_PRODUCT = ["--", ".", f":(exclude,top){_OURS}"]
"""The files of a run without its records."""
_MOST_NAMES = 10
_TRIES, _PAUSE = 10, 0.1
"""Tries to read a tree in which files vanish meanwhile, and seconds between them."""


class Base(NamedTuple):
    """The commit from which a run starts: HEAD, or a commit on it with the user's changes.

    `changed` are the files in which it differs from HEAD, `left_out` the untracked files and
    folders that it does not have.
    """

    commit: str
    changed: tuple[str, ...]
    left_out: tuple[str, ...]


class Earlier(NamedTuple):
    """An earlier run: the commit from which it started, its last one, and its approved files."""

    run: str
    base: str
    commit: str
    paths: tuple[str, ...]


class Applied(NamedTuple):
    """The files that a run changed in the user's work tree.

    `merged` are those that the user had changed too, so that no gate has seen their content.
    """

    paths: tuple[str, ...]
    merged: tuple[str, ...]


def base_of(place: FlowPlace, run: str, include: Sequence[str], at: int) -> Base:
    """Make the commit from which a run starts, with the tracked changes of the user's work tree.

    Untracked files are only in it if a path of `include` names them. `at` is the date of the
    commit, in seconds since 1970.

    Raises:
        UsageError: A merge has a conflict, or a path of `include` does not exist.
    """
    root = place.root
    folder = place.made_run_folder(run)
    index = os.path.join(folder, "base-index")
    # Starting from the user's own index, git reads only the files that have changed.
    own = os.fsdecode(_git(["rev-parse", "--git-path", "index"], root).removesuffix(b"\n"))
    own = os.path.join(root, own)
    if os.path.exists(own):
        shutil.copyfile(own, index)
    if unmerged := git.names(_git(["ls-files", "--unmerged", "-z"], root)):
        path = unmerged[0].partition("\t")[2]
        raise UsageError(f"{printable(path, 200)} has a conflict of a merge; resolve it first")
    _git(["add", "--update"], root, index)
    if include:
        done = _done(["add", "--force", "--", *include], root, index)
        if done.returncode:
            raise UsageError(f"--include: {_reason(done)}")
    tree = _git(["write-tree"], root, index).decode().strip()
    os.remove(index)
    head = _done(["rev-parse", "--verify", "--quiet", "HEAD"], root).stdout.decode().strip()
    changed: tuple[str, ...] = ()
    commit = head
    if head:
        diff = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", head, tree]
        changed = tuple(git.names(_git(diff, root)))
    if changed or not head:
        parents = ["-p", head] if head else []
        commit = _commit(place, tree, parents, f"{run}: start", at)
    _git(["update-ref", REFS + run, commit], root)
    others = ["ls-files", "--others", "--exclude-standard", "--directory", "-z"]
    left_out = [
        path
        for path in git.names(_git(others, root))
        if not any(name.startswith(path) for name in changed)
    ]
    return Base(commit, changed, tuple(left_out))


def continued(place: FlowPlace, run: str, new: Base, earlier: Earlier, at: int) -> str:
    """Return a commit on a base with the files that an earlier run approved.

    A file that the user has changed since then keeps the content of the user.
    """
    root = place.root
    if not earlier.paths or not _has(place, earlier.commit):
        return new.commit
    now, before, then = (
        _entries(place, commit, earlier.paths)
        for commit in (new.commit, earlier.base, earlier.commit)
    )
    taken = [
        entry
        for path, entry in then.items()
        if now.get(path) == before.get(path) and now.get(path) != entry
    ]
    if not taken:
        return new.commit
    index = os.path.join(place.made_run_folder(run), "base-index")
    _git(["read-tree", new.commit], root, index)
    _git(["update-index", "-z", "--index-info"], root, index, b"".join(taken))
    tree = _git(["write-tree"], root, index).decode().strip()
    os.remove(index)
    commit = _commit(place, tree, ["-p", new.commit], f"{run}: approved by {earlier.run}", at)
    _git(["update-ref", REFS + run, commit], root)
    return commit


def _entries(place: FlowPlace, commit: str, paths: Sequence[str]) -> dict[str, bytes]:
    """Return the entries of paths in a commit, as `git update-index --index-info` reads them."""
    listed = _git(["ls-tree", "-r", "-z", "--full-tree", commit, "--", *paths], place.root)
    entries = [entry for entry in listed.split(b"\0") if entry]
    return {os.fsdecode(entry.partition(b"\t")[2]): entry + b"\0" for entry in entries}


def missing_in(place: FlowPlace, commit: str, paths: Iterable[str]) -> list[str]:
    """Return the paths that a commit does not have."""
    wanted = list(dict.fromkeys(paths))
    names = "".join(f"{commit}:{path}\n" for path in wanted)
    answers = _git(["cat-file", "--batch-check"], place.root, stdin=names.encode())
    lines = answers.decode(errors="replace").splitlines()
    return [path for path, line in zip(wanted, lines, strict=True) if line.endswith(" missing")]


def ready(place: FlowPlace, run: str, base: str, commit: str) -> bool:
    """Make the work tree of a run with the files of a commit; return whether it is a new one.

    A tree that has this commit, or a later one of the run, stays as it is: after a kill it may have
    files of the interrupted task. A tree with another commit is from before the run went on
    elsewhere, and gets the files of the commit.

    Raises:
        GitError: The commit is not in this clone.
    """
    place.made_run_folder(run)
    tree, index = place.tree(run), _index(place, run)
    at = plain.data(_marker(place, run)).decode(errors="replace")
    is_new = not os.path.isdir(tree) or not (at or os.path.lexists(os.path.join(tree, ".git")))
    if at and not is_new and _is_ancestor(place, commit, at):
        return False
    if not _has(place, commit):
        raise GitError(f"this clone does not have the commit {commit[:10]} of {run}")
    if is_new:
        if os.path.lexists(index):
            os.remove(index)
        # -f: the folder may have been removed without telling git.
        worktree = ["worktree", "add", "-f", "--detach", "--no-checkout", tree, base]
        _git(worktree, place.root)
        _git(["read-tree", base], tree)
    if not at:
        shutil.copyfile(os.path.join(tree, ".git"), _link(place, run))
    _in_tree(place, run, ["read-tree", "--reset", "-u", commit])
    if not is_new:
        _in_tree(place, run, ["clean", "-ffdq"])
    writing.replace(_marker(place, run), commit.encode())
    return is_new


def restore_link(place: FlowPlace, run: str) -> None:
    """Write the file `.git` of the work tree again if an agent has removed or replaced it.

    Otherwise a gate would ask another repository, or none.
    """
    path, expected = os.path.join(place.tree(run), ".git"), plain.data(_link(place, run))
    is_link = os.path.islink(path)
    if os.path.isdir(path) and not is_link:
        shutil.rmtree(path)
    elif os.path.isfile(path) and not is_link and plain.data(path) == expected:
        return
    elif os.path.lexists(path):
        os.remove(path)
    writing.replace(path, expected)


def committed(
    place: FlowPlace,
    run: str,
    parent: str,
    message: str,
    at: int,
    paths: Iterable[str],
    *,
    is_alone: bool,
) -> str:
    """Commit the work tree of a run, and return the id of the commit.

    The `paths` that a gate has seen are committed even if git ignores them, and so are the records
    of the run, without the output of commands. Unless the task `is_alone`, files of another task
    may vanish meanwhile.

    Raises:
        GitError: git can't read or write a file.
    """
    tree = place.tree(run)
    for left in reversed(range(1 if is_alone else _TRIES)):
        try:
            _in_tree(place, run, ["add", "--all"])
            break
        except GitError:
            if not left:
                raise
            time.sleep(_PAUSE)
    records = f"{FILES}/{run}"
    there = [path for path in paths if os.path.lexists(os.path.join(tree, path))]
    forced = [f":(top,literal){path}" for path in there]
    if os.path.isdir(os.path.join(tree, records)):
        forced += [f":(top){records}", f":(exclude,glob){records}/**/{run_files.OUTPUT}"]
    if forced:
        add = ["add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"]
        _in_tree(place, run, add, "\0".join(forced).encode())
    files = _in_tree(place, run, ["write-tree"]).decode().strip()
    commit = _commit(place, files, ["-p", parent], message, at)
    _git(["update-ref", REFS + run, commit], place.root)
    writing.replace(_marker(place, run), commit.encode())
    return commit


def apply(place: FlowPlace, run: str, base: str, commit: str) -> Applied:
    """Bring the changes of a run into the user's work tree, all of them or none.

    Raises:
        UsageError: The user's work tree has other content at a changed line, or was changed so
            already. The message names the files.
    """
    names = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", base, commit, *_PRODUCT]
    paths = tuple(git.names(_git(names, place.root)))
    if not paths:
        return Applied((), ())
    options = ["--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv"]
    patch = _git(["diff", *options, base, commit, *_PRODUCT], place.root)
    mine = ["diff", "-z", "--name-only", "--no-renames", "--no-ext-diff", base, "--", *paths]
    merged = tuple(git.names(_git(mine, place.root)))
    how = ["apply", "--whitespace=nowarn", "-"]
    done = _done(how, place.root, stdin=patch)
    if done.returncode:
        if not _done(["apply", "--check", "--reverse", "-"], place.root, stdin=patch).returncode:
            raise UsageError(f"the changes of {run} are in this work tree already")
        lines = done.stderr.decode(errors="replace").splitlines()
        reasons = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
        raise UsageError(
            f"nothing was changed: {_listed(reasons)}; commit or move your own changes, then try "
            f"again, or merge: git merge {commit[:10]}"
        )
    return Applied(paths, merged)


def remove(place: FlowPlace, run: str) -> None:
    """Remove the work tree of a run, but keep the files of its phases beside it."""
    tree = place.tree(run)
    records = files_of(tree, run)
    if os.path.isdir(records):
        shutil.move(records, os.path.join(place.run_folder(run), "phases"))
    _git(["worktree", "remove", "--force", tree], place.root)


def _has(place: FlowPlace, commit: str) -> bool:
    """Return whether this clone has a commit."""
    asked = ["cat-file", "-e", f"{commit}^{{commit}}"]
    return bool(commit) and not _done(asked, place.root).returncode


def _is_ancestor(place: FlowPlace, commit: str, later: str) -> bool:
    asked = ["merge-base", "--is-ancestor", commit, later]
    return commit == later or not _done(asked, place.root).returncode


def _commit(place: FlowPlace, tree: str, parents: list[str], message: str, at: int) -> str:
    person = {
        f"GIT_{role}_{key}": text
        for role in ("AUTHOR", "COMMITTER")
        for key, text in (("NAME", _AUTHOR), ("EMAIL", _EMAIL), ("DATE", f"{at} +0000"))
    }
    arguments = ["commit-tree", "--no-gpg-sign", tree, *parents]
    done = _done(arguments, place.root, stdin=message.encode(), variables=person)
    if done.returncode:
        raise GitError(f"git commit-tree failed: {_reason(done)}")
    return done.stdout.decode().strip()


def _in_tree(place: FlowPlace, run: str, arguments: list[str], stdin: bytes = b"") -> bytes:
    """Run git on the work tree of a run. Raises GitError.

    The repository is named: without its file `.git`, which an agent can remove, git would take the
    repository around the folder.
    """
    tree = place.tree(run)
    done = _done(
        arguments,
        tree,
        _index(place, run),
        stdin,
        {"GIT_DIR": os.path.dirname(place.folder), "GIT_WORK_TREE": tree},
    )
    if done.returncode:
        raise GitError(f"{run}: git {arguments[0]} failed in {tree}: {_reason(done)}")
    return done.stdout


def _git(arguments: list[str], root: str, index: str = "", stdin: bytes = b"") -> bytes:
    """Run git and return its output. Raises GitError."""
    done = _done(arguments, root, index, stdin)
    if done.returncode:
        raise GitError(f"git {arguments[0]} failed: {_reason(done)}")
    return done.stdout


def _done(
    arguments: list[str],
    root: str,
    index: str = "",
    stdin: bytes = b"",
    variables: dict[str, str] | None = None,
) -> git.Done:
    # A filter in the settings of git is a program, which must not learn the database's URL.
    outside = {name: text for name, text in git.environment().items() if name != DATABASE}
    own = {"GIT_INDEX_FILE": index} if index else {}
    return git.run(
        [*_SETTINGS, *arguments],
        root,
        check=False,
        stdin=stdin,
        variables={**outside, **own, **(variables or {})},
    )


def _reason(done: git.Done) -> str:
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return printable(lines[-1], 300) if lines else f"exit code {done.returncode}"


def _listed(texts: Sequence[str]) -> str:
    shown = ", ".join(printable(text, 200) for text in texts[:_MOST_NAMES])
    more = len(texts) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


def _index(place: FlowPlace, run: str) -> str:
    return os.path.join(place.run_folder(run), "index")


def _link(place: FlowPlace, run: str) -> str:
    """Return the copy of the file `.git`."""
    return os.path.join(place.run_folder(run), "link")


def _marker(place: FlowPlace, run: str) -> str:
    """Return the file with the commit that the work tree has or is based on."""
    return os.path.join(place.run_folder(run), "commit")
