"""The git work tree of a run, and its commits: the one it starts from, and one after each task.

Commits are made by `commit-tree` with one date for the whole run, so no hook runs, nothing is
signed, and the same files have the same id. The id of the last one is stored with the run, and only
that id counts: a ref could be moved by an agent. The ref `refs/helix/runs/RUN` keeps the commits
from the garbage collection of git. It is no branch, so pushing it starts no workflow.
"""

import contextlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .. import git, writing
from ..errors import GitError, HelixError, UsageError
from ..text import listed, printable
from . import plain, run_files
from .contents import hash_of
from .place import FILES, FlowPlace
from .tree_git import REFS, check_out, done, fetch, in_tree, nul_ended, output, reason

_AUTHOR = "helix-hooks"
_EMAIL = "run@helix-hooks.invalid"
_TRIES, _PAUSE = 4, 0.1
"""Tries to read a tree in which files vanish meanwhile, and seconds between them."""
REPOSITORY = "160000"
"""The mode of an entry that is another repository."""
_OF_ITS_OWN = "is a git repository of its own; remove its folder .git"

SET_UP = "is-set-up"
"""The file beside a work tree that was set up: the paths there that git ignored then, with NUL."""
_LINK, _HEAD, _IDENTITY = "link", "head.json", "identity"
"""Files beside a work tree: a copy of its file `.git`; its last commit; a random text that changes
when all of its files are written again.
"""


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


class Head(NamedTuple):
    """The last commit of a run's work tree, and its number among those of the run.

    It is that of the task with the name `label`, whose commit before is `parent`.
    """

    commit: str = ""
    number: int = 0
    label: str = ""
    parent: str = ""


# The commit from which a run starts.


def base_of(place: FlowPlace, run: str, include: Collection[str], at: int) -> Base:
    """Make the commit from which a run starts, with the tracked changes of the user's work tree.

    Untracked files are only in it if `include` names them, or a folder above. `at` is the date of
    the commit, in seconds since 1970.

    Raises:
        UsageError: A merge has a conflict, or a path of `include` does not exist.
    """
    root = place.root
    conflicts = git.names(output(["ls-files", "--unmerged", "-z"], root))
    if conflicts:
        path = conflicts[0].partition("\t")[2]
        raise UsageError(f"{printable(path, 200)} has a conflict of a merge; resolve it first")
    with own_index(place, run) as index:
        # Starting from the user's own index, git reads only the files that have changed.
        own = os.fsdecode(output(["rev-parse", "--git-path", "index"], root).removesuffix(b"\n"))
        own = os.path.join(root, own)
        if os.path.exists(own):
            shutil.copyfile(own, index)
        output(["add", "--update"], root, index=index)
        tracked = output(["write-tree"], root, index=index).decode().strip()
        if include:
            add = ["--literal-pathspecs", "add", "--force", *_FROM_STDIN]
            added = done(add, root, index=index, stdin=nul_ended(include))
            if added.returncode:
                raise UsageError(f"--include: {reason(added)}")
        tree = output(["write-tree"], root, index=index).decode().strip()
    if embedded := _embedded(_changes(place, tracked, tree)):
        raise UsageError(f"--include: {listed(embedded)} {_OF_ITS_OWN}")
    head = done(git.HEAD, root).stdout.decode().strip()
    before = head or output(["hash-object", "-t", "tree", os.devnull], root).decode().strip()
    diff = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, tree]
    changed = tuple(git.names(output(diff, root)))
    commit = head
    if changed or not head:
        parents = ["-p", head] if head else []
        commit = _commit(place, tree, parents, f"{run}: start", at)
    folders = ["--directory", "--no-empty-directory"]
    others = ["ls-files", "--others", "--exclude-standard", *folders, "-z"]
    left_out = [
        path
        for path in git.names(output(others, root))
        if not any(name.startswith(path) for name in changed)
    ]
    return Base(commit, changed, tuple(left_out))


def continued(place: FlowPlace, run: str, new: Base, earlier: Earlier, at: int) -> str:
    """Return a commit on a base with the files that an earlier run approved.

    A file that the user has changed since then keeps the content of the user.
    """
    try:
        fetch(place, earlier.run, earlier.commit)
    except GitError:
        return new.commit  # then its files are missing, and the first task says so
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
    with own_index(place, run) as index:
        output(["read-tree", new.commit], place.root, index=index)
        update = ["update-index", "-z", "--index-info"]
        output(update, place.root, index=index, stdin=b"".join(taken))
        tree = output(["write-tree"], place.root, index=index).decode().strip()
    return _commit(place, tree, ["-p", new.commit], f"{run}: approved by {earlier.run}", at)


def missing_in(place: FlowPlace, commit: str, paths: Iterable[str]) -> list[str]:
    """Return the paths that a commit does not have."""
    listing = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]
    there = set(git.names(output(listing, place.root)))
    return [path for path in dict.fromkeys(paths) if path not in there]


def keep(place: FlowPlace, run: str, commit: str) -> None:
    """Keep a commit of a run from the garbage collection of git."""
    output(["update-ref", REFS + run, commit], place.root)


def forget(place: FlowPlace, run: str) -> None:
    """Remove what a run that could not start has left."""
    done(["update-ref", "-d", REFS + run], place.root)
    shutil.rmtree(place.run_folder(run), ignore_errors=True)


# The work tree.


def ready(place: FlowPlace, run: str, base: str, commit: str, number: int) -> None:
    """Make the work tree of a run with the files of a commit, the one with a `number` in the run.

    A tree that has this commit, or a later one of the run, stays as it is: after a kill it may have
    files of the interrupted task. A tree with another commit is from before the run went on
    elsewhere, and gets the files of the commit. No other process may use the tree meanwhile.

    Raises:
        GitError: The commit is not in this clone.
        HelixError: The tree is a link.
    """
    folder, tree = place.made_run_folder(run), place.tree(run)
    if os.path.islink(tree):
        raise HelixError(f"{tree} is a symbolic link; remove it")
    # A process that was killed in the middle of `git add` has left it.
    with contextlib.suppress(FileNotFoundError):
        os.remove(os.path.join(folder, "index.lock"))
    link_to = b"gitdir: " + os.fsencode(os.path.dirname(place.folder))
    if not plain.data(os.path.join(folder, _LINK)).startswith(link_to):
        _repair_link(place, run)
    at = head_of(place, run).commit
    is_new = not os.path.isdir(tree) or not (at or os.path.lexists(os.path.join(tree, ".git")))
    if at and not is_new and _is_ancestor(place, commit, at):
        return
    fetch(place, run, commit)
    # Without it, the next process makes the tree again if this one is killed.
    with contextlib.suppress(FileNotFoundError):
        os.remove(os.path.join(folder, _HEAD))
    if is_new or not at:
        for name in ("index", SET_UP):
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(folder, name))
    if is_new:
        # -f: the folder may have been removed without telling git.
        output(["worktree", "add", "-f", "--detach", "--no-checkout", tree, base], place.root)
        output(["read-tree", base], tree)
    if is_new or not at:
        shutil.copyfile(os.path.join(tree, ".git"), os.path.join(folder, _LINK))
    in_tree(place, run, ["read-tree", "--reset", "-u", commit])
    if not is_new:
        in_tree(place, run, ["clean", "-ffdq"])
    writing.replace(os.path.join(folder, _IDENTITY), os.urandom(16).hex().encode())
    _set_head(place, run, Head(commit, number))


def identity_of(place: FlowPlace, run: str) -> str:
    """Return a text that another work tree of the run does not have, "" for no tree."""
    return plain.data(os.path.join(place.run_folder(run), _IDENTITY)).decode(errors="replace")


def head_of(place: FlowPlace, run: str) -> Head:
    """Return the last commit of a work tree, an empty one if there is none."""
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        return Head(**json.loads(plain.data(os.path.join(place.run_folder(run), _HEAD))))
    return Head()


def _repair_link(place: FlowPlace, run: str) -> None:
    """Let a work tree link to the clone again that was moved since."""
    path = os.path.join(place.tree(run), ".git")
    if plain.data(path):
        output(["worktree", "repair"], place.root)
        shutil.copyfile(path, os.path.join(place.run_folder(run), _LINK))


def restore_link(root: str) -> None:
    """Write the file `.git` of a run's work tree again if an agent has removed or replaced it.

    Otherwise a gate would ask another repository, or none.

    Raises:
        HelixError: The tree is a link.
    """
    if os.path.islink(root):
        raise HelixError(f"{root} is a symbolic link; remove it")
    path = os.path.join(root, ".git")
    expected = plain.data(os.path.join(os.path.dirname(root), _LINK))
    is_link = os.path.islink(path)
    if os.path.isdir(path) and not is_link:
        shutil.rmtree(path)
    elif os.path.isfile(path) and not is_link and plain.data(path) == expected:
        return
    elif os.path.lexists(path):
        os.remove(path)
    writing.replace(path, expected)


# The commit of a task.


def committed(
    place: FlowPlace,
    run: str,
    task: str,
    state: str,
    at: int,
    seen: Mapping[str, str],
    approved: Mapping[str, str],
) -> Head:
    """Commit the work tree of a run at the end of a task. One task at a time may do so.

    If the last commit is one of this task, it is replaced, since its `state` was not recorded.
    `seen` are the hashes of the files that its gate has seen, `approved` those of earlier gates.
    They are committed even if git ignores them. A checkout has the same content, except for line
    ends and `$Id$`. The records of the run are committed too, without the logs of commands.

    Raises:
        GitError: git can't read or write a file, or would lose files.
    """
    tree = place.tree(run)
    restore_link(tree)
    last = head_of(place, run)
    _add(place, run)
    files = _written(place, run)
    changes = _changes(place, last.commit, files)
    if embedded := _embedded(changes):
        # Otherwise git would not look into the folders again.
        in_tree(place, run, ["read-tree", last.commit])
        raise GitError(f"{listed(embedded)} {_OF_ITS_OWN}")
    # The last commit has the other approved files. With other attributes a checkout may differ.
    are_all = any(os.path.basename(path) == ".gitattributes" for path in changes)
    hashes = {path: hash for path, hash in approved.items() if are_all or path in changes}
    hashes |= seen
    if differs := _different(place, run, hashes):
        # git ignores them, or they have changed.
        there = [path for path in differs if os.path.lexists(os.path.join(tree, path))]
        add = ["--literal-pathspecs", "add", "--force", *_FROM_STDIN]
        # An agent may have told git to ignore changes of a file in the index.
        in_tree(place, run, ["update-index", "--force-remove", "-z", "--stdin"], nul_ended(there))
        in_tree(place, run, add, nul_ended(there))
        files = _written(place, run)
        _refuse_different(place, run, {path: hashes[path] for path in differs})
    parent = last.parent if task == last.label else last.commit
    commit = _commit(place, files, ["-p", parent], f"{task}: {state}", at)
    keep(place, run, commit)
    head = Head(commit, last.number + 1, task, parent)
    _set_head(place, run, head)
    return head


def is_clean(place: FlowPlace, run: str) -> bool:
    """Return whether all files of a work tree are in its last commit. Raises GitError."""
    last = head_of(place, run).commit
    _add(place, run)
    asked = ["diff-tree", "--quiet", last, _written(place, run)]
    return not done(asked, place.root).returncode


def ignored_in(place: FlowPlace, run: str) -> tuple[str, ...]:
    """Return the files and folders of a work tree that git ignores, without those of its set-up."""
    command = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"]
    records = FILES.split("/", maxsplit=1)[0]
    known = set(git.names(plain.data(os.path.join(place.run_folder(run), SET_UP))))
    listing = git.names(in_tree(place, run, command))
    folders = tuple(path for path in known if path.endswith("/"))
    return tuple(
        path
        for path in listing
        if path not in known and not path.startswith(folders) and path.partition("/")[0] != records
    )


def mark_set_up(place: FlowPlace, run: str) -> None:
    """Remember that a work tree was set up, with what git ignores there."""
    paths = ignored_in(place, run)
    writing.replace(os.path.join(place.run_folder(run), SET_UP), nul_ended(paths))


def _add(place: FlowPlace, run: str) -> None:
    """Add all files to the index. Raises GitError."""
    records = f"{FILES}/{run}"
    without_logs = f":(exclude,glob){records}/**/{run_files.OUTPUT}"
    for left in reversed(range(_TRIES)):
        try:
            in_tree(place, run, ["add", "--all"])
            if os.path.isdir(os.path.join(place.tree(run), records)):
                in_tree(place, run, ["add", "--force", "--", records, without_logs])
        except GitError:
            # A file of another task may vanish while git reads it.
            if not left:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _changes(place: FlowPlace, before: str, after: str) -> dict[str, str]:
    """Return the paths in which two trees differ, with their modes in the second one."""
    listing = output(["diff-tree", "-r", "-z", "--no-renames", before, after], place.root)
    facts = git.names(listing)
    changes = zip(facts[::2], facts[1::2], strict=True)
    return {path: fact.split()[1] for fact, path in changes}


def _embedded(changes: Mapping[str, str]) -> list[str]:
    """Return the new git repositories, of which git would keep only the ids of their commits."""
    return [path for path, mode in changes.items() if mode == REPOSITORY]


def _written(place: FlowPlace, run: str) -> str:
    return in_tree(place, run, ["write-tree"]).decode().strip()


def _different(place: FlowPlace, run: str, hashes: Mapping[str, str]) -> list[str]:
    """Return the paths at which a checkout of the index has other content than that of a SHA-256.

    Line ends and `$Id$` do not count, since a checkout writes them by the attributes of git.
    """
    tree = place.tree(run)
    with tempfile.TemporaryDirectory(dir=place.made_run_folder(run)) as scratch:
        index = os.path.join(place.run_folder(run), "index")
        check_out(place, index, hashes, scratch)
        return [
            path
            for path, hash in hashes.items()
            if hash_of(scratch, path) != hash
            and not (hash_of(tree, path) == hash and _are_similar(scratch, tree, path))
        ]


def _are_similar(one: str, other: str, path: str) -> bool:
    """Return whether a file in two folders differs only in what a checkout writes itself."""
    if not os.path.isfile(os.path.join(one, path)):
        return False
    texts = []
    for folder in (one, other):
        with open(os.path.join(folder, path), "rb") as file:
            texts.append(re.sub(rb"\r(?=\n)|(?<=\$Id):[^$\n]*(?=\$)", b"", file.read()))
    return texts[0] == texts[1]


def _refuse_different(place: FlowPlace, run: str, hashes: Mapping[str, str]) -> None:
    """Refuse files that changed after the gate, or that git changes. Raises GitError."""
    differs = _different(place, run, hashes)
    if changed := [path for path in differs if hash_of(place.tree(run), path) != hashes[path]]:
        raise GitError(f"{listed(changed)} changed after the gate; stop the process that writes it")
    if differs:
        raise GitError(f"a checkout by git would change {listed(differs)}; see its attributes")


def _set_head(place: FlowPlace, run: str, head: Head) -> None:
    path = os.path.join(place.run_folder(run), _HEAD)
    writing.replace(path, json.dumps(head._asdict()).encode())


# Parts.

_FROM_STDIN = ("--pathspec-from-file=-", "--pathspec-file-nul")


@contextlib.contextmanager
def own_index(place: FlowPlace, run: str) -> Iterator[str]:
    """Yield the path of an index for a block, which is removed after it."""
    with tempfile.TemporaryDirectory(dir=place.made_run_folder(run)) as folder:
        yield os.path.join(folder, "index")


def _entries(place: FlowPlace, commit: str, paths: Sequence[str]) -> dict[str, bytes]:
    """Return the entries of paths in a commit, as `git update-index --index-info` reads them."""
    listing = output(["ls-tree", "-r", "-z", "--full-tree", commit], place.root)
    entries = [entry for entry in listing.split(b"\0") if entry]
    by_path = {os.fsdecode(entry.partition(b"\t")[2]): entry + b"\0" for entry in entries}
    return {path: by_path[path] for path in paths if path in by_path}


def _is_ancestor(place: FlowPlace, commit: str, later: str) -> bool:
    asked = ["merge-base", "--is-ancestor", commit, later]
    return commit == later or not done(asked, place.root).returncode


def _commit(place: FlowPlace, tree: str, parents: list[str], message: str, at: int) -> str:
    person = {
        f"GIT_{role}_{key}": text
        for role in ("AUTHOR", "COMMITTER")
        for key, text in (("NAME", _AUTHOR), ("EMAIL", _EMAIL), ("DATE", f"{at} +0000"))
    }
    arguments = ["commit-tree", "--no-gpg-sign", tree, *parents]
    ended = done(arguments, place.root, stdin=message.encode(), variables=person)
    if ended.returncode:
        raise GitError(f"git commit-tree failed: {reason(ended)}")
    return ended.stdout.decode().strip()
