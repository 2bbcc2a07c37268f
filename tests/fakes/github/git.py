"""What the fake GitHub reads from a real repository: commits, the files between two commits, and where a line stands in a diff.

All is asked by commit, which never changes, so each answer is kept.
"""

import contextlib
import functools
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_STATUS = {
    "A": "added",
    "M": "modified",
    "D": "removed",
    "R": "renamed",
    "C": "copied",
    "T": "changed",
}
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
LONGEST_PATCH = 1_000_000
_FULL = re.compile(r"[0-9a-f]{40}")
_RESOLVED: dict[tuple[Path, str], str] = {}
"""The commits that full names mean, which never change."""


class Signature(NamedTuple):
    """Who made a commit, and when, in seconds since 1970."""

    name: str
    email: str
    time: int


class Commit(NamedTuple):
    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str


class Change(NamedTuple):
    """What happened to one file. `sha` is the blob after the change, or before it where the file is gone."""

    sha: str
    filename: str
    previous: str | None
    status: str
    additions: int
    deletions: int
    patch: str | None


class Spot(NamedTuple):
    """Where a line stands in a patch: the number of its hunk, and how many lines below the first hunk's header."""

    hunk: int
    position: int


def git(repository: Path, *arguments: str) -> str:
    found = subprocess.run(
        ["git", "-C", str(repository), *arguments], capture_output=True, check=True
    )
    return found.stdout.decode(errors="replace")


def resolve(repository: Path, name: str) -> str | None:
    """Return the commit that a name means now.

    Each request asks for some, so a branch that git has in a file of its own is read from there.
    """
    if name.startswith("refs/heads/"):
        with contextlib.suppress(OSError):
            text = (repository / ".git" / name).read_text(encoding="ascii").strip()
            if _FULL.fullmatch(text):
                return text
    if _FULL.fullmatch(name) and (repository, name) in _RESOLVED:
        return _RESOLVED[repository, name]
    asked = [
        "git",
        "-C",
        str(repository),
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        f"{name}^{{commit}}",
    ]
    found = (
        subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or None
    )
    if found and _FULL.fullmatch(name):
        _RESOLVED[repository, name] = found
    return found


@functools.cache
def merge_base(repository: Path, base: str, head: str) -> str:
    return git(repository, "merge-base", base, head).strip()


@functools.cache
def commits(repository: Path, base: str, head: str) -> tuple[Commit, ...]:
    """The commits of `head` that `base` lacks, oldest first."""
    return _log(repository, f"{base}..{head}")


@functools.cache
def commit(repository: Path, sha: str) -> Commit:
    return _log(repository, "--max-count=1", sha)[0]


def _log(repository: Path, *asked: str) -> tuple[Commit, ...]:
    form = "--format=%H%n%T%n%P%n%an%n%ae%n%at%n%cn%n%ce%n%ct%n%B"
    records = git(repository, "log", "-z", "--reverse", "--topo-order", form, *asked, "--").split(
        "\0"
    )
    return tuple(_commit(record.split("\n", 9)) for record in records if record)


def _commit(fields: list[str]) -> Commit:
    sha, tree, parents, name, email, time, committer, committer_email, committed, message = fields
    author = Signature(name, email, int(time))
    return Commit(
        sha,
        tree,
        tuple(parents.split()),
        author,
        Signature(committer, committer_email, int(committed)),
        message.rstrip("\n"),
    )


@functools.cache
def changes(repository: Path, base: str, head: str) -> tuple[Change, ...]:
    """The files that differ between two commits, with renames found as GitHub finds them."""
    options = ("--no-color", "--no-ext-diff", "--no-textconv", "--find-renames")
    raw = git(repository, "diff", "--raw", "-z", "--abbrev=40", *options, base, head, "--").split(
        "\0"
    )
    patches = iter(
        re.split(
            r"^diff --git .*\n",
            git(repository, "diff", "--unified=3", *options, base, head, "--"),
            flags=re.MULTILINE,
        )[1:]
    )
    return tuple(_change(kind, names, shas, patches) for kind, names, shas in _raw(raw))


def _raw(fields: list[str]) -> Iterator[tuple[str, list[str], tuple[str, str]]]:
    """The entries of `git diff --raw -z`: the letter, one name or two, and the blobs before and after."""
    rest = iter(fields)
    for entry in rest:
        if entry:
            _, _, before, after, kind = entry.split()
            yield kind[0], [next(rest) for _ in range(2 if kind[0] in "RC" else 1)], (before, after)


def _change(kind: str, names: list[str], shas: tuple[str, str], patches: Iterator[str]) -> Change:
    patch = _hunks(next(patches))
    if kind == "T":  # git shows a changed type as a removal and an addition
        next(patches)
        patch = ""
    lines = patch.split("\n")
    return Change(
        sha=shas[0] if kind == "D" else shas[1],
        filename=names[-1],
        previous=names[0] if kind == "R" else None,
        status=_STATUS[kind],
        additions=sum(line.startswith("+") for line in lines),
        deletions=sum(line.startswith("-") for line in lines),
        patch=patch if patch and len(patch.encode()) <= LONGEST_PATCH else None,
    )


def _hunks(section: str) -> str:
    """A file's part of a patch without its head; nothing of a binary file."""
    start = re.search(r"^@@ ", section, re.MULTILINE)
    return section[start.start() :].removesuffix("\n") if start else ""


def spots(patch: str) -> dict[tuple[str, int], Spot]:
    """Every line that a comment can stand at, by side and number. A line of context stands on both sides."""
    found = {}
    hunk, left, right = 0, 0, 0
    for position, line in enumerate(patch.split("\n")):
        if header := _HUNK.match(line):
            hunk, left, right = hunk + 1, int(header[1]), int(header[3])
            continue
        if line[:1] in (" ", "-"):
            found["LEFT", left] = Spot(hunk, position)
            left += 1
        if line[:1] in (" ", "+"):
            found["RIGHT", right] = Spot(hunk, position)
            right += 1
    return found
