"""The history of a repository: commits, changed and deleted paths, versions of a file, branches.

Nothing is fetched or checked out.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from ..errors import GitError
from ..paths import MAX_BYTES
from . import SUBMODULES, Objects, names, run

_COMMITS = 50
"""Maximum number of commits in which renames are searched, the latest first."""

_COMMIT = re.compile(r"\x01([0-9a-f]{40,64})\0([0-9a-f ]*)\0")
_LOG = ["log", "--no-show-signature", "--encoding=UTF-8"]
_DIFF = ["--no-ext-diff", "--no-textconv", "--first-parent"]
_MOST_MESSAGES = 1_000

_MOST_BRANCHES = 200
"""Maximum number of branches that are read, newest first: each one costs a process of git."""

_OFFLINE = ["-c", "protocol.allow=never"]
for _protocol in "https http ssh git file ext".split():
    _OFFLINE += ["-c", f"protocol.{_protocol}.allow=never"]
"""Flags by which no object is fetched: a partial clone would run ssh and credential helpers.

Each protocol is named because the settings of a user may allow one by its name.
"""


def commit(root: str, revision: str) -> str:
    """Return the commit of a revision; "" if there is none."""
    command = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    return run(command, root, check=False).stdout.decode().strip()


def is_named(root: str, revision: str) -> bool:
    """Return whether a revision names an object, also one that is missing or damaged.

    Before the first commit, HEAD names none.
    """
    command = ["rev-parse", "--verify", "--quiet", "--end-of-options", revision]
    return bool(run(command, root, check=False).stdout.strip())


def refs(root: str, name: str) -> list[str]:
    """Return the tags and branches that a short name may mean.

    One is safe. Of two, git may take the one that an attacker has pushed.
    """
    full_names = [f"refs/{kind}/{name}" for kind in ("tags", "heads", "remotes")]
    command = ["for-each-ref", "--format=%(refname)%00", *full_names]
    existing = {line.strip("\n") for line in names(run(command, root).stdout)}
    return [ref for ref in full_names if ref in existing]


def merge_base(root: str, one: str, other: str) -> str:
    """Return the merge base of two commits; "" if they have none or the history is cut off."""
    output = run(["merge-base", one, other], root, check=False).stdout.decode()
    # A criss-cross merge has several merge bases. The first is the one that git uses.
    return output.strip().split("\n")[0]


def is_shallow(root: str) -> bool:
    """Return whether the history is cut off, as in a checkout of depth 1."""
    place = os.path.join(root, ".git")
    if os.path.isdir(place):
        return os.path.exists(os.path.join(place, "shallow"))
    done = run(["rev-parse", "--is-shallow-repository"], root, check=False)
    return done.stdout.strip() == b"true"


class Changed(NamedTuple):
    """A path that differs from a revision.

    `status` is A, M, D, T or R. `old` is the path before a rename, and otherwise the same path.
    """

    status: str
    path: str
    old: str


def changes(
    root: str,
    base: str,
    staged: bool,
    paths: Iterable[str] = (),
    other: str = "",
    flags: Iterable[str] = (),
) -> list[Changed]:
    """Return the differences of a commit from the work tree, the index or another commit.

    Renamed files have their old path. Empty if there is no such commit. `flags` are those of git.

    Raises:
        GitError: git could not compare, although there is such a commit.
    """
    against = ["--cached"] if staged and not other else []
    submodules = SUBMODULES if other or staged else ["--ignore-submodules=dirty"]
    settings = ["--literal-pathspecs", "-c", "core.hooksPath=/dev/null", *flags]
    options = ["--name-status", "-z", "-M", "-l2000", "--no-ext-diff", *submodules]
    revisions = [base, other] if other else [base]
    command = [*settings, "diff", *options, *against, *revisions, "--", *paths]
    done = run(command, root, check=False)
    if done.returncode and is_named(root, base):
        raise GitError(f"git could not compare the files with {base}")
    fields = iter(names(done.stdout))
    changed: list[Changed] = []
    for status in fields:
        # A status such as R100 is followed by two paths, all others by one.
        old = next(fields)
        new = next(fields) if status[0] in "RC" else old
        changed.append(Changed(status[0], new, old))
    return changed


def added(root: str, base: str, other: str) -> list[str]:
    """Return the paths that `other` has and `base` lacks."""
    flags = ["--name-only", "-z", "--no-renames", "--diff-filter=A"]
    return names(run(["diff", *flags, base, other], root).stdout)


def differing(root: str, one: str, other: str) -> list[str]:
    """Return the paths that differ between two commits."""
    flags = ["--name-only", "-z", "--no-renames", "--ignore-submodules=none"]
    return names(run(["diff", *flags, one, other], root).stdout)


def ignored(root: str, paths: Iterable[str]) -> set[str]:
    """Return those of some paths that git ignores, such as files that a build writes."""
    questions = "".join(f"{path}\0" for path in paths).encode(errors="surrogateescape")
    command = ["check-ignore", "-z", "--stdin", "--no-index"]
    return set(names(run(command, root, check=False, stdin=questions).stdout))


def in_submodules(root: str, paths: Iterable[str]) -> set[str]:
    """Return those of some paths that are in a submodule, which belongs to another repository."""
    if not os.path.exists(os.path.join(root, ".gitmodules")):
        return set()
    pattern = r"^submodule\..*\.path$"
    command = ["config", "--file", ".gitmodules", "--null", "--get-regexp", pattern]
    done = run(command, root, check=False)
    # Each record is the key, a line end and the value.
    folders = tuple(f"{record.partition(chr(10))[2]}/" for record in names(done.stdout))
    return {path for path in paths if f"{path}/".startswith(folders)}


class Deleted(NamedTuple):
    """A path that a commit deleted, and its new path in that commit ("" if it was not moved)."""

    path: str
    commit: str
    moved_to: str


def deleted(root: str, paths: Iterable[str]) -> list[Deleted]:
    """Return the commits that deleted some paths, or files below them, the latest first.

    Raises:
        GitError: git could not read the history.
    """
    flags = ["--format=%x01%h", "--diff-filter=D", "--no-renames", "--name-only", "-z"]
    deletions: list[tuple[str, str]] = []
    for batch in _batches(list(paths)):
        done = run(["--literal-pathspecs", "log", *flags, "--", *batch], root, check=False)
        if done.returncode and is_named(root, "HEAD"):
            raise GitError("git could not read the history of the files")
        for record in done.stdout.decode(errors="surrogateescape").split("\x01")[1:]:
            sha, _, listed = record.partition("\0")
            # git writes a line end between the format and the names.
            listed_names = [name.lstrip("\n") for name in listed.split("\0")]
            deletions += [(name, sha.strip()) for name in listed_names if name]
    commits = list(dict.fromkeys(sha for _, sha in deletions))[:_COMMITS]
    renames = {sha: _renames(root, sha) for sha in commits}
    return [Deleted(path, sha, renames.get(sha, {}).get(path, "")) for path, sha in deletions]


def _batches(paths: list[str]) -> Iterator[list[str]]:
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


def _renames(root: str, *commits: str) -> dict[str, str]:
    """Return the new path of each file that a commit renamed, by the old one.

    It is compared with its parent, or with the commit before it in `commits`.
    """
    flags = ["-r", "-z", "-M", "-l2000", "--root", "--no-commit-id", "--name-status"]
    flags += ["--no-ext-diff", "--no-textconv", "--diff-filter=R"]
    fields = names(run(["diff-tree", *flags, *commits], root).stdout)
    # The status is followed by both paths.
    return dict(zip(fields[1::3], fields[2::3], strict=True))


class FileVersion(NamedTuple):
    """A commit that changed a file: its first parent ("" for none), and the file's path in it.

    `status` is A for the commit that added the file, D for one that deleted it, else M or R.
    """

    commit: str
    parent: str
    path: str
    status: str


class Lineage(NamedTuple):
    """The versions of a file, newest first.

    `is_whole`: none is left out since the file was last added.
    """

    versions: tuple[FileVersion, ...]
    is_whole: bool


def lineage(root: str, revision: str, path: str, most: int = 500) -> Lineage:
    """Return the versions of a file in the first parents of a revision, through renames.

    A commit renames a file if the old path is gone in it. `git log --follow` would also take a copy
    for a rename: that is each new ADR from the template of an older one.
    """
    versions, is_complete = _versions_at(root, revision, path, most)
    while is_complete and versions and versions[-1].status == "A" and versions[-1].parent:
        first = versions[-1]
        renames = _renames(root, first.parent, first.commit)
        old = next((old for old, new in renames.items() if new == first.path), "")
        if not old:
            break
        versions[-1] = first._replace(status="R")
        older, is_complete = _versions_at(root, first.parent, old, most - len(versions))
        versions += older
    is_begun = bool(versions) and versions[-1].status == "A" and bool(versions[-1].parent)
    is_whole = is_complete and (is_begun or not is_shallow(root))
    return Lineage(tuple(versions), is_whole)


def _versions_at(root: str, revision: str, path: str, most: int) -> tuple[list[FileVersion], bool]:
    """Return the versions of one path, and whether they are fewer than `most`."""
    flags = ["--diff-merges=first-parent", "--no-renames", f"--max-count={most}"]
    command = ["--literal-pathspecs", *_LOG, *_DIFF, *flags, "--name-status", "-z"]
    command += ["--format=%x01%H%x00%P", "--end-of-options", revision, "--", path]
    commits = list(records(run(command, root).stdout))
    versions = [
        FileVersion(sha, parents.partition(" ")[0], fields[1], fields[0][:1])
        for sha, parents, fields in commits
        if len(fields) > 1 and fields[0] and fields[1]
    ]
    return versions, len(commits) < most


def records(output: bytes) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each commit of a log with the format `%x01%H%x00FACTS`.

    It is the hash, the facts (parents or time), and the fields about its files.
    """
    text = output.decode(errors="surrogateescape")
    matches = list(_COMMIT.finditer(text))
    ends = [*(match.start() for match in matches[1:]), len(text)]
    for match, end in zip(matches, ends, strict=False):
        yield match[1], match[2], text[match.end() : end].strip("\n").split("\0")


class Blob(NamedTuple):
    """A content, and the name of its object in git."""

    object: str
    data: bytes


def blobs(root: str, names: list[str]) -> list[Blob | None]:
    """Return the blobs of names such as `COMMIT:path`.

    None for a content over 1 MB.

    Raises:
        GitError: git lacks an object, or a name has a line end.
    """
    with closing(Objects(root)) as objects:
        answers = [objects.ask(name) for name in names]
    if missing := [name for name, answer in zip(names, answers, strict=True) if not answer]:
        raise GitError(f"git has no content for {missing[0]}; fetch it, or try `git fsck`")
    return [Blob(*item) if item and len(item[1]) <= MAX_BYTES else None for item in answers]


def messages(root: str, base: str, head: str) -> list[str]:
    """Return the messages of the commits that `head` has and `base` lacks, newest first."""
    command = [*_LOG, f"--max-count={_MOST_MESSAGES}", "-z", "--format=%B"]
    revisions = [head, f"^{base}"] if base else [head]
    output = run([*command, "--end-of-options", *revisions, "--"], root).stdout
    return [text for text in output.decode(errors="replace").split("\0") if text.strip()]


def touching(root: str, commit: str, path: str, pattern: str) -> list[str]:
    """Return the messages of the commits up to one that change a file, newest first.

    Only those with a line that the extended regular expression matches, in any case.
    """
    command = [*_LOG, f"--max-count={_MOST_MESSAGES}", "-z", "--format=%B", "-i", "-E"]
    command = ["--literal-pathspecs", *command, f"--grep={pattern}", "--end-of-options", commit]
    output = run([*command, "--", path], root).stdout
    return [text for text in output.decode(errors="replace").split("\0") if text.strip()]


def files_with(root: str, commit: str, words: Iterable[str]) -> Counter[str]:
    """Count the files of a commit in which each of some whole words stands."""
    patterns = [part for word in words for part in ("-e", word)]
    command = ["grep", "-I", "-o", "-w", "-F", "-z", "--no-color", *patterns, commit]
    output = run(command, root, check=False).stdout.decode(errors="replace")
    places = {tuple(line.partition("\0")[::2]) for line in output.splitlines()}
    return Counter(word for _, word in places)


class BranchPaths(NamedTuple):
    """The paths below some folders on all branches.

    `left_out` is the number of branches that were not read: older ones, and those whose objects
    this clone lacks.
    """

    paths: frozenset[str]
    left_out: int


def on_branches(root: str, folders: frozenset[str], most: int = _MOST_BRANCHES) -> BranchPaths:
    """Return the files below some folders on each branch.

    The folder "" is the root: only the files directly in it are returned. Raises GitError.
    """
    flags = ["--sort=-committerdate", "--format=%(objectname)"]
    command = ["for-each-ref", *flags, "refs/heads", "refs/remotes"]
    # Several branches may be at the same commit.
    commits = list(dict.fromkeys(run(command, root).stdout.decode().split()))
    paths: set[str] = set()
    left_out = len(commits[most:])
    below = sorted(f"{folder}/" for folder in folders if folder)
    for commit in commits[:most]:
        listings: list[list[str] | None] = []
        if below:
            listings.append(_listed(root, commit, "-r", below))
        if "" in folders:
            listings.append(_listed(root, commit, "--full-tree", []))
        left_out += None in listings
        for listing in listings:
            paths.update(listing or ())
    return BranchPaths(frozenset(paths), left_out)


def _listed(root: str, commit: str, flag: str, folders: list[str]) -> list[str] | None:
    """Return names in the tree of a commit; None if this clone lacks an object of it."""
    command = [*_OFFLINE, "--literal-pathspecs", "ls-tree", "-z", "--name-only", flag, commit]
    done = run([*command, "--", *folders], root, check=False)
    if done.returncode:
        return None
    return names(done.stdout)
