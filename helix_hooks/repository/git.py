"""The clone: its root, tracked and staged paths, and its state.

Only plumbing commands are used, whose output has NUL between its fields. A hook calls git twice.
Importing GitPython would take longer than the rest of the hook.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

from ..errors import GitError
from ..paths import MARKDOWN, MAX_BYTES, is_markdown
from .runner import names, run

KNOWN = [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "--deduplicate",
    "-v",
    "-z",
]
STATUS = [
    "--no-optional-locks", "status", "--porcelain", "-z",
    "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty",
]  # fmt: skip
HEAD = ["rev-parse", "--verify", "--quiet", "HEAD"]
BRANCH = ["symbolic-ref", "--quiet", "HEAD"]
MARKDOWN_FILES = [f":(icase)*{suffix}" for suffix in MARKDOWN]
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

_HIDDEN_TAGS = "Sabcdefghijklmnopqrstuvwxyz"
_SUBMODULES = ["--ignore-submodules=none"]
"""Report submodules like other entries, even if `.gitmodules` tells git to ignore them."""


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
    root = repository or os.getcwd()
    return [_inside(root, argument) for argument in arguments]


def _inside(root: str, argument: str) -> str:
    absolute = os.path.abspath(argument)
    folder, name = os.path.split(absolute)
    real_root = os.path.realpath(root)
    # First with the links of its folder followed, but not the file's own link.
    for place in (os.path.join(os.path.realpath(folder), name), absolute):
        path = os.path.relpath(place, real_root)
        if not path.startswith(".."):
            return slashes(path)
    return slashes(absolute)


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


class Known(NamedTuple):
    """Tracked paths, and untracked ones that are not ignored.

    `listing` has `H `, the path and NUL for each of them, as git prints tracked ones. `hidden` are
    paths whose changes on the disk git ignores (assume-unchanged and skip-worktree). `sparse` are
    those that git does not expect on the disk (skip-worktree). `has_warnings`: git may not have
    opened each folder.
    """

    listing: str
    untracked: frozenset[str]
    hidden: frozenset[str]
    sparse: frozenset[str]
    has_warnings: bool = False

    @property
    def paths(self) -> list[str]:
        """Return all paths."""
        if not self.listing:
            return []
        return self.listing[len("H ") : -1].split("\0H ")

    @property
    def markdown(self) -> list[str]:
        """Return the paths of the Markdown files."""
        return [path for path in self.paths if is_markdown(path)]


def known(root: str, *settings: str) -> Known:
    """List the work tree; `settings` are arguments of git before the command."""
    done = run([*settings, *KNOWN], root)
    output, has_warnings = done.stdout, bool(done.stderr)
    # Any tag but H means that the listing has to be read line by line, which is rare.
    if output.count(b"\0") > output.count(b"\0H ") + output.startswith(b"H "):
        return _with_tags(names(output))._replace(has_warnings=has_warnings)
    none: frozenset[str] = frozenset()
    return Known(
        listing=output.decode(errors="surrogateescape"),
        untracked=none,
        hidden=none,
        sparse=none,
        has_warnings=has_warnings,
    )


def _with_tags(records: list[str]) -> Known:
    """Read a listing in which some paths have another tag than H.

    A lowercase tag is assume-unchanged, S is skip-worktree, ? is untracked. A path in conflict is
    listed several times.
    """
    tags = {record[2:]: record[0] for record in records if record[0] != "H"}
    return Known(
        listing=listing(dict.fromkeys([record[2:] for record in records])),
        untracked=_tagged(tags, "?"),
        hidden=_tagged(tags, _HIDDEN_TAGS),
        sparse=_tagged(tags, "sS"),
    )


def _tagged(tags: dict[str, str], letters: str) -> frozenset[str]:
    return frozenset(path for path, tag in tags.items() if tag in letters)


def listing(paths: Iterable[str]) -> str:
    """Return paths as `Known` has them."""
    return "".join([f"H {path}\0" for path in paths])


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
