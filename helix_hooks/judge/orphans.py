"""Processes that left the group they were started in, so that ending the group does not end them.

On Linux this process becomes the one that orphans below it fall to, and ends them. Other systems
have no such means.
"""

import contextlib
import os
import signal

_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36


def adopt() -> None:
    """Let orphaned descendants become children of this process, and hide its environment.

    A judge could read there what it is not given; as root it still can.
    """
    if not os.path.isdir("/proc/self/task"):
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None, use_errno=True)
        library.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        library.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_all(spared: set[int]) -> None:
    """End every descendant of this process but those `spared`."""
    for _ in range(50):
        left = [pid for pid in descendants(os.getpid()) if pid not in spared]
        if not left:
            return
        _end(left)


def end_all_but(working: set[int]) -> None:
    """End every child of this process but those that are `working`, with all below it."""
    for _ in range(50):
        left = [pid for pid in _children_of(os.getpid()) if pid not in working]
        if not left:
            return
        _end([below for pid in left for below in (pid, *descendants(pid))])


def _end(processes: list[int]) -> None:
    for pid in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def children() -> set[int]:
    """Return the processes below this one."""
    return set(descendants(os.getpid()))


def descendants(pid: int) -> list[int]:
    """Return the processes below one, those that are nearer first within each branch."""
    found = []
    for child in _children_of(pid):
        found += [child, *descendants(child)]
    return found


def _children_of(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    return found
