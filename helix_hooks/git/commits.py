"""Commits of a clone, and the places of its remote and its hooks, read through GitPython.

`check` never imports this module, because GitPython takes longer to load than a hook may take. No
operation here starts a program that the repository configures (see ADR-132). Ids of commits come
from `history`.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from .. import git
from ..decision.pull_request import Commit
from ..errors import GitError

if TYPE_CHECKING:
    from git import Repo

_SETTINGS = ["core.fsmonitor=false", "core.pager=cat", "gc.auto=0", "maintenance.auto=false"]
"""Settings of a clone that start programs, turned off for each call.

None of the commands here reads them; this is a second protection.
"""

_CLOSED = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0",
           "GIT_LITERAL_PATHSPECS": "1"}  # fmt: skip
"""Variables with which no object is fetched.

A partial clone would run `core.sshCommand` and credential helpers to get a missing object.
"""

_SHA1 = 40
"""The length of a SHA-1 id."""

_MOST_WRITERS = 1_000
"""Maximum number of commits whose writers are read."""


class Ancestry(NamedTuple):
    """The newest commits among the first parents of a branch. `is_whole`: none was left out."""

    commits: list[str]
    is_whole: bool


def merge_base(root: str, one: str, other: str) -> str:
    """Return the merge base of two commits; "" if they have none or the history is cut off."""
    with _open_repository(root) as repository:
        output = repository.git.merge_base(one, other, with_exceptions=False)
    return str(output).partition("\n")[0]


def first_parents(root: str, commit: str, paths: Iterable[str], most: int) -> Ancestry:
    """Return the newest first parents of a commit that touch some paths. Raises GitError."""
    with _open_repository(root) as repository:
        rev_list = repository.git.rev_list
        touching = rev_list(commit, "--", *paths, first_parent=True, max_count=most).split()
        ends = rev_list(commit, first_parent=True, max_parents=0).split()
        is_cut = any(_has_parents(repository, end) for end in ends)
    return Ancestry(touching, len(touching) < most and not is_cut)


def _has_parents(repository: "Repo", commit: str) -> bool:
    """Return whether a commit names parents. In a shallow clone, git reports some as roots."""
    content: bytes = repository.git.cat_file("commit", commit, stdout_as_string=False)
    return b"\nparent " in content.partition(b"\n\n")[0]


def writers(root: str, base: str, head: str) -> tuple[str, ...]:
    """Return the authors, committers and co-authors of the commits that only `head` has, each once.

    Empty in a repository of SHA-256, whose objects GitPython can't read.
    """
    names: dict[str, None] = {}
    for commit in written(root, base, head):
        names.update(dict.fromkeys(commit.names))
        names.update((name, None) for name, _ in commit.co_authors)
    names.pop("", None)
    return (*names,)


def written(root: str, base: str, head: str) -> tuple[Commit, ...]:
    """Return the commits that `head` has and `base` lacks, with their authors in git."""
    if len(head) > _SHA1:
        return ()
    with _open_repository(root) as repository:
        commits = repository.iter_commits(f"{base}..{head}", max_count=_MOST_WRITERS)
        return tuple(
            Commit(
                people=(),
                emails=(commit.author.email or "", commit.committer.email or ""),
                message=str(commit.message),
                names=(commit.author.name or "", commit.committer.name or ""),
            )
            for commit in commits
        )


def remote_address(root: str, remote: str) -> str:
    """Return the address of a remote, with `url.*.insteadOf` applied; "" without such a remote."""
    with contextlib.suppress(GitError), _open_repository(root) as repository:
        return str(repository.git.remote("get-url", remote))
    return ""


def hook_file(root: str, name: str) -> str:
    """Return the path of a hook in the folder that git uses for hooks. Raises GitError."""
    with _open_repository(root) as repository:
        place = repository.git.rev_parse("--git-path", f"hooks/{name}", stdout_as_string=False)
    return os.path.join(root, os.fsdecode(place))


@contextlib.contextmanager
def _open_repository(root: str) -> Iterator["Repo"]:
    """Open a repository whose git commands start no configured program.

    Raises GitError for each error of GitPython or git.
    """
    _choose_executable()
    from git import Repo
    from git.exc import GitCommandError, ODBError
    from git.exc import GitError as LibraryError

    environment = git.environment()
    try:
        # GIT_DIR is named by its path, since GitPython would look in the current folder first.
        place = os.path.join(root, environment.get("GIT_DIR", ""))
        with Repo(place, expand_vars=False) as repository:
            repository.git.update_environment(**{**environment, **_CLOSED})
            repository.git.set_persistent_git_options(c=_SETTINGS)
            yield repository
    except GitCommandError as error:
        raise GitError(_reason(error.command, str(error.stderr))) from None
    except (LibraryError, ODBError, OSError, ValueError) as error:
        raise GitError(
            f"git could not read the repository: {type(error).__name__}: {error}"
        ) from None


def _reason(command: Iterable[str], stderr: str) -> str:
    """Return the first line that git wrote, without the text that GitPython adds."""
    lines = stderr.strip().removeprefix("stderr: '").removesuffix("'").splitlines()
    reason = lines[0] if lines else "no error output"
    return f"git {git.verb([*command][1:])} failed: {reason}"


def _choose_executable() -> None:
    """Load GitPython with the git of this program. Its import starts git at once.

    Raises GitError if git is not installed.
    """
    executable = git.executable()
    names = ("GIT_PYTHON_GIT_EXECUTABLE", "GIT_PYTHON_REFRESH", "GIT_PYTHON_TRACE")
    before = {name: os.environ.pop(name) for name in names if name in os.environ}
    os.environ["GIT_PYTHON_GIT_EXECUTABLE"] = executable
    try:
        import git as library
    finally:
        del os.environ["GIT_PYTHON_GIT_EXECUTABLE"]
        os.environ.update(before)
    if executable != library.Git.GIT_PYTHON_GIT_EXECUTABLE:
        library.refresh(executable)
