"""The way of an approved run's changes into the user's work tree: all of them, or none.

Each file is merged by itself: the version of the run, that of the base, and that of the user. The
results are written beside the work tree of the run. Only if no file has a conflict are the files of
the user replaced, and an error on the way restores them. What was replaced before a kill is no
conflict later.
"""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from .. import git, writing
from ..errors import HelixError, UsageError
from ..text import listed, printable
from .place import FILES, FlowPlace, files_of
from .tree import REPOSITORY, ignored_in, is_clean, own_index
from .tree_git import done, fetch, nul_ended, output

_PRODUCT = ["--", ".", f":(exclude,top){FILES}"]
"""The files of a run without its records."""
_NONE = "000000"
"""The mode of a path without a file."""
_UNCHANGED = "nothing was changed"


class Applied(NamedTuple):
    """The files that a run wrote and `deleted` in the user's work tree.

    No gate has seen the content of `unseen`. The user had changed those of `merged` too, so that no
    gate has seen the result. `tree` is the work tree of the run if it stays: it has files that are
    in no commit, or that git ignores (`ignored`).
    """

    paths: tuple[str, ...]
    deleted: tuple[str, ...]
    unseen: tuple[str, ...]
    merged: tuple[str, ...]
    tree: str = ""
    ignored: tuple[str, ...] = ()


class _Entry(NamedTuple):
    """A file as git knows it."""

    mode: str = _NONE
    id: str = ""

    @property
    def is_file(self) -> bool:
        return self.mode.startswith("100")


class _Change(NamedTuple):
    """A path with its versions in the base, in the run, and in the user's work tree."""

    base: _Entry
    run: _Entry
    user: _Entry

    @property
    def is_there(self) -> bool:
        return self.user == self.run

    @property
    def is_merged(self) -> bool:
        """Return whether the content has to be merged."""
        are_files = self.base.is_file and self.run.is_file and self.user.is_file
        return are_files and self.user.id not in (self.base.id, self.run.id)

    @property
    def is_possible(self) -> bool:
        are_files = self.base.is_file and self.run.is_file and self.user.is_file
        return self.user == self.base or are_files

    @property
    def mode(self) -> str:
        """The mode after the merge."""
        return self.user.mode if self.run.mode == self.base.mode else self.run.mode


def apply(
    place: FlowPlace, run: str, base: str, commit: str, approved: Mapping[str, str]
) -> Applied:
    """Bring the changes of a run into the user's work tree. `approved` are hashes by path.

    Raises:
        UsageError: The user's work tree has other content at a changed line, or has all changes
            already. The message names the files.
        HelixError: A file can't be read or written. Then all files are as before.
    """
    fetch(place, run, commit)
    versions = _versions(place, base, commit)
    if not versions:
        return Applied((), (), (), ())
    users = _of_user(place, run, base, versions)
    every = {path: _Change(*pair, users[path]) for path, pair in versions.items()}
    changes = {path: change for path, change in every.items() if not change.is_there}
    if not changes:
        raise UsageError(f"the changes of {run} are in this work tree already")
    deleted = [path for path, change in changes.items() if change.run.mode == _NONE]
    conflicts = [path for path, change in changes.items() if not change.is_possible]
    with tempfile.TemporaryDirectory(dir=place.made_run_folder(run)) as scratch:
        before, after = os.path.join(scratch, "before"), os.path.join(scratch, "after")
        written = [path for path in changes if path not in deleted]
        _check_out(place, run, commit, written, after)
        merged = [path for path, change in changes.items() if change.is_merged]
        if merged:
            _check_out(place, run, base, merged, os.path.join(scratch, "base"))
        conflicts += [path for path in merged if not _merge(place.root, scratch, path)]
        _refuse_conflicts(commit, conflicts)
        for path in written:
            _refuse_other_kind(place.root, path, deleted)
            if changes[path].run.is_file:
                os.chmod(os.path.join(after, path), int(changes[path].mode[-3:], 8))
        _replace(place.root, tuple(changes), before, after)
    unseen = tuple(path for path in changes if path not in approved)
    return Applied(tuple(written), tuple(deleted), unseen, tuple(merged))


def _versions(place: FlowPlace, base: str, commit: str) -> dict[str, tuple[_Entry, _Entry]]:
    """Return the paths that a run changed, with both entries. Raises UsageError."""
    listing = ["diff-tree", "-r", "-z", "--no-renames", "--full-index", base, commit, *_PRODUCT]
    fields = git.names(output(listing, place.root))
    versions = {}
    for facts, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, mode, old_id, id, _ = facts.removeprefix(":").split(" ")
        if REPOSITORY in (old_mode, mode):
            raise UsageError(f"{_UNCHANGED}: the run changed the submodule {printable(path)}")
        versions[path] = _entry(old_mode, old_id), _entry(mode, id)
    return versions


def _entry(mode: str, id: str) -> _Entry:
    """Return an entry. git prints zeros as the id of a path without a file."""
    return _Entry() if mode == _NONE else _Entry(mode, id)


def _of_user(place: FlowPlace, run: str, base: str, paths: Iterable[str]) -> dict[str, _Entry]:
    """Return the user's files as git would store them now. Raises UsageError."""
    entries = dict.fromkeys(paths, _Entry())
    there = [path for path in entries if _is_there(place.root, path)]
    with own_index(place, run) as index:
        output(["read-tree", base], place.root, index=index)
        update = ["update-index", "--add", "--replace", "-z", "--stdin"]
        output(update, place.root, index=index, stdin=nul_ended(there))
        listing = output(["ls-files", "--stage", "-z"], place.root, index=index)
    staged = (record.partition("\t") for record in git.names(listing))
    facts = {path: line.split(" ") for line, _, path in staged}
    return entries | {path: _Entry(facts[path][0], facts[path][1]) for path in there}


def _is_there(root: str, path: str) -> bool:
    """Return whether the user has a file or a link at a path. Raises UsageError."""
    place = os.path.join(root, path)
    above = os.path.dirname(place)
    if os.path.realpath(above) != os.path.normpath(above):
        return False  # it is in another folder, behind a link
    try:
        mode = os.lstat(place).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode) or stat.S_ISDIR(mode)):
        raise UsageError(f"{_UNCHANGED}: {printable(path)} is no regular file here; move it away")
    return not stat.S_ISDIR(mode)


def _check_out(place: FlowPlace, run: str, commit: str, paths: Iterable[str], to: str) -> None:
    """Write files of a commit to a folder, as git writes them to a work tree. Raises GitError."""
    with own_index(place, run) as index:
        output(["read-tree", commit], place.root, index=index)
        command = ["checkout-index", "-z", "--stdin", f"--prefix={to}/"]
        output(command, place.root, index=index, stdin=nul_ended(paths))


def _merge(root: str, scratch: str, path: str) -> bool:
    """Merge the user's changes into the file of the run; return False for a conflict."""
    base, theirs = (os.path.join(scratch, name, path) for name in ("base", "after"))
    merging = done(["merge-file", "-p", os.path.join(root, path), base, theirs], root)
    if merging.returncode:
        return False
    writing.replace(theirs, merging.stdout)
    return True


def _refuse_conflicts(commit: str, conflicts: list[str]) -> None:
    """Raise UsageError for files that the user and the run have changed at the same place."""
    if conflicts:
        shown = listed([printable(path, 200) for path in conflicts])
        raise UsageError(
            f"{_UNCHANGED}: you and the run changed the same place of {shown}; undo your change, "
            f"or take the version of the run: git checkout {commit[:10]} -- PATH"
        )


def _refuse_other_kind(root: str, path: str, deleted: Collection[str]) -> None:
    """Refuse to write a file where the user has a folder, or below something else.

    What the run has deleted does not count. Raises UsageError.
    """
    place = os.path.join(root, path)
    if os.path.isdir(place) and not os.path.islink(place):
        for folder, _, names in os.walk(place):
            below = os.path.relpath(folder, root).replace(os.sep, "/")
            if any(f"{below}/{name}" not in deleted for name in names):
                raise UsageError(f"{_UNCHANGED}: {printable(path)} is a folder here; move it away")
    parts = path.split("/")[:-1]
    for count in range(1, len(parts) + 1):
        above = "/".join(parts[:count])
        place = os.path.join(root, above)
        is_folder = os.path.isdir(place) and not os.path.islink(place)
        if os.path.lexists(place) and not is_folder and above not in deleted:
            raise UsageError(f"{_UNCHANGED}: {printable(above)} is no folder here; move it away")


def _replace(root: str, paths: tuple[str, ...], before: str, after: str) -> None:
    """Replace files by those in `after`; restore all after an error. Raises HelixError."""
    there = [path for path in paths if _is_there(root, path)]
    try:
        _put_all(root, before, there)
        try:
            _put_all(after, root, paths)
        except OSError:
            with contextlib.suppress(OSError):
                _put_all(before, root, paths)
            raise
    except OSError as error:
        name = os.path.relpath(os.fsdecode(error.filename or root), root)
        raise HelixError(f"{_UNCHANGED}: {printable(name)}: {error.strerror}") from None


def _put_all(source: str, root: str, paths: Collection[str]) -> None:
    """Make files as they are in another folder. Raises OSError."""
    gone = [path for path in paths if not _is_there(source, path)]
    for path in gone:  # first, since a folder may take the place of a file, or the other way round
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.remove(os.path.join(root, path))
        with contextlib.suppress(OSError):
            os.removedirs(os.path.dirname(os.path.join(root, path)))
    for path in paths:
        if path not in gone:
            _put(os.path.join(source, path), os.path.join(root, path))


def _put(source: str, target: str) -> None:
    """Make a file as it is elsewhere. Raises OSError."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(source) or os.path.islink(target):
        with contextlib.suppress(FileNotFoundError):
            os.remove(target)
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
        return
    with open(source, "rb") as file:
        writing.replace(target, file.read())
    mode = os.stat(target).st_mode & 0o666
    is_executable = os.stat(source).st_mode & 0o100
    # As git does: a program may be run by all who may read it.
    os.chmod(target, mode | (mode & 0o444) >> 2 if is_executable else mode)


def remove_tree(place: FlowPlace, run: str) -> tuple[str, ...] | None:
    """Remove the work tree of a run, but keep the files of its phases beside it.

    Returns None if it is gone. A tree with files that are in no commit stays: they were written
    after the last task, or git ignores those that are returned.
    """
    tree = place.tree(run)
    ignored = ignored_in(place, run)
    if ignored or not is_clean(place, run):
        return ignored
    records = files_of(tree, run)
    if os.path.isdir(records):
        shutil.move(records, os.path.join(place.run_folder(run), "phases"))
    if done(["worktree", "remove", "--force", "--force", tree], place.root).returncode:
        # An agent may have damaged it.
        shutil.rmtree(tree, ignore_errors=True)
        done(["worktree", "prune"], place.root)
    return None
