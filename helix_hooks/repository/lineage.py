"""The versions of one file on a branch's own line of commits, and the commits of a branch."""

import re
from typing import NamedTuple

from ..paths import MAX_BYTES
from .history import is_shallow
from .runner import run

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

    `is_whole` says that none is left out since the file was last added.
    """

    versions: tuple[FileVersion, ...]
    is_whole: bool


def lineage(root: str, revision: str, path: str, most: int = 500) -> Lineage:
    """Return the versions of a file in the first parents of a revision, through renames."""
    command = [
        "--literal-pathspecs",
        *_LOG,
        *_DIFF,
        "--diff-merges=first-parent",
        "--follow",
        "-M",
        "-l2000",
        f"--max-count={most}",
        "--name-status",
        "-z",
        "--format=%x01%H%x00%P",
        "--end-of-options",
        revision,
        "--",
        path,
    ]
    output = run(command, root).stdout.decode(errors="surrogateescape")
    matches = list(_COMMIT.finditer(output))
    ends = [*(match.start() for match in matches[1:]), len(output)]
    found = []
    for match, end in zip(matches, ends, strict=False):
        fields = output[match.end() : end].strip("\n").split("\0")
        status, places = fields[0][:1], [field for field in fields[1:] if field]
        if status and places:
            parent = match[2].partition(" ")[0]
            found.append(FileVersion(match[1], parent, places[-1], status))
    is_begun = bool(found) and found[-1].status == "A" and bool(found[-1].parent)
    is_whole = len(matches) < most and (is_begun or not is_shallow(root))
    return Lineage(tuple(found), is_whole)


class Blob(NamedTuple):
    """A content and git's name for it."""

    object: str
    data: bytes


def blobs(root: str, names: list[str]) -> list[Blob | None]:
    """Return the blobs of names such as `COMMIT:path`; None for what is not there, or is over 1 MB.

    A name with a line end is not there.
    """
    asked = [name if "\n" not in name else "-" for name in names]
    questions = "".join(f"{name}\n" for name in asked).encode(errors="surrogateescape")
    output = run(["cat-file", "--batch"], root, stdin=questions).stdout
    found: list[Blob | None] = []
    at = 0
    for _ in names:
        end = output.index(b"\n", at)
        object, _, facts = output[at:end].rpartition(b" blob ")
        at = end + 1
        if not facts.isdigit():
            found.append(None)
            continue
        size = int(facts)
        data = output[at : at + size]
        found.append(Blob(object.decode(), data) if size <= MAX_BYTES else None)
        at += size + 1
    return found


def messages(root: str, base: str, head: str) -> list[str]:
    """Return the messages of the commits that `head` has and `base` lacks, newest first."""
    command = [*_LOG, f"--max-count={_MOST_MESSAGES}", "-z", "--format=%B"]
    revisions = [head, f"^{base}"] if base else [head]
    output = run([*command, "--end-of-options", *revisions, "--"], root).stdout
    return [text for text in output.decode(errors="replace").split("\0") if text.strip()]
