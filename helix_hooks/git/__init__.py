"""Git: how it is started, and the facts read from a clone: root, paths, objects.

Lists of paths are read with NUL between them (-z). A hook calls git three times. Importing
GitPython would take longer than the rest of the hook.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from .. import proc
from ..errors import GitError, UsageError
from ..paths import MARKDOWN, MAX_BYTES

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

SUBMODULES = ["--ignore-submodules=none"]
"""Report submodules like other entries, even if `.gitmodules` tells git to ignore them."""


Done = subprocess.CompletedProcess[bytes]
"""The exit code of git, its output and its stderr."""


def run(
    arguments: list[str],
    root: str | None = None,
    check: bool = True,
    stdin: bytes = b"",
    variables: Mapping[str, str] | None = None,
) -> Done:
    """Run git to its end. With `check`, a failure raises GitError.

    `variables` is the environment, by default that of this process.
    """
    command = _command(arguments, root)
    if variables is None:
        variables = environment()
    done = subprocess.run(command, env=variables, input=stdin, capture_output=True, check=False)
    if check and done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[0] if lines else f"exit code {done.returncode}"
        raise GitError(f"git {verb(arguments)} failed: {reason}")
    return done


def _command(arguments: list[str], root: str | None) -> list[str]:
    return [executable(), *(["-C", root] if root else []), *_NO_MONITOR, *arguments]


def verb(arguments: list[str]) -> str:
    """Return the command of a call, which is after flags and settings."""
    before = ""
    for word in arguments:
        if before != "-c" and not word.startswith("-"):
            return word
        before = word
    return ""


def environment() -> dict[str, str]:
    """Return the variables for git, without those that would change its answers.

    They are removed from the environment of this process too.
    """
    for name in _PATHSPECS & os.environ.keys():
        del os.environ[name]
    os.environ.update(_UNREPLACED)
    return proc.environment(os.environ)


def executable() -> str:
    """Return the absolute path of git.

    Raises:
        GitError: git is not installed.
    """
    path = proc.find("git", os.environ)
    if not path:
        raise GitError("git is not installed, or not on the PATH")
    return path


def names(output: bytes) -> list[str]:
    """Return the fields of an output of git, each of which ends with NUL."""
    return output.decode(errors="surrogateescape").split("\0")[:-1]


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


def root_for(subject: str) -> str:
    """Return the root of the work tree that the current folder is in.

    Raises:
        UsageError: There is none. The message says that `subject` needs one.
    """
    root = repository()
    if not root:
        raise UsageError(f"{subject} needs a git repository, and this folder is not in one")
    return root


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
    return names(run(["diff", "--cached", *flags, *SUBMODULES], root).stdout)


def without_filters(root: str) -> list[str]:
    """Return the flags by which git runs none of the filters in its settings.

    Raises:
        GitError: The settings can't be read, or the name of a filter has an equals sign, so that
            no flag can turn it off.
    """
    pattern = r"^filter\..*\.(clean|process|required)$"
    done = run(["config", "--null", "--name-only", "--get-regexp", pattern], root, check=False)
    if done.returncode > 1:  # 1: there is none
        raise GitError("git could not read its settings")
    flags = []
    for name in dict.fromkeys(names(done.stdout)):
        if "=" in name:
            raise GitError("the settings of git name a filter with an equals sign; rename it")
        flags += ["-c", f"{name}={'false' if name.endswith('.required') else ''}"]
    return flags


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


def in_head(root: str, path: str) -> bool:
    """Return whether the last commit has a path."""
    return run(["cat-file", "-e", f"HEAD:{path}"], root, check=False).returncode == 0


class Objects:
    """The objects of a repository, read by one `git cat-file`, which the first question starts."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._reader: subprocess.Popen[bytes] | None = None

    def ask(self, name: str, most: int = MAX_BYTES + 1) -> tuple[str, bytes] | None:
        """Return the id and the first bytes of a blob, by a name such as `COMMIT:path`.

        None if there is none. A name with a line end would be two questions.

        Raises:
            GitError: The reader has no pipes.
        """
        if "\n" in name:
            return None
        if self._reader is None:
            self._reader = subprocess.Popen(
                _command(["cat-file", "--batch"], self._root),
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        questions, answers = self._reader.stdin, self._reader.stdout
        if not questions or not answers:
            raise GitError("git cat-file has no pipes")
        questions.write(name.encode(errors="surrogateescape") + b"\n")
        questions.flush()
        header = answers.readline().rsplit(b" ", 2)
        if len(header) < 3 or not header[2].strip().isdigit():  # as in `NAME missing`
            return None
        size = int(header[2])
        content = answers.read(min(size, most))
        # The rest of a huge object is dropped, with the line end after each object.
        remaining = size - len(content) + 1
        while remaining > 0:
            remaining -= len(answers.read(min(remaining, 1 << 20))) or remaining
        return (header[0].decode(), content) if header[1] == b"blob" else None

    def after_fork(self) -> None:
        """Drop the open reader, which belongs to the parent process."""
        self._reader = None

    def close(self) -> None:
        """End the reader."""
        if self._reader:
            self._reader.communicate()
            self._reader = None


class Listing(NamedTuple):
    """The paths of a work tree: tracked ones, and untracked ones that are not ignored.

    `hidden` are paths whose changes on the disk git ignores (assume-unchanged and skip-worktree),
    `sparse` those that git does not expect on the disk (skip-worktree).
    """

    paths: tuple[str, ...]
    untracked: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    sparse: frozenset[str] = frozenset()


def listing(root: str, *settings: str) -> Listing:
    """List the work tree; `settings` are arguments of git before the command."""
    flags = ["--cached", "--others", "--exclude-standard", "--deduplicate", "-v", "-z"]
    done = run([*settings, "ls-files", *flags], root)
    # A lowercase tag is assume-unchanged, S is skip-worktree, ? is untracked. A path in conflict
    # is listed several times.
    tags = {record[2:]: record[0] for record in names(done.stdout)}
    return Listing(
        tuple(tags),
        untracked=frozenset(path for path, tag in tags.items() if tag == "?"),
        hidden=frozenset(path for path, tag in tags.items() if tag == "S" or tag.islower()),
        sparse=frozenset(path for path, tag in tags.items() if tag in "sS"),
    )
