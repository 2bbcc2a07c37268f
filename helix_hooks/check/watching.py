"""Wait for a change of the files that a check reads.

These are the paths of the repository, the content of its Markdown and settings files, and its last
commit. Files are polled twice a second. This needs no package and no service of the system, and it
works on network drives and in containers as well.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterable

from ..paths import READ_FIRST, is_markdown
from ..repository import git

_PAUSE = 0.5
"""Seconds between two polls of the files."""

_SETTLED = 0.1
"""Seconds without a change before a check: an editor may write several files."""

_MOST_LOOKS = 20
"""Maximum number of polls of files that keep changing."""

_SHARE = 10
"""git lists the files again after 10 times the duration of its last listing."""

_OF_GIT = ("HEAD", "logs/HEAD")

Stamp = tuple[int, int, int]
State = dict[str, Stamp | None]


class WatchedFiles:
    """The files of a repository that a check reads, and `more` of them by their paths."""

    def __init__(self, root: str, more: Iterable[str] = ()) -> None:
        self._root, self._more = root, tuple(more)
        self._listing: list[str] = []
        self._next = 0.0
        self._state = self._looked_at()

    def wait(self, pause: Callable[[float], None] = time.sleep) -> None:
        """Wait for a change, and until the files stop changing."""
        while (state := self._looked_at()) == self._state:
            pause(_PAUSE)
        for _ in range(_MOST_LOOKS):
            self._state = state
            pause(_SETTLED)
            state = self._looked_at()
            if state == self._state:
                return

    def _looked_at(self) -> State:
        state: State = dict.fromkeys(self._paths())
        read = (path for path in state if is_markdown(path))
        for path in (*READ_FIRST, *self._more, *read):
            state[path] = _stamp(os.path.join(self._root, path))
        with contextlib.suppress(OSError):
            folder = git.git_folder(self._root)
            for name in _OF_GIT:
                state[f".git:{name}"] = _stamp(os.path.join(folder, name))
        return state

    def _paths(self) -> list[str]:
        """Return the paths that git knows or would add."""
        now = time.monotonic()
        if now >= self._next:
            self._listing = git.known(self._root).paths
            taken = time.monotonic() - now
            self._next = now + taken * (_SHARE + 1)
        return self._listing


def _stamp(place: str) -> Stamp | None:
    """Return facts that change with the content of a file; None if there is no file."""
    try:
        facts = os.stat(place)
    except (OSError, ValueError):
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino
