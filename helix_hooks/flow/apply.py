"""The way of an approved run's changes into the user's work tree: all of them, or none.

git patches copies of the user's files, beside the work tree of the run. Only if that succeeds are
the files of the user replaced, and an error on the way restores them.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from typing import NamedTuple

from .. import git, writing
from ..errors import HelixError, UsageError
from ..text import listed, printable
from .place import FILES, FlowPlace, files_of
from .tree import is_clean
from .tree_git import done, fetch, output

_PRODUCT = ["--", ".", f":(exclude,top){FILES.split('/', maxsplit=1)[0]}"]
"""The files of a run without its records."""
_LARGEST = 1 << 40
"""Maximum bytes of a file of the base: no limit."""
_DIFF = (
    "diff-tree -r -p --binary --full-index --no-renames --no-ext-diff --no-textconv --no-color "
    "--unified=3 --src-prefix=a/ --dst-prefix=b/"
).split()


class Applied(NamedTuple):
    """The files that a run changed in the user's work tree.

    No gate has seen the content of `unseen`. The user had changed those of `merged` too, so that no
    gate has seen the result. `tree` is the work tree of the run if it has files that are in no
    commit, so that it stays.
    """

    paths: tuple[str, ...]
    unseen: tuple[str, ...]
    merged: tuple[str, ...]
    tree: str = ""


def apply(
    place: FlowPlace, run: str, base: str, commit: str, approved: Mapping[str, str]
) -> Applied:
    """Bring the changes of a run into the user's work tree. `approved` are hashes by path.

    Raises:
        UsageError: The user's work tree has other content at a changed line, or was changed so
            already. The message names the files.
        HelixError: A file can't be read or written. Then all files are as before.
    """
    fetch(place, run, commit)
    names = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", base, commit, *_PRODUCT]
    paths = tuple(git.names(output(names, place.root)))
    if not paths:
        return Applied((), (), ())
    patch = output([*_DIFF, base, commit, *_PRODUCT], place.root)
    with tempfile.TemporaryDirectory(dir=place.made_run_folder(run)) as scratch:
        before, after = os.path.join(scratch, "before"), os.path.join(scratch, "after")
        for folder in (before, after):
            for path in paths:
                _copy(_checked(place.root, path), os.path.join(folder, path))
        merged = _merged(place, base, before, paths)
        _patch(run, commit, after, patch)
        _replace(place.root, paths, before, after)
    unseen = tuple(path for path in paths if path not in approved)
    return Applied(paths, unseen, merged)


def _checked(root: str, path: str) -> str:
    """Return the place of a path that can be replaced. Raises UsageError."""
    place = os.path.join(root, path)
    above = os.path.dirname(place)
    if os.path.isdir(place) and not os.path.islink(place):
        raise UsageError(f"nothing was changed: {printable(path)} is a folder here; move it away")
    while not os.path.isdir(above):
        if os.path.lexists(above):
            raise UsageError(
                f"nothing was changed: {printable(os.path.relpath(above, root))} is no folder "
                "here; move it away"
            )
        above = os.path.dirname(above)
    if os.path.realpath(above) != os.path.normpath(above):
        raise UsageError(
            f"nothing was changed: {printable(path)} is below a symbolic link here; remove the link"
        )
    return place


def _copy(source: str, target: str) -> None:
    """Copy a file or a link; nothing if there is none. Raises OSError."""
    if os.path.lexists(source):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)


def _merged(place: FlowPlace, base: str, copies: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths at which the user's files are not those of the base."""
    found: list[str] = []
    objects = git.Objects(place.root)
    with contextlib.closing(objects):
        for path in paths:
            at_base = objects.ask(f"{base}:{path}", _LARGEST)
            copy = os.path.join(copies, path)
            if os.path.islink(copy):
                here: bytes | None = os.fsencode(os.readlink(copy))
            else:
                here = _data(copy) if os.path.isfile(copy) else None
            if at_base and here is not None and here != at_base[1]:
                found.append(path)
    return tuple(found)


def _data(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _patch(run: str, commit: str, folder: str, patch: bytes) -> None:
    """Change copies of the user's files by a patch. Raises UsageError."""
    os.makedirs(folder, exist_ok=True)
    alone = {"GIT_CEILING_DIRECTORIES": os.path.dirname(folder)}
    options = ["-c", "apply.ignoreWhitespace=no", "apply", "-p1", "--whitespace=nowarn"]
    ended = done([*options, "-"], folder, stdin=patch, variables=alone)
    if not ended.returncode:
        return
    check = [*options, "--check", "--reverse", "-"]
    if not done(check, folder, stdin=patch, variables=alone).returncode:
        raise UsageError(f"the changes of {run} are in this work tree already")
    lines = ended.stderr.decode(errors="replace").splitlines()
    reasons = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    shown = listed([printable(line, 200) for line in reasons or lines])
    raise UsageError(
        f"nothing was changed: {shown}; commit or move your own changes, then try again, or merge: "
        f"git merge {commit[:10]}"
    )


def _replace(root: str, paths: tuple[str, ...], before: str, after: str) -> None:
    """Replace the user's files by patched copies; after an error restore all. Raises HelixError."""
    written: list[str] = []
    try:
        for path in paths:
            written.append(path)
            _put(os.path.join(after, path), os.path.join(root, path))
    except OSError as error:
        for path in written:
            with contextlib.suppress(OSError):
                _put(os.path.join(before, path), os.path.join(root, path))
        raise HelixError(
            f"nothing was changed: {printable(written[-1])}: {error.strerror}"
        ) from None


def _put(source: str, target: str) -> None:
    """Write a file as it is elsewhere, or remove it if it is not there. Raises OSError."""
    if not os.path.lexists(source):
        with contextlib.suppress(FileNotFoundError):
            os.remove(target)
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(source) or os.path.islink(target):
        with contextlib.suppress(FileNotFoundError):
            os.remove(target)
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
        return
    writing.replace(target, _data(source))
    mode = os.stat(target).st_mode & 0o666
    is_executable = os.stat(source).st_mode & 0o100
    # As git does: a program may be run by all who may read it.
    os.chmod(target, mode | (mode & 0o444) >> 2 if is_executable else mode)


def remove_tree(place: FlowPlace, run: str) -> bool:
    """Remove the work tree of a run, but keep the files of its phases beside it.

    A tree with files that are in no commit stays: they were written after the last task.
    Returns whether it is gone.
    """
    tree = place.tree(run)
    if not is_clean(place, run):
        return False
    records = files_of(tree, run)
    if os.path.isdir(records):
        shutil.move(records, os.path.join(place.run_folder(run), "phases"))
    if done(["worktree", "remove", "--force", "--force", tree], place.root).returncode:
        # An agent may have damaged it.
        shutil.rmtree(tree, ignore_errors=True)
        done(["worktree", "prune"], place.root)
    return True
