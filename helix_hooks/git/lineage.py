"""The versions of one file on a branch's own line of commits, and the commits of a branch."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..paths import MAX_BYTES
from . import run
from .history import is_shallow

_COMMIT = re.compile(r"\x01([0-9a-f]{40,64})\0([0-9a-f ]*)\0")
_LOG = ["log", "--no-show-signature", "--encoding=UTF-8"]
_DIFF = ["--no-ext-diff", "--no-textconv", "--first-parent"]
_MOST_MESSAGES = 1_000


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
    versions, is_complete = _versions(root, revision, path, most)
    while is_complete and versions and (old := _renamed(root, versions[-1])):
        first = versions.pop()
        versions.append(first._replace(status="R"))
        older, is_complete = _versions(root, first.parent, old, most - len(versions))
        versions += older
    is_begun = bool(versions) and versions[-1].status == "A" and bool(versions[-1].parent)
    is_whole = is_complete and (is_begun or not is_shallow(root))
    return Lineage(tuple(versions), is_whole)


def _versions(root: str, revision: str, path: str, most: int) -> tuple[list[FileVersion], bool]:
    """Return the versions of one path, and whether they are fewer than `most`."""
    flags = ["--diff-merges=first-parent", "--no-renames", f"--max-count={most}"]
    command = ["--literal-pathspecs", *_LOG, *_DIFF, *flags, "--name-status", "-z"]
    command += ["--format=%x01%H%x00%P", "--end-of-options", revision, "--", path]
    output = run(command, root).stdout.decode(errors="surrogateescape")
    records = list(_records(output))
    versions = [
        FileVersion(sha, parents.partition(" ")[0], fields[1], fields[0][:1])
        for sha, parents, fields in records
        if len(fields) > 1 and fields[0] and fields[1]
    ]
    return versions, len(records) < most


def _renamed(root: str, version: FileVersion) -> str:
    """Return the path that the first commit of a file renamed to its path, "" for a new file."""
    if version.status != "A" or not version.parent:
        return ""
    command = ["diff-tree", "-r", "--no-ext-diff", "--no-textconv", "-M", "-l2000"]
    command += ["--diff-filter=R", "--name-status", "-z"]
    output = run([*command, version.parent, version.commit], root).stdout
    fields = output.decode(errors="surrogateescape").split("\0")
    renamed = dict(zip(fields[2::3], fields[1::3], strict=False))
    return renamed.get(version.path, "")


def _records(output: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the hash and the parents of each commit, and the fields about its files."""
    matches = list(_COMMIT.finditer(output))
    ends = [*(match.start() for match in matches[1:]), len(output)]
    for match, end in zip(matches, ends, strict=False):
        yield match[1], match[2], output[match.end() : end].strip("\n").split("\0")


class Blob(NamedTuple):
    """A content, and the name of its object in git."""

    object: str
    data: bytes


def blobs(root: str, names: list[str]) -> list[Blob | None]:
    """Return the blobs of names such as `COMMIT:path`.

    None for a name that does not exist or has a line end, and for a content over 1 MB.
    """
    questions = [name if "\n" not in name else "-" for name in names]
    stdin = "".join(f"{name}\n" for name in questions).encode(errors="surrogateescape")
    output = run(["cat-file", "--batch"], root, stdin=stdin).stdout
    contents: list[Blob | None] = []
    at = 0
    for _ in names:
        end = output.index(b"\n", at)
        object, _, facts = output[at:end].rpartition(b" blob ")
        at = end + 1
        if not facts.isdigit():  # as in `NAME missing`
            contents.append(None)
            continue
        size = int(facts)
        data = output[at : at + size]
        contents.append(Blob(object.decode(), data) if size <= MAX_BYTES else None)
        at += size + 1
    return contents


def messages(root: str, base: str, head: str) -> list[str]:
    """Return the messages of the commits that `head` has and `base` lacks, newest first."""
    command = [*_LOG, f"--max-count={_MOST_MESSAGES}", "-z", "--format=%B"]
    revisions = [head, f"^{base}"] if base else [head]
    output = run([*command, "--end-of-options", *revisions, "--"], root).stdout
    return [text for text in output.decode(errors="replace").split("\0") if text.strip()]
