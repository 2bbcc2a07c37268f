"""The exchange of a run's commits with other machines, by a git remote."""

import time
from collections.abc import Callable

from ..errors import GitError, HelixError
from .place import FlowPlace
from .tree_git import REFS, done, has, output, reason

_PAUSES = (0.5, 2.0, 8.0)
"""Seconds between the tries of a push."""


def fetch(place: FlowPlace, run: str, commit: str) -> None:
    """Get a commit of a run from the remote of runs, unless this clone has it.

    Raises:
        GitError: There is no such commit.
    """
    if has(place, commit):
        return
    if not commit:
        raise GitError(f"{run} is of an older helix-hooks, without work trees; start it again")
    if place.remote:
        ref = REFS + run
        output(["fetch", "--quiet", "--no-tags", place.remote, f"+{ref}:{ref}"], place.root)
        if has(place, commit):
            return
    where = f", nor does {place.remote}" if place.remote else "; set flow.remote"
    raise GitError(f"this clone does not have the commit {commit[:10]} of {run}{where}")


def push(place: FlowPlace, run: str, commit: str, before: str, is_ours: Callable[[], bool]) -> None:
    """Push a commit of a run to the remote of runs, if there is one.

    The ref there must have the commit `before`, "" for none. Another one is replaced only if
    `is_ours` says that no other process has taken over the run: then a process that was killed has
    pushed it, and not recorded it.

    Raises:
        HelixError: The remote can't be reached, or another process has taken over the run.
    """
    if not place.remote:
        return
    ref, expected = REFS + run, before
    for pause in (*_PAUSES, None):
        lease = f"--force-with-lease={ref}:{expected}"
        command = ["push", "--quiet", "--no-verify", lease, place.remote, f"{commit}:{ref}"]
        pushed = done(command, place.root)
        if not pushed.returncode:
            return
        listed = done(["ls-remote", place.remote, ref], place.root)
        there = listed.stdout.decode(errors="replace").partition("\t")[0]
        if there == commit:
            return
        if not listed.returncode and there != expected:
            if not is_ours():
                raise HelixError(f"another process has taken over {run}")
            expected = there
        if pause is None:
            raise GitError(f"{run}: git push to {place.remote} failed: {reason(pushed)}")
        time.sleep(pause)
