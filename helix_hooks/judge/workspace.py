"""The folder of a judge: a copy of the repository at one commit, and the question.

`repo/` is the working folder, so paths are relative to the repository. `judge/` has rubric, briefs,
skills, known findings and the change. `home/` is a home folder without a user's settings. The copy
has only regular files, and no files that an agent would read as instructions.
"""

import contextlib
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import writing
from ..errors import HelixError
from ..git import snapshot
from ..git.snapshot import Item
from ..proc import find
from .change import MOST_BYTES, is_copied, is_pointer

MOST_FILES = 50_000
"""Maximum files of a copy."""
_PREFIX = "helix-judge-"
_LOCK = "alive"
_HELD: dict[str, int] = {}
"""The open locks of this process, by folder."""


class Workspace(NamedTuple):
    """The folders of one attempt."""

    folder: str

    @property
    def repo(self) -> str:
        return os.path.join(self.folder, "repo")

    @property
    def judge(self) -> str:
        return os.path.join(self.folder, "judge")

    @property
    def home(self) -> str:
        return os.path.join(self.folder, "home")

    @property
    def rubric(self) -> str:
        return os.path.join(self.judge, "rubric.md")

    def remove(self) -> None:
        """Delete the folder, even if a judge changed the permissions in it."""
        if self.folder in _HELD:
            os.close(_HELD.pop(self.folder))
        if os.path.isdir(self.folder) and not os.path.islink(self.folder):
            _open_up(self.folder)
            with contextlib.suppress(RecursionError):
                shutil.rmtree(self.folder, ignore_errors=True)
        # rmtree is recursive, and a judge can nest folders deeper than Python recurses.
        if os.path.lexists(self.folder) and (program := find("rm", os.environ)):
            command = [program, "-rf", "--", self.folder]
            subprocess.run(command, check=False, stderr=subprocess.DEVNULL)


def sweep() -> None:
    """Remove the folders of runs that were killed: those of this user with a lock that is free.

    A folder without a lock file was kept by `--keep-workspace`.
    """
    top = tempfile.gettempdir()
    with contextlib.suppress(OSError):
        for name in os.listdir(top):
            folder = os.path.join(top, name)
            if name.startswith(_PREFIX) and _is_ours(folder) and _is_left(folder):
                Workspace(folder).remove()


def keep(folder: str) -> None:
    """Keep a folder after the end of this process."""
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(folder, _LOCK))


def _is_ours(folder: str) -> bool:
    facts = os.lstat(folder)
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()


def _is_left(folder: str) -> bool:
    """Return whether a folder belongs to a process that has ended."""
    try:
        opened = os.open(os.path.join(folder, _LOCK), os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        return _try_lock(opened)
    finally:
        os.close(opened)


def _try_lock(opened: int) -> bool:
    """Lock an open file, and return False if another process has the lock.

    The lock ends with its process.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock(folder: str) -> None:
    """Mark a folder as used by this process."""
    # Lock the file before the rename: `sweep` of another process must never see it unlocked.
    place = os.path.join(folder, _LOCK)
    opened = os.open(f"{place}.new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    if _try_lock(opened):
        os.rename(f"{place}.new", place)
        _HELD[folder] = opened
    else:
        os.close(opened)
        os.unlink(f"{place}.new")


def _open_up(top: str) -> None:
    """Give the owner all permissions on a folder and the folders below it."""
    # No recursion: thousands of folders may be nested.
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        with contextlib.suppress(OSError):
            os.chmod(folder, stat.S_IRWXU)
            with os.scandir(folder) as items:
                waiting += [item.path for item in items if item.is_dir(follow_symlinks=False)]


def fresh(root: str) -> str:
    """Return a new folder outside of the repository.

    Raises:
        HelixError: The folder for temporary files is inside the repository.
    """
    folder = os.path.realpath(tempfile.mkdtemp(prefix=_PREFIX))
    inside = os.path.realpath(root)
    if os.path.commonpath([folder, inside]) == inside:
        os.rmdir(folder)
        why = "is inside the repository, so its files could influence the judge"
        raise HelixError(f"the folder for temporary files {why}; set TMPDIR to another one")
    _lock(folder)
    return folder


def build(folder: str, root: str, entries: list[Item], texts: dict[str, bytes]) -> Workspace:
    """Write the copy of the `entries` of the repository, and `texts` by their path in `judge/`."""
    work = Workspace(folder)
    for place in (work.repo, work.judge, work.home):
        os.makedirs(place)
    for path, data in texts.items():
        _write(work.judge, path, data)
    _copy(root, [item for item in entries if is_copied(item)], work)
    return work


def _copy(root: str, entries: list[Item], work: Workspace) -> None:
    if len(entries) > MOST_FILES:
        count = f"{len(entries)}, maximum {MOST_FILES}"
        raise HelixError(
            f"too many files for a judge ({count}); list the needed ones in `codebase`"
        )
    for folder in dict.fromkeys(os.path.dirname(item.path) for item in entries):
        os.makedirs(os.path.join(work.repo, folder), exist_ok=True)
    contents = snapshot.contents(root, entries, MOST_BYTES)
    for item, data in zip(entries, contents, strict=True):
        if not is_pointer(data):
            _write(work.repo, item.path, data)


def _write(folder: str, path: str, data: bytes) -> None:
    """Write a new file."""
    place = os.path.join(folder, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    # On macOS and Windows two paths of the repository may differ only in case: keep the first.
    with contextlib.suppress(FileExistsError):
        writing.create(place, data, mode=0o444)


def fingerprint(work: Workspace, files: Iterable[str]) -> dict[str, str]:
    """Return a fingerprint of each input of a judge, by path.

    The question and the files under review are hashed. Other files may be large, so size, inode and
    times are enough for them.
    """
    reviewed = {os.path.join(work.repo, path) for path in files}
    prints = {path: _hash(path) for path in _files_below(work.judge)}
    for path in _files_below(work.repo):
        prints[path] = _hash(path) if path in reviewed else _facts(path)
    return prints


def _files_below(top: str) -> Iterator[str]:
    """Yield the files and links below a folder."""
    for place, folders, names in os.walk(top):
        yield from (os.path.join(place, name) for name in names)
        inner = (os.path.join(place, name) for name in folders)
        yield from (path for path in inner if os.path.islink(path))


def _hash(path: str) -> str:
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return "no file"
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _facts(path: str) -> str:
    facts = os.lstat(path)
    return f"{facts.st_mode} {facts.st_ino} {facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns}"
