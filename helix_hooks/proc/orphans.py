"""Processes that left the process group in which they were started.

A signal to the group does not reach them. On Linux this process becomes their "subreaper": the
kernel makes orphaned descendants its children, so it can end them. Other systems have no
equivalent.
"""

import contextlib
import os
import signal

# Numbers from linux/prctl.h.
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_ROUNDS = 50
"""Maximum rounds of ending processes. One that starts others needs more than one round."""


def adopt() -> None:
    """Let orphaned descendants become children of this process, and hide its environment.

    Otherwise a judge could read secrets in /proc/PID/environ; as root it still can.
    """
    if not os.path.isdir("/proc/self/task"):
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None, use_errno=True)
        library.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        library.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_all(spared: set[int]) -> None:
    """End every descendant of this process except those `spared`."""
    for _ in range(_ROUNDS):
        left = [pid for pid in descendants(os.getpid()) if pid not in spared]
        if not left:
            return
        _end(left)


def end_all_but(working: set[int]) -> None:
    """End every child of this process except those that are `working`, with its descendants."""
    for _ in range(_ROUNDS):
        left = []
        for pid in _children_of(os.getpid()):
            if pid not in working:
                left += [pid, *descendants(pid)]
        if not left:
            return
        _end(left)


def end_marked(variable: str) -> None:
    """End the processes in whose environment stands a text such as `NAME=value`.

    A process that was killed with its group has left them. Those above this process stay. Only
    Linux shows the environment of a process, and root may read that of others.
    """
    above = _above()
    for _ in range(_ROUNDS):
        left = [pid for pid in _every() if pid not in above and variable in _variables(pid)]
        if not left:
            return
        _end(left)


def _every() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _above() -> set[int]:
    """Return this process and all above it."""
    pids: set[int] = set()
    pid = os.getpid()
    while pid and pid not in pids:
        pids.add(pid)
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                pid = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            break
    return pids


def _variables(pid: int) -> list[str]:
    """Return the environment with which a process was started; of a foreign one nothing."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return os.fsdecode(file.read()).split("\0")
    except OSError:
        return []


def _end(processes: list[int]) -> None:
    for pid in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def children() -> set[int]:
    """Return the descendants of this process."""
    return set(descendants(os.getpid()))


def descendants(pid: int) -> list[int]:
    """Return the descendants of a process, each parent before its children."""
    pids = []
    for child in _children_of(pid):
        pids += [child, *descendants(child)]
    return pids


def _children_of(pid: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        # Linux lists children by the thread that started them.
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                children += map(int, file.read().split())
    return children
