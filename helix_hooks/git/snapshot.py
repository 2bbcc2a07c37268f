"""A snapshot of a repository: the work tree as a commit, and the contents of a tree.

Nothing is checked out, so no filter, hook or attribute of the repository changes the contents.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..errors import GitError, HelixError
from . import HEAD, MARKDOWN_FILES, STATUS, Objects, listing, names, run

_NOT_SPARSE = "core.sparseCheckout=false"
_ALTERNATES = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
_AUTHOR = {
    "GIT_AUTHOR_NAME": "helix-hooks",
    "GIT_AUTHOR_EMAIL": "-",
    "GIT_COMMITTER_NAME": "helix-hooks",
    "GIT_COMMITTER_EMAIL": "-",
}
"""The author of the commit, since git refuses one without a name."""


class Item(NamedTuple):
    """An entry of a tree: `kind` as in `check.trees.FILE`, `object` git's name for the content."""

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

    Of the ignored files it has those in `ignored`. Files that git was told to ignore changes of are
    included. New objects are written to `folder`, and none to the repository. git reads them from
    there until this process ends.

    Raises:
        HelixError: Untracked files have more than `most` bytes together, or one can't be read.
    """
    changed = names(run(STATUS, root).stdout)
    head = run(HEAD, root, check=False).stdout.decode().strip()
    # With the setting, git takes a file on the disk for one that the sparse checkout has.
    listed = listing(root, "-c", _NOT_SPARSE)
    # A file that a sparse checkout left out is not deleted.
    hidden = [
        path
        for path in sorted(listed.hidden)
        if path not in listed.sparse or os.path.lexists(os.path.join(root, path))
    ]
    if head and not changed and not hidden and not ignored:
        return WorkTreeCommit(head, head)
    _not_too_much(root, [record[3:] for record in changed if record.startswith("??")], most)
    command = ["rev-parse", "--path-format=absolute", "--git-path"]
    places = [run([*command, name], root).stdout for name in ("index", "objects")]
    index, objects = (os.fsdecode(place).removesuffix("\n") for place in places)
    own_index, own_objects = (os.path.join(folder, name) for name in ("index", "objects"))
    os.makedirs(own_objects, exist_ok=True)
    if os.path.exists(index):
        # With its time, by which git knows the files that it must look at again.
        shutil.copy2(index, own_index)
    before = dict(os.environ)
    os.environ.update(_AUTHOR)
    os.environ["GIT_INDEX_FILE"] = own_index
    os.environ["GIT_OBJECT_DIRECTORY"] = own_objects
    os.environ[_ALTERNATES] = _with_alternate(objects, before)
    try:
        if hidden:
            # Add files as they are on the disk, even if git was told to ignore changes.
            paths = "".join(f"{path}\0" for path in hidden).encode(errors="surrogateescape")
            for flag in ("--no-assume-unchanged", "--no-skip-worktree", "--remove"):
                run(["update-index", flag, "-z", "--stdin"], root, stdin=paths)
        commit = _commit(root, head, ignored)
    finally:
        os.environ.clear()
        os.environ.update(before)
    os.environ[_ALTERNATES] = _with_alternate(own_objects, before)
    return WorkTreeCommit(commit, head)


def _with_alternate(folder: str, variables: Mapping[str, str]) -> str:
    """Return the list of folders with more objects, with another one."""
    return os.pathsep.join(filter(None, (_quoted(folder), variables.get(_ALTERNATES))))


def _quoted(path: str) -> str:
    """Return a path quoted for git's lists of paths."""
    if os.sep != "/" or not any(sign in path for sign in ('"', os.pathsep, "\n")):
        return path
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _commit(root: str, head: str, ignored: tuple[str, ...]) -> str:
    """Commit the work tree, and return the commit. Raises HelixError for an unreadable file."""
    # With a sparse checkout, `git add` would leave out files on the disk without a word.
    settings = ("advice.addEmbeddedRepo=false", "core.safecrlf=false", "core.fsmonitor=false")
    flags = ["-c", settings[0], "-c", settings[1], "-c", settings[2], "-c", _NOT_SPARSE]
    done = run([*flags, "add", "-A", "--ignore-errors"], root, check=False)
    if done.returncode:
        unread = names(run(["diff-files", "--name-only", "-z"], root).stdout)
        others = names(run(["ls-files", "--others", "--exclude-standard", "-z"], root).stdout)
        # A folder is another repository, without a commit.
        unread += [path for path in others if not path.endswith("/")]
        if unread:
            reasons = " ".join(done.stderr.decode(errors="replace").split()) or unread[0]
            raise HelixError(
                f"the work tree can't be reviewed, since `git add` fails: {reasons}; fix it "
                "(permissions, a filter or an encoding), or delete the file"
            )
    if ignored:
        run(["--literal-pathspecs", *flags, "add", "--force", "--", *ignored], root)
    tree = run(["write-tree"], root).stdout.decode().strip()
    parent = ["-p", head] if head else []
    command = ["commit-tree", tree, *parent, "-m", "the work tree"]
    return run(["-c", "commit.gpgSign=false", *command], root).stdout.decode().strip()


def ignored_markdown(root: str) -> list[str]:
    """Return the Markdown files on the disk that git ignores and does not track."""
    command = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--"]
    return names(run([*command, *MARKDOWN_FILES], root).stdout)


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


def contents(root: str, wanted: list[Item], most: int) -> Iterator[bytes]:
    """Yield the bytes of some entries in their order.

    Raises:
        GitError: git can't read an entry.
        HelixError: The entries have more than `most` bytes together; no more are read.
    """
    objects = Objects(root)
    left = most
    try:
        for item in wanted:
            answer = objects.ask(item.object, left + 1)
            if not answer:
                raise GitError(
                    f"git can't read {item.path} ({item.object}); the repository may "
                    "be damaged (try `git fsck`)"
                )
            left -= len(answer[1])
            if left < 0:
                raise HelixError(
                    f"the files, up to {item.path}, have more than the {most // 1_000_000} "
                    "MB that a judge is given; name what it needs with `codebase`"
                )
            yield answer[1]
    finally:
        objects.close()


def difference(root: str, base: str, head: str, paths: list[str], most: int | None = None) -> bytes:
    """Return the patch of some files between two commits, cut after `most` bytes.

    There are three lines around each difference, as on GitHub.
    """
    flags = ["--no-ext-diff", "--no-textconv", "--no-color", "-M", "-U3", "--text"]
    # Settings of the user may change the prefixes.
    prefixes = ["--src-prefix=a/", "--dst-prefix=b/"]
    command = ["--literal-pathspecs", "diff", *flags, *prefixes, base, head, "--", *paths]
    return run(command, root).stdout[:most]
