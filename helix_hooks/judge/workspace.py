"""The folder a judge works in: a copy of the repository at one commit, and beside it what the judge is asked.

`repo/` is the working folder, so that paths are the repository's own; `judge/` holds rubric, briefs, skills, known findings and the change;
`home/` is a home without anybody's settings. The copy has regular files only, and none that an agent would take for instructions.
"""

import contextlib
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable
from typing import NamedTuple

from .. import writing
from ..change.readable import MOST_BYTES, is_copied, is_pointer
from ..errors import HelixError
from ..repository import snapshot
from ..repository.program import found
from ..repository.snapshot import Item

MOST_FILES = 50_000
_PREFIX = "helix-judge-"
_LOCK = "alive"
_HELD: dict[str, int] = {}
"""The open locks of this process, by folder."""


class Workspace(NamedTuple):
    """The places of one run."""

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
        """Delete it, whatever a judge did to the permissions in there."""
        if self.folder in _HELD:
            os.close(_HELD.pop(self.folder))
        if os.path.isdir(self.folder) and not os.path.islink(self.folder):
            _open_up(self.folder)
            with contextlib.suppress(RecursionError):
                shutil.rmtree(self.folder, ignore_errors=True)
        remover = found("rm", os.environ) if os.path.lexists(self.folder) else ""
        if remover:
            subprocess.run([remover, "-rf", "--", self.folder], check=False, stderr=subprocess.DEVNULL)


def sweep() -> None:
    """Remove the folders of runs that were killed: ours, and locked by nobody any more. One without a lock was kept on purpose."""
    top = tempfile.gettempdir()
    with contextlib.suppress(OSError):
        for name in os.listdir(top):
            folder = os.path.join(top, name)
            if name.startswith(_PREFIX) and _is_ours(folder) and _is_left(folder):
                Workspace(folder).remove()


def keep(folder: str) -> None:
    """Let a folder stay, also when this process has ended."""
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(folder, _LOCK))


def _is_ours(folder: str) -> bool:
    facts = os.lstat(folder)
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()


def _is_left(folder: str) -> bool:
    try:
        opened = os.open(os.path.join(folder, _LOCK), os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        return _locked(opened)
    finally:
        os.close(opened)


def _locked(opened: int) -> bool:
    """Take the lock of an open file, which ends with the process that has it; whether nobody else had it."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock(folder: str) -> None:
    """Mark a folder as that of a living run. The lock is taken before the file has its name, so that nobody finds it free."""
    place = os.path.join(folder, _LOCK)
    opened = os.open(f"{place}.new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    if _locked(opened):
        os.rename(f"{place}.new", place)
        _HELD[folder] = opened
    else:
        os.close(opened)
        os.unlink(f"{place}.new")


def _open_up(top: str) -> None:
    """Let the owner into every folder from here down; without recursion, since there may be thousands in each other."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        with contextlib.suppress(OSError):
            os.chmod(folder, stat.S_IRWXU)
            with os.scandir(folder) as items:
                waiting += [item.path for item in items if item.is_dir(follow_symlinks=False)]


def fresh(root: str) -> str:
    """A new folder outside of the repository."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix=_PREFIX))
    inside = os.path.realpath(root)
    if os.path.commonpath([folder, inside]) == inside:
        os.rmdir(folder)
        raise HelixError("the folder for temporary files lies in the repository, where a judge could be told things; set TMPDIR to another one")
    _lock(folder)
    return folder


def build(folder: str, root: str, entries: list[Item], texts: dict[str, bytes]) -> Workspace:
    """Lay out a run: the copy of the repository, which has `entries`, and `texts` by their path in `judge/`."""
    work = Workspace(folder)
    for place in (work.repo, work.judge, work.home):
        os.makedirs(place)
    for path, data in texts.items():
        _write(work.judge, path, data)
    _copy(root, [item for item in entries if is_copied(item)], work)
    return work


def _copy(root: str, wanted: list[Item], work: Workspace) -> None:
    if len(wanted) > MOST_FILES:
        raise HelixError(f"the repository has {len(wanted)} files, and a judge is given {MOST_FILES} at most; name what it needs with `codebase`")
    for folder in dict.fromkeys(os.path.dirname(item.path) for item in wanted):
        os.makedirs(os.path.join(work.repo, folder), exist_ok=True)
    asked = os.path.join(work.folder, "objects")
    for item, data in zip(wanted, snapshot.contents(root, wanted, asked, MOST_BYTES), strict=True):
        if not is_pointer(data):
            _write(work.repo, item.path, data)


def _write(folder: str, path: str, data: bytes) -> None:
    """A new file; on a file system without case, the first of two names that are the same there stays."""
    place = os.path.join(folder, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with contextlib.suppress(FileExistsError):
        writing.create(place, data, mode=0o444)


def fingerprint(work: Workspace, files: Iterable[str]) -> dict[str, str]:
    """What the inputs are: a hash of what the judge is asked and of the files under review, and of the codebase all that betrays a change."""
    asked = {os.path.join(work.repo, path) for path in files}
    found = {}
    for top in (work.judge, work.repo):
        for place, folders, names in os.walk(top):
            for name in (*names, *(name for name in folders if os.path.islink(os.path.join(place, name)))):
                path = os.path.join(place, name)
                found[path] = _hash(path) if top == work.judge or path in asked else _facts(path)
    return found


def _hash(path: str) -> str:
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return "no file"
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _facts(path: str) -> str:
    facts = os.lstat(path)
    return f"{facts.st_mode} {facts.st_ino} {facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns}"
