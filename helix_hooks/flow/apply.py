"""The way of an approved run's changes into the user's work tree: all of them, or none.

Each file is merged by itself: the version of the run, that of the base, and that of the user. The
results are written beside the work tree of the run. Only if no file has a conflict are the files of
the user replaced, and an error on the way restores them. What was replaced before a kill is no
conflict later.
"""

import contextlib
import filecmp
import glob
import os
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterable, Mapping
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .. import git, writing
from ..errors import GitError, HelixError, UsageError
from ..text import listed, printable
from ..verify.lock import held
from .place import FILES, FlowPlace, files_of
from .tree import REPOSITORY, ignored_in, is_clean, own_index
from .tree_git import check_out, done, fetch, nul_ended, output, reason

_PRODUCT = ["--", ".", f":(exclude,top){FILES}"]
"""The files of a run without its records."""
_NONE = "000000"
"""The mode of a path without a file."""
_UNCHANGED = "nothing was changed"
_SCRATCH, _BASE, _RUN = "apply-", "base", "after"
"""The beginning of the name of a folder for one call, and two folders in it."""


class Applied(NamedTuple):
    """The files that a run wrote and `deleted` in the user's work tree.

    No gate has seen the content of `unseen`. The user had changed those of `merged` too, so that no
    gate has seen the result. `tree` is the work tree of the run if it stays, `kept_for` the reason.
    """

    paths: tuple[str, ...]
    deleted: tuple[str, ...]
    unseen: tuple[str, ...]
    merged: tuple[str, ...]
    tree: str = ""
    kept_for: str = ""


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
    def are_files(self) -> bool:
        return self.base.is_file and self.run.is_file and self.user.is_file

    @property
    def is_merged(self) -> bool:
        """Return whether the content has to be merged."""
        return self.are_files and self.is_unlike

    @property
    def is_unlike(self) -> bool:
        """Return whether the user has another content than the base and the run."""
        return self.user.id not in (self.base.id, self.run.id)

    @property
    def is_possible(self) -> bool:
        """Return whether the user's file can be replaced, or a merge can be tried."""
        return self.user == self.base or self.are_files

    @property
    def mode(self) -> str:
        """The mode after the merge."""
        return self.user.mode if self.run.mode == self.base.mode else self.run.mode


def apply(
    place: FlowPlace, run: str, base: str, commit: str, approved: Mapping[str, str]
) -> Applied:
    """Bring the changes of a run into the user's work tree. `approved` are hashes by path.

    Raises:
        UsageError: The user's work tree has other content at a changed line, or something else at
            the place of a file. The message names the files.
        HelixError: A file can't be read or written. Then all files are as before, or the message
            says where their content is.
    """
    fetch(place, run, commit)
    versions = _versions(place, base, commit)
    folder = place.made_run_folder(run)
    with ExitStack() as stack:
        lock = os.path.join(place.folder, "apply.lock")
        stack.enter_context(held(lock, 0, "another `flow apply` is still running"))
        for left in glob.glob(os.path.join(glob.escape(folder), f"{_SCRATCH}*")):
            shutil.rmtree(left)  # of a process that was killed
        own = TemporaryDirectory(prefix=_SCRATCH, dir=folder, ignore_cleanup_errors=True)
        scratch = stack.enter_context(own)
        stamps = {path: _stamp(place.root, path) for path in versions}
        changes = _changes(place, run, base, commit, versions, scratch)
        conflicts = [path for path, change in changes.items() if not change.is_possible]
        merged = [path for path, change in changes.items() if change.is_merged]
        conflicts += [path for path in merged if not _merge(place.root, scratch, path)]
        if conflicts:
            shown = listed([printable(path, 200) for path in conflicts])
            raise UsageError(
                f"{_UNCHANGED}: you and the run both changed {shown}; undo your change, or make "
                f"that of the run by hand: git diff {base[:10]} {commit[:10]} -- :/PATH"
            )
        for path in tuple(merged):
            result = os.path.join(scratch, _RUN, path)
            is_same = filecmp.cmp(os.path.join(place.root, path), result, shallow=False)
            if is_same and changes[path].mode == changes[path].user.mode:
                del changes[path]  # it was merged by an earlier call
                merged.remove(path)
        deleted = {path: None for path, change in changes.items() if change.run.mode == _NONE}
        written = [path for path in changes if path not in deleted]
        for path in changes:
            if stamps[path] != _stamp(place.root, path):
                raise UsageError(
                    f"{_UNCHANGED}: {printable(path)} was changed meanwhile; try again"
                )
        for path in written:
            _refuse_other_kind(place.root, path, deleted)
            if changes[path].run.is_file:
                os.chmod(os.path.join(scratch, _RUN, path), int(changes[path].mode[-3:], 8))
        _replace(place.root, written, deleted, scratch)
    unseen = tuple(path for path in changes if path not in approved)
    return Applied(tuple(written), tuple(deleted), unseen, tuple(merged))


def _changes(
    place: FlowPlace,
    run: str,
    base: str,
    commit: str,
    versions: Mapping[str, tuple[_Entry, _Entry]],
    scratch: str,
) -> dict[str, _Change]:
    """Return the changes of a run that the user does not have, and write their files to `scratch`.

    Raises:
        HelixError: git can't read or write a file.
    """
    users = _of_user(place, run, base, versions)
    every = {path: _Change(*pair, users[path]) for path, pair in versions.items()}
    changes = {path: change for path, change in every.items() if not change.is_there}
    written = [path for path, change in changes.items() if change.run.mode != _NONE]
    unlike = [path for path, change in changes.items() if change.user.is_file and change.is_unlike]
    both = [path for path in unlike if changes[path].base.is_file]
    for name, revision, paths in ((_RUN, commit, written), (_BASE, base, both)):
        folder = os.path.join(scratch, name)
        os.mkdir(folder)
        with own_index(place, run) as index:
            output(["read-tree", revision], place.root, index=index)
            checked = check_out(place, index, paths, folder)
            if checked.returncode:
                raise GitError(f"{_UNCHANGED}: git checkout-index failed: {reason(checked)}")
    for path in unlike:
        # A filter may store the same content in another way each time.
        change = changes[path]
        for name, entry in ((_RUN, change.run), (_BASE, change.base)):
            here, there = os.path.join(place.root, path), os.path.join(scratch, name, path)
            if entry.is_file and filecmp.cmp(here, there, shallow=False):
                changes[path] = change._replace(user=change.user._replace(id=entry.id))
    return {path: change for path, change in changes.items() if not change.is_there}


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


def _merge(root: str, scratch: str, path: str) -> bool:
    """Merge the user's changes into the file of the run; return False for a conflict."""
    base, theirs = (os.path.join(scratch, name, path) for name in (_BASE, _RUN))
    merging = done(["merge-file", "-p", os.path.join(root, path), base, theirs], root)
    if merging.returncode:
        return False
    writing.replace(theirs, merging.stdout)
    return True


def _refuse_other_kind(root: str, path: str, deleted: Collection[str]) -> None:
    """Refuse to write a file where the user has a folder, or below something else.

    What the run has deleted does not count. Raises UsageError.
    """
    place = os.path.join(root, path)
    if os.path.isdir(place) and not os.path.islink(place):
        for folder, folders, names in os.walk(place):
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            below = os.path.relpath(folder, root).replace(os.sep, "/")
            is_left = any(f"{below}/{name}" not in deleted for name in (*names, *links))
            if is_left or not (names or folders):
                raise UsageError(f"{_UNCHANGED}: {printable(path)} is a folder here; move it away")
    parts = path.split("/")[:-1]
    for count in range(1, len(parts) + 1):
        above = "/".join(parts[:count])
        place = os.path.join(root, above)
        is_folder = os.path.isdir(place) and not os.path.islink(place)
        if os.path.lexists(place) and not is_folder and above not in deleted:
            raise UsageError(f"{_UNCHANGED}: {printable(above)} is no folder here; move it away")


def _stamp(root: str, path: str) -> tuple[int, ...]:
    """Return facts of the file system that each change of a file changes; () without a file."""
    try:
        facts = os.lstat(os.path.join(root, path))
    except OSError:
        return ()
    return facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size, facts.st_ino


def _replace(root: str, written: list[str], deleted: Collection[str], scratch: str) -> None:
    """Replace the user's files by those of the run; restore them after an error.

    Raises:
        HelixError: There was an error. The message names the files that could not be restored.
    """
    before, after = os.path.join(scratch, "before"), os.path.join(scratch, _RUN)
    there = {path: None for path in (*deleted, *written) if _is_there(root, path)}
    touched: list[str] = []
    try:
        for path in there:
            copy = os.path.join(before, path)
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy2(os.path.join(root, path), copy, follow_symlinks=False)
        # First, since a folder may take the place of a file, or the other way round.
        for path in deleted:
            touched.append(path)
            _remove(root, path)
        for path in written:
            touched.append(path)
            _put(os.path.join(after, path), os.path.join(root, path))
    except BaseException as error:
        lost = []
        for path in reversed(touched):
            try:
                if path in there:
                    _restore(os.path.join(before, path), os.path.join(root, path))
                else:
                    _remove(root, path)
            except OSError:
                if path in there or os.path.lexists(os.path.join(root, path)):
                    lost.append(path)
        if not lost and not isinstance(error, OSError):
            raise
        # Before the first change, a file of the user could not be copied.
        failed = touched[-1] if touched else str(getattr(error, "filename", ""))
        why = f"{printable(failed, 200)}: {getattr(error, 'strerror', None) or 'interrupted'}"
        if lost:
            shown = listed([printable(path, 200) for path in lost])
            kept = tempfile.mkdtemp(prefix="unrestored-", dir=os.path.dirname(scratch))
            if there:
                shutil.move(before, kept)
            raise HelixError(
                f"{why}; these files could not be restored: {shown}; yours are in {kept}"
            ) from None
        raise HelixError(f"{_UNCHANGED}: {why}") from None


def _restore(copy: str, target: str) -> None:
    """Make a file of the user as it was, unless it still is. Raises OSError."""
    are_files = os.path.isfile(target) and not (os.path.islink(target) or os.path.islink(copy))
    if not (are_files and filecmp.cmp(copy, target, shallow=False)):
        _put(copy, target)
    if not os.path.islink(copy) and os.stat(copy).st_mode != os.stat(target).st_mode:
        shutil.copymode(copy, target)


def _remove(root: str, path: str) -> None:
    """Remove a file, and the folders that it leaves empty, as git does. Raises OSError."""
    place = os.path.join(root, path)
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        os.remove(place)
    above, here = os.path.dirname(place), os.getcwd()
    with contextlib.suppress(OSError):
        while above not in (root, here):
            os.rmdir(above)
            above = os.path.dirname(above)


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


def remove_tree(place: FlowPlace, run: str) -> str:
    """Remove the work tree of a run, but keep the files of its phases beside it.

    Returns the reason if it stays, "" if it is gone.
    """
    tree = place.tree(run)
    reasons = []
    if not is_clean(place, run):
        reasons.append("it has files that are in no commit of the run")
    if ignored := ignored_in(place, run):
        shown = listed([printable(path, 100) for path in ignored])
        reasons.append(f"git ignores {shown}, which is not brought here")
    if reasons:
        return "; ".join(reasons)
    records = files_of(tree, run)
    if os.path.isdir(records):
        shutil.move(records, os.path.join(place.run_folder(run), "phases"))
    if done(["worktree", "remove", "--force", "--force", tree], place.root).returncode:
        # An agent may have damaged it.
        shutil.rmtree(tree, ignore_errors=True)
        done(["worktree", "prune"], place.root)
    return ""
