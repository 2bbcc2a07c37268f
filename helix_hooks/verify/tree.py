"""The state of a work tree as a hash, which shows whether an attempt changed anything."""

import hashlib
import os
import stat

from ..git import names, run, without_filters

_MOST_BYTES = 50_000_000
"""Maximum bytes to read. For further files, size and modification time replace the content."""

# Settings of the clone must not run a hook, and the index stays unlocked.
_QUIETLY = ["--no-optional-locks", "-c", "core.hooksPath=/dev/null"]
_DIFF = [
    *("diff", "--name-only", "-z"),
    *("--no-renames", "--no-ext-diff", "--ignore-submodules=dirty"),
]
_UNTRACKED = ["ls-files", "--others", "--exclude-standard", "-z"]
_ALL = [*_UNTRACKED, "--cached"]


def state(root: str, since: str, without: str = "") -> str:
    """Return a hash of the files that differ from the commit `since`, committed or not.

    With `since` "" all files count. Ignored files and the file `without` do not count.
    """
    if since:
        paths = {*names(run([*_QUIETLY, *without_filters(root), *_DIFF, since, "--"], root).stdout)}
        paths.update(names(run(_UNTRACKED, root).stdout))
    else:
        paths = {*names(run(_ALL, root).stdout)}
    digest = hashlib.sha256()
    left = _MOST_BYTES
    for path in sorted(paths - {without}):
        content = _content(os.path.join(root, path), left)
        left -= len(content)
        part = path.encode(errors="surrogateescape") + b"\0" + hashlib.sha256(content).digest()
        digest.update(part)
    return digest.hexdigest()


def _content(place: str, most: int) -> bytes:
    """Return bytes that change with a file, a link or their absence."""
    try:
        facts = os.lstat(place)
        if stat.S_ISLNK(facts.st_mode):
            return b"link " + os.fsencode(os.readlink(place))
        if not stat.S_ISREG(facts.st_mode):
            return b"other"
        if facts.st_size > most:
            return f"large {facts.st_size} {facts.st_mtime_ns}".encode()
        with open(place, "rb") as file:
            return b"file " + file.read(most)
    except OSError as error:
        return f"error {error.errno}".encode()
