"""A repository at one moment: the work tree as a commit of its own, the entries of a tree, and
their contents.

Nothing is checked out, so no filter, hook or attribute of the repository changes what is read.
"""

import os
import shutil
from collections.abc import Iterator
from typing import NamedTuple

from .. import writing
from ..errors import GitError, HelixError
from . import program
from .git import HEAD, STATUS, known
from .runner import executable, names, run

_ALTERNATES = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
_NOBODY = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "helix-hooks"), ("EMAIL", "-"))
}


class Item(NamedTuple):
    """An entry of a tree: `kind` as in `links.FILE`, `object` git's name for the content."""

    kind: str
    object: str
    path: str


class WorkTreeCommit(NamedTuple):
    """The work tree as a commit, and the last commit of its branch ("" before the first).

    Both are the same if nothing was changed.
    """

    commit: str
    last: str


def work_tree(root: str, folder: str, most: int, ignored: tuple[str, ...] = ()) -> WorkTreeCommit:
    """Write the tracked and untracked files of the work tree as a commit.

    Of the ignored ones it has those named. Files that git was told not to look at are included. New
    objects are written to `folder`, and none to the repository. Git reads them from there while
    this process lives. Raises HelixError if untracked files have more than `most` bytes together.
    """
    changed = names(run(STATUS, root).stdout)
    head = run(HEAD, root, check=False).stdout.decode().strip()
    hidden = _hidden(root)
    if head and not changed and not hidden and not ignored:
        return WorkTreeCommit(head, head)
    _not_too_much(root, [record[3:] for record in changed if record.startswith("??")], most)
    index, objects = (_place(root, name) for name in ("index", "objects"))
    ours = os.path.join(folder, "objects")
    os.makedirs(ours, exist_ok=True)
    if os.path.exists(index):
        shutil.copy2(
            index, os.path.join(folder, "index")
        )  # with its time, by which git knows which files to look at again
    before = dict(os.environ)
    known = os.pathsep.join(filter(None, (_quoted(objects), before.get(_ALTERNATES))))
    os.environ.update(
        {
            "GIT_INDEX_FILE": os.path.join(folder, "index"),
            "GIT_OBJECT_DIRECTORY": ours,
            _ALTERNATES: known,
            **_NOBODY,
        }
    )
    try:
        _look_at(root, hidden)
        commit = _committed(root, head, ignored)
    finally:
        os.environ.clear()
        os.environ.update(before)
    os.environ[_ALTERNATES] = os.pathsep.join(
        filter(None, (_quoted(ours), before.get(_ALTERNATES)))
    )
    return WorkTreeCommit(commit, head)


def _place(root: str, name: str) -> str:
    return (
        run(["rev-parse", "--path-format=absolute", "--git-path", name], root)
        .stdout.decode(errors="surrogateescape")
        .removesuffix("\n")
    )


def _quoted(path: str) -> str:
    """Return a path quoted for git's lists of paths."""
    if os.sep != "/" or not any(sign in path for sign in ('"', os.pathsep, "\n")):
        return path
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _hidden(root: str) -> list[str]:
    """Return tracked files whose changes git does not look at, without those that a sparse checkout
    left out.
    """
    listed = known(root)
    return [
        path
        for path in sorted(listed.hidden)
        if path not in listed.sparse or os.path.lexists(os.path.join(root, path))
    ]


def _look_at(root: str, hidden: list[str]) -> None:
    """Add files to the index as they lie on the disk, even if git was told not to look at them."""
    paths = "".join(f"{path}\0" for path in hidden).encode(errors="surrogateescape")
    for flags in (
        (["--no-assume-unchanged"], ["--no-skip-worktree"], ["--remove"]) if hidden else ()
    ):
        run(["update-index", *flags, "-z", "--stdin"], root, stdin=paths)


def _committed(root: str, head: str, ignored: tuple[str, ...]) -> str:
    flags = [
        "-c",
        "advice.addEmbeddedRepo=false",
        "-c",
        "core.safecrlf=false",
        "-c",
        "core.fsmonitor=false",
    ]
    if run([*flags, "add", "-A", "--ignore-errors"], root, check=False).returncode:
        unread = names(run(["diff-files", "--name-only", "-z"], root).stdout)
        if unread:
            raise HelixError(
                f"{unread[0]} can't be read, so the work tree can't be reviewed; give "
                "yourself permission (chmod +r)"
            )
    if ignored:
        run(["--literal-pathspecs", *flags, "add", "--force", "--", *ignored], root)
    tree = run(["write-tree"], root).stdout.decode().strip()
    parent = ["-p", head] if head else []
    return (
        run(
            ["-c", "commit.gpgSign=false", "commit-tree", tree, *parent, "-m", "the work tree"],
            root,
        )
        .stdout.decode()
        .strip()
    )


def _not_too_much(root: str, untracked: list[str], most: int) -> None:
    size = 0
    for path in untracked:
        try:
            size += os.lstat(os.path.join(root, path)).st_size
        except OSError:
            continue
        if size > most:
            raise HelixError(
                f"the untracked files, up to {path}, have more than "
                f"{most // 1_000_000} MB; ignore what no reviewer needs (.gitignore)"
            )


def contents(root: str, wanted: list[Item], asked: str, most: int) -> Iterator[bytes]:
    """Yield the bytes of some entries in their order. The questions to git are written to the file
    `asked`.

    Raises HelixError before more than `most` bytes would be read, and GitError.
    """
    import subprocess

    writing.replace(asked, "".join(f"{item.object}\n" for item in wanted).encode("ascii"))
    with open(asked, "rb") as questions:
        reader = subprocess.Popen(
            [executable(), "cat-file", "--batch", "--buffer"],
            cwd=root,
            env=program.environment(os.environ),
            stdin=questions,
            stdout=subprocess.PIPE,
            bufsize=1 << 20,
        )
    if not reader.stdout:
        raise GitError("git cat-file has no pipe")
    left = most
    try:
        for item in wanted:
            header = reader.stdout.readline().split()
            if len(header) != 3 or header[1] != b"blob":
                raise GitError(
                    f"git can't read {item.path} ({item.object}); the repository may "
                    "be damaged (try `git fsck`)"
                )
            left -= int(header[2])
            if left < 0:
                raise HelixError(
                    f"the files, up to {item.path}, have more than the {most // 1_000_000} "
                    "MB that a judge is given; name what it needs with `codebase`"
                )
            yield reader.stdout.read(int(header[2]))
            reader.stdout.read(1)
    finally:
        reader.stdout.close()
        reader.kill()
        reader.wait()


def difference(root: str, base: str, head: str, paths: list[str], most: int) -> bytes:
    """Return the differences of some files between two commits as a patch, cut after `most`
    bytes.
    """
    flags = ["--no-ext-diff", "--no-textconv", "--no-color", "-M", "--text"]
    return run(["--literal-pathspecs", "diff", *flags, base, head, "--", *paths], root).stdout[
        :most
    ]


def hunks_of(root: str, base: str, head: str, paths: list[str]) -> bytes:
    """Return the differences of one file, which may be renamed, with three lines around each as on
    GitHub.
    """
    flags = [
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "-M",
        "-U3",
        "--text",
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ]
    return run(["--literal-pathspecs", "diff", *flags, base, head, "--", *paths], root).stdout
