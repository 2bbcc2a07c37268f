"""Git: how it is started, and what it tells of a clone: the root, staged paths, the state.

Only plumbing commands are used, whose output has NUL between its fields. A hook calls git twice.
Importing GitPython would take longer than the rest of the hook.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ..errors import GitError
from ..paths import MARKDOWN, MAX_BYTES
from ..proc import find

_MISSING = "git is not installed, or not on the PATH"

_NO_MONITOR = ("-c", "core.fsmonitor=false")
"""Settings with which git does not start the program that watches the files of a clone."""

_PATHSPECS = frozenset(
    "GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS GIT_LITERAL_PATHSPECS".split()
)
"""Variables with which git reads paths as patterns, or refuses to read them literally."""

_UNREPLACED = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": f"{os.devnull}/none"}
"""Variables with which git ignores the replacements of objects (`git replace`) in this clone."""

STATUS = [
    "--no-optional-locks", "status", "--porcelain", "-z",
    "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty",
]  # fmt: skip
HEAD = ["rev-parse", "--verify", "--quiet", "HEAD"]
BRANCH = ["symbolic-ref", "--quiet", "HEAD"]
MARKDOWN_FILES = [*map(":(icase)*{}".format, MARKDOWN)]
"""The pathspecs of Markdown files."""
MAIN_BRANCHES = (
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
)
"""The names that a main branch may have in a clone, the likeliest first."""

MAIN_COMMITS = ["for-each-ref", "--format=%(refname) %(objectname)", *MAIN_BRANCHES]
COMMON = ["rev-parse", "--path-format=absolute", "--git-common-dir"]

_SUBMODULES = ["--ignore-submodules=none"]
"""Report submodules like other entries, even if `.gitmodules` tells git to ignore them."""


Done = subprocess.CompletedProcess[bytes]
"""The exit code of git, its output and its stderr."""


def run(
    arguments: list[str], root: str | None = None, check: bool = True, stdin: bytes | None = None
) -> Done:
    """Run git to its end. With `check`, a failure raises GitError."""
    try:
        done = subprocess.run(
            _command(arguments, root),
            env=environment(),
            input=b"" if stdin is None else stdin,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise GitError(_MISSING) from None
    if check and done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[0] if lines else f"exit code {done.returncode}"
        raise GitError(f"git {verb(arguments)} failed: {reason}")
    return done


def verb(arguments: list[str]) -> str:
    """Return the command of a call, which is after flags and settings."""
    before = ""
    for word in arguments:
        if before != "-c" and not word.startswith("-"):
            return word
        before = word
    return ""


def start(arguments: list[str], root: str) -> "subprocess.Popen[bytes]":
    """Start git with pipes for its input and output, and return at once.

    Raises:
        GitError: git is not installed.
    """
    try:
        return subprocess.Popen(
            _command(arguments, root),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
    except FileNotFoundError:
        raise GitError(_MISSING) from None


def _command(arguments: list[str], root: str | None) -> list[str]:
    return [executable(), *(["-C", root] if root else []), *_NO_MONITOR, *arguments]


def environment() -> dict[str, str]:
    """Return the variables for git, without those that would change its answers.

    They are removed from the environment of this process too.
    """
    for name in _PATHSPECS & os.environ.keys():
        del os.environ[name]
    os.environ.update(_UNREPLACED)
    return find.environment(os.environ)


def executable() -> str:
    """Return the absolute path of git.

    Raises:
        GitError: git is not installed.
    """
    path = find.find("git", os.environ)
    if not path:
        raise GitError(_MISSING)
    return path


def names(output: bytes) -> list[str]:
    """Return the fields of an output of git, each of which ends with NUL."""
    return output.decode(errors="surrogateescape").split("\0")[:-1]


def batches(paths: list[str]) -> Iterable[list[str]]:
    """Yield paths in parts that fit on a command line."""
    batch: list[str] = []
    size = 0
    for path in paths:
        # Windows has the lowest limit, 32,767 characters with the command.
        if batch and size + len(path) > 20_000:
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += len(path) + 1
    if batch:
        yield batch


@contextmanager
def restored() -> Iterator[None]:
    """Restore all variables at the end, for a caller whose process continues.

    The program removes variables that change the answers of git, and adds the folder with the
    objects of the work tree. If it has a process of its own, these changes end with it.
    """
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def repository() -> str | None:
    """Return the root of the work tree that the current folder is in; None outside of one.

    It is the nearest folder with a `.git`: a directory or, in linked work trees and submodules, a
    file.
    """
    # Only these variables can move it. In all other cases a process of git is saved.
    if "GIT_DIR" in os.environ or "GIT_WORK_TREE" in os.environ:
        done = run(["rev-parse", "--show-toplevel"], check=False)
        return done.stdout.decode(errors="surrogateescape").removesuffix("\n") or None
    folder = os.getcwd()
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def git_folder(root: str) -> str:
    """Return the folder with the index of a work tree, without a call of git. Raises OSError."""
    place = os.path.join(root, os.environ.get("GIT_DIR") or ".git")
    if os.path.isdir(place):
        return place
    with open(place, "rb") as file:
        return os.path.join(
            root, os.fsdecode(file.read(MAX_BYTES).removeprefix(b"gitdir: ").rstrip(b"\n"))
        )


def paths_in(repository: str | None, arguments: Iterable[str]) -> list[str]:
    """Return the arguments of a command line as paths in the repository.

    A path outside of the repository stays absolute.
    """
    root = os.path.realpath(repository or os.getcwd())
    paths: list[str] = []
    for argument in arguments:
        absolute = os.path.abspath(argument)
        folder, name = os.path.split(absolute)
        # First with the links of its folder followed, but not the file's own link.
        for place in (os.path.join(os.path.realpath(folder), name), absolute):
            path = os.path.relpath(place, root)
            if not path.startswith(".."):
                break
        else:
            path = absolute
        paths.append(slashes(path))
    return paths


def slashes(path: str) -> str:
    """Return a path of the file system as git writes it."""
    if os.sep == "/":
        return path
    return path.replace(os.sep, "/")


def staged_paths(root: str) -> list[str]:
    """Return the paths whose staged content differs from HEAD, without deleted ones.

    Before the first commit these are all staged paths.
    """
    flags = ["--name-only", "--no-ext-diff", "--no-renames", "--diff-filter=d", "-z"]
    return names(run(["diff", "--cached", *flags, *_SUBMODULES], root).stdout)


def without_filters(root: str) -> list[str]:
    """Return the flags by which git runs none of the filters in its settings.

    Raises:
        GitError: The name of a filter has an equals sign, so that no flag can turn it off.
    """
    pattern = r"^filter\..*\.(clean|process|required)$"
    done = run(["config", "--null", "--name-only", "--get-regexp", pattern], root, check=False)
    flags = []
    for name in dict.fromkeys(names(done.stdout)):
        if "=" in name:
            raise GitError("the settings of git name a filter with an equals sign; rename it")
        flags += ["-c", f"{name}={'false' if name.endswith('.required') else ''}"]
    return flags


def since_commit(
    base: str,
    staged: bool,
    paths: Iterable[str] = (),
    other: str = "",
    flags: Iterable[str] = (),
) -> list[str]:
    """Return the command that compares a commit with the work tree, the index or another commit.

    `flags` are more flags of git itself.
    """
    if other:
        against = [base, other]
    elif staged:
        against = ["--cached", base]
    else:
        against = [base]
    submodules = _SUBMODULES if other or staged else ["--ignore-submodules=dirty"]
    return [
        "--literal-pathspecs",
        "-c",
        "core.hooksPath=/dev/null",
        *flags,
        "diff",
        "--name-status",
        "-z",
        "-M",
        "-l2000",
        "--no-ext-diff",
        *submodules,
        *against,
        "--",
        *paths,
    ]


def writes_links_as_text(root: str) -> bool:
    """Return whether the settings of git say that the file system has no symbolic links."""
    done = run(["config", "--type=bool", "--get", "core.symlinks"], root, check=False)
    return done.stdout.strip() == b"false"


def merging(root: str) -> bool:
    """Return whether the next commit completes a merge, and has a second parent."""
    try:
        return os.path.exists(os.path.join(git_folder(root), "MERGE_HEAD"))
    except OSError:
        return False  # a repository without a work tree


def speaking_of(root: str, words: Iterable[str]) -> list[str]:
    """Return the staged Markdown files that contain one of some words."""
    arguments: list[str] = []
    for word in words:
        arguments += ["-e", word]
    if not arguments:
        return []
    flags = ["--no-color", "--cached", "-l", "-z", "-a", "-F", "--no-recurse-submodules"]
    return names(run(["grep", *flags, *arguments, "--", *MARKDOWN_FILES], root, check=False).stdout)


def in_head(root: str, path: str) -> bool:
    """Return whether the last commit has a path."""
    return run(["cat-file", "-e", f"HEAD:{path}"], root, check=False).returncode == 0
