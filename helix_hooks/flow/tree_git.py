"""Calls of git for the work trees of runs, whatever the settings of the clone are.

The commits of a run reach other machines by a git remote.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from .. import git
from ..errors import GitError, HelixError
from ..text import printable
from .place import DATABASE, FlowPlace

_SETTINGS = [
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    # Threads that look at the files take more processor time than they save.
    *("-c", "core.preloadIndex=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "core.safecrlf=false"),
    *("-c", "core.sparseCheckout=false"),
    *("-c", "core.splitIndex=false"),
    # Otherwise `read-tree` would check out submodules of the user's own work tree.
    *("-c", "submodule.recurse=false"),
]
"""Settings with which git runs no hook and no maintenance, and takes all files of a commit."""
_OF_ONE_REPOSITORY = frozenset(
    "GIT_DIR GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR "
    "GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE GIT_CONFIG "
    "GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_INTERNAL_SUPER_PREFIX GIT_SHALLOW_FILE "
    "GIT_REPLACE_REF_BASE GIT_QUARANTINE_PATH GIT_DIFF_OPTS GIT_REFLOG_ACTION".split()
)
"""Variables that git sets for its hooks, mostly those of `git rev-parse --local-env-vars`."""
REFS = "refs/helix/runs/"
_PAUSES = (0.5, 2.0, 8.0)
"""Seconds between the tries of a push."""


def without_repository(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which git works on the repository around the current folder.

    It has no URL of the database of runs either: with it, a command could approve its own work, and
    a filter in the settings of git is such a command.
    """
    left_out = (*_OF_ONE_REPOSITORY, DATABASE)
    return {name: text for name, text in environment.items() if name not in left_out}


def forget_repository() -> None:
    """Remove the variables of one repository from the environment of this process.

    The run may be started by a hook of git, whose index and folder are not those of the run.
    """
    for name in _OF_ONE_REPOSITORY & os.environ.keys():
        del os.environ[name]


def done(
    arguments: Sequence[str],
    root: str,
    *,
    index: str = "",
    stdin: bytes = b"",
    variables: Mapping[str, str] | None = None,
) -> git.Done:
    """Run git to its end, whatever its exit code is."""
    own = {"GIT_TERMINAL_PROMPT": "0"}
    if index:
        own["GIT_INDEX_FILE"] = index
    return git.run(
        [*_SETTINGS, *arguments],
        root,
        check=False,
        stdin=stdin,
        variables={**without_repository(git.environment()), **own, **(variables or {})},
    )


def output(arguments: Sequence[str], root: str, *, index: str = "", stdin: bytes = b"") -> bytes:
    """Run git and return its output. Raises GitError."""
    ended = done(arguments, root, index=index, stdin=stdin)
    if ended.returncode:
        raise GitError(f"git {git.verb([*arguments])} failed: {reason(ended)}")
    return ended.stdout


def in_tree(place: FlowPlace, run: str, arguments: Sequence[str], stdin: bytes = b"") -> bytes:
    """Run git on the work tree of a run, and return its output. Raises GitError.

    The repository is named: without its file `.git`, which an agent can remove, git would take the
    repository around the folder.
    """
    tree = place.tree(run)
    repository = {"GIT_DIR": os.path.dirname(place.folder), "GIT_WORK_TREE": tree}
    index = os.path.join(place.run_folder(run), "index")
    ended = done(arguments, tree, index=index, stdin=stdin, variables=repository)
    if ended.returncode:
        raise GitError(f"git {git.verb([*arguments])} failed in {tree}: {reason(ended)}")
    return ended.stdout


def check_out(place: FlowPlace, index: str, paths: Iterable[str], folder: str) -> git.Done:
    """Write files of an index to an empty folder, as git writes them to a work tree.

    The folder is the work tree here, so that the attributes are those of the index.
    """
    repository = {"GIT_DIR": os.path.dirname(place.folder), "GIT_WORK_TREE": folder}
    command = ["checkout-index", "--quiet", "-z", "--stdin"]
    return done(command, folder, index=index, stdin=nul_ended(paths), variables=repository)


def nul_ended(paths: Iterable[str]) -> bytes:
    """Return paths as git reads them from its input."""
    return b"".join(path.encode(errors="surrogateescape") + b"\0" for path in paths)


def has(place: FlowPlace, commit: str) -> bool:
    """Return whether this clone has a commit."""
    asked = ["cat-file", "-e", f"{commit}^{{commit}}"]
    return bool(commit) and not done(asked, place.root).returncode


def reason(ended: git.Done) -> str:
    """Return why git failed: the first line of a remote, and the first error or the last line."""
    lines = ended.stderr.decode(errors="replace").strip().splitlines()
    if not lines:
        return f"exit code {ended.returncode}"
    errors = [line for line in lines if line.startswith(("fatal: ", "error: "))]
    remote = [line.strip() for line in lines if line.startswith("remote: ") and line[8:].strip()]
    return printable("; ".join(dict.fromkeys([*remote[:1], (errors or lines[-1:])[0]])), 300)


# Commits of other machines.


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
