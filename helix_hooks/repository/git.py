"""The clone: its root, tracked and staged paths, and its state.

Plumbing commands only, separated by NUL.

The hook calls git twice; importing GitPython would cost more than all the rest of it.
"""

import os
from collections.abc import Iterable

from ..errors import GitError
from ..paths import MAX_BYTES
from ..records import NamedTuple
from .runner import names, prefetch, run

_NO_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
KNOWN = [
    "-c",
    "core.fsmonitor=false",
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "--deduplicate",
    "-v",
    "-z",
]
STATUS = [
    "--no-optional-locks", "-c", "core.fsmonitor=false", "status", "--porcelain", "-z",
    "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty",
]  # fmt: skip
HEAD = ["rev-parse", "--verify", "--quiet", "HEAD"]
BRANCH = ["symbolic-ref", "--quiet", "HEAD"]
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

_NUL = "\0"
_SUBMODULES = ["--ignore-submodules=none"]
"""A submodule is an entry like any other, whatever `.gitmodules` says."""


def repository() -> str | None:
    """Return the root of the work tree that the current folder is in; None outside of one.

    It is the nearest folder with a `.git`, a directory or, in linked work trees and submodules, a
    file. Asking git for it would cost a process, so that is done only where the environment says
    that it lies elsewhere.
    """
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
    """Return where git keeps the index of a work tree, without a call of git. Raises OSError."""
    place = os.path.join(root, os.environ.get("GIT_DIR") or ".git")
    if os.path.isdir(place):
        return place
    with open(place, "rb") as file:
        return os.path.join(
            root, os.fsdecode(file.read(MAX_BYTES).removeprefix(b"gitdir: ").rstrip(b"\n"))
        )


def paths_in(repository: str | None, arguments: Iterable[str]) -> list[str]:
    """Return the arguments of a command line as paths in the repository; one outside of it stays
    absolute.
    """
    root = repository or os.getcwd()
    return [_inside(root, argument) for argument in arguments]


def _inside(root: str, argument: str) -> str:
    absolute = os.path.abspath(argument)
    folder, name = os.path.split(absolute)
    places = (os.path.join(os.path.realpath(folder), name), absolute)
    found = (os.path.relpath(place, os.path.realpath(root)) for place in places)
    return slashes(next((path for path in found if not path.startswith("..")), absolute))


def slashes(path: str) -> str:
    """Return a path of the file system as git writes it."""
    return path if os.sep == "/" else path.replace(os.sep, "/")


def staged_paths(root: str) -> list[str]:
    """Return the paths whose staged content differs from HEAD, without deleted ones; before the
    first commit, all.
    """
    return names(
        run(
            [
                "diff",
                "--cached",
                "--name-only",
                "--no-ext-diff",
                "--no-renames",
                "--diff-filter=d",
                "-z",
                *_SUBMODULES,
            ],
            root,
        ).stdout
    )


class Known(NamedTuple):
    """Tracked paths, and untracked ones that are not ignored.

    `listing` has `H `, the path and NUL for each of them, as git prints tracked ones. `hidden` are
    those whose changes on the disk git does not look at (assume-unchanged and skip-worktree); of
    `sparse` ones (skip-worktree) git does not expect that they are on the disk. `has_warnings`
    where git could perhaps not open each folder.
    """

    listing: str
    untracked: frozenset[str]
    hidden: frozenset[str]
    sparse: frozenset[str]
    has_warnings: bool = False

    @property
    def paths(self) -> list[str]:
        return self.listing[len("H ") : -1].split("\0H ") if self.listing else []

    @property
    def markdown(self) -> list[str]:
        """The paths that end in `.md`, found without a look at each of very many others."""
        *parts, _ = self.listing.split(".md\0")
        return [f"{part.rpartition(_NUL)[2][len('H ') :]}.md" for part in parts]


def known(root: str) -> Known:
    """List the work tree."""
    done = run(KNOWN, root)
    output, has_warnings = done.stdout, bool(done.stderr)
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
    """Read a listing of more than usual tracked files; one in conflict is there twice."""
    others = {record[2:]: record[0] for record in records if record[0] != "H"}
    hidden = frozenset(path for path, tag in others.items() if tag == "S" or tag.islower())
    return Known(
        listing=listing(dict.fromkeys([record[2:] for record in records])),
        untracked=frozenset(path for path, tag in others.items() if tag == "?"),
        hidden=hidden,
        sparse=frozenset(path for path in hidden if others[path] in "sS"),
    )


def listing(paths: Iterable[str]) -> str:
    """Return paths as `Known` has them."""
    return "".join([f"H {path}\0" for path in paths])


def prefetch_check(root: str) -> None:
    """Prefetch what a check of the whole work tree asks first."""
    prefetch(root, KNOWN, since_commit("HEAD", staged=False))


def without_filters(root: str) -> list[str]:
    """Return the flags by which git runs none of the filters that its settings name."""
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
    """Return the command that lists the differences of a commit to the work tree, the index or
    another commit. `flags` are further ones of git itself.
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
        *_NO_PROGRAMS,
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
    """Return whether git was told that the file system has no symbolic links."""
    return (
        run(["config", "--type=bool", "--get", "core.symlinks"], root, check=False).stdout.strip()
        == b"false"
    )


def merging(root: str) -> bool:
    """Return whether a merge is going on, whose commit will have a second parent."""
    try:
        return os.path.exists(os.path.join(git_folder(root), "MERGE_HEAD"))
    except OSError:
        return False  # a repository without a work tree


def speaking_of(root: str, words: Iterable[str]) -> list[str]:
    """Return the staged Markdown files that contain one of some words."""
    arguments = [argument for word in words for argument in ("-e", word)]
    command = [
        "grep",
        "--no-color",
        "--cached",
        "-l",
        "-z",
        "-a",
        "-F",
        "--no-recurse-submodules",
        *arguments,
        "--",
        "*.md",
    ]
    return names(run(command, root, check=False).stdout) if arguments else []


def in_head(root: str, path: str) -> bool:
    """Return whether the last commit has a path."""
    return run(["cat-file", "-e", f"HEAD:{path}"], root, check=False).returncode == 0
