"""What git knows: the repository's root, the index, staged and tracked paths. Plumbing commands only, NUL-separated.

The hook calls git twice; importing GitPython would cost more than all the rest of it.
"""

import os
import subprocess
from collections.abc import Iterable
from typing import IO, NamedTuple

from ..errors import GitError
from ..paths import MAX_BYTES
from . import links, program
from .git_formats import may_have_links
from .links import FOLDER, NOTHING, Place, resolve

KNOWN = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-v", "-z"]
STATUS = ["--no-optional-locks", "-c", "core.fsmonitor=false", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames",
          "--ignore-submodules=dirty"]  # fmt: skip
HEAD = ["rev-parse", "--verify", "--quiet", "HEAD"]
COMMON = ["rev-parse", "--path-format=absolute", "--git-common-dir"]
_AHEAD: "dict[tuple[str | None, ...], subprocess.Popen[bytes]]" = {}
"""Commands that were begun before anyone asked for their answer."""

_MEANT_OTHERWISE = frozenset(f"GIT_{kind}_PATHSPECS" for kind in ("GLOB", "NOGLOB", "ICASE", "LITERAL"))
"""Variables by which git would take paths for patterns, or refuse to take them literally."""

_FACTS = 3
"""Words of an answer of the reader: object, type, size."""

FILE, LINK, SUBMODULE = links.FILE, links.LINK, links.SUBMODULE

_SUBMODULES = ["--ignore-submodules=none"]
"""A submodule is an entry like any other, whatever `.gitmodules` says."""

_AS_IT_IS = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": f"{os.devnull}/none"}
"""Variables by which git reads the objects that a commit names, and none that this clone would put in their place."""


def repository() -> str | None:
    """The root of the work tree the current folder is in, None outside of one.

    It is the nearest folder with a `.git`, a directory or, in linked work trees and submodules, a file. Asking git for it
    would cost a process, so that is done only where the environment says that it lies elsewhere.
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


def _git_folder(root: str) -> str:
    """Where git keeps the index of a work tree, found without a call. Raises OSError."""
    place = os.path.join(root, os.environ.get("GIT_DIR") or ".git")
    if os.path.isdir(place):
        return place
    with open(place, "rb") as file:
        return os.path.join(root, os.fsdecode(file.read(MAX_BYTES).removeprefix(b"gitdir: ").rstrip(b"\n")))


def given(repository: str | None, arguments: Iterable[str]) -> list[str]:
    """The arguments of a command line as paths in the repository; one outside of it stays absolute."""
    root = repository or os.getcwd()
    return [_inside(root, argument) for argument in arguments]


def _inside(root: str, argument: str) -> str:
    absolute = os.path.abspath(argument)
    folder, name = os.path.split(absolute)
    places = (os.path.join(os.path.realpath(folder), name), absolute)
    found = (os.path.relpath(place, os.path.realpath(root)) for place in places)
    return slashes(next((path for path in found if not path.startswith("..")), absolute))


def slashes(path: str) -> str:
    """A path of the file system as git writes it."""
    return path if os.sep == "/" else path.replace(os.sep, "/")


def staged_paths(root: str) -> list[str]:
    """Paths whose content in the index differs from HEAD, deleted ones left out; before the first commit, all."""
    return names(run(["diff", "--cached", "--name-only", "--no-ext-diff", "--no-renames", "--diff-filter=d", "-z", *_SUBMODULES], root).stdout)


class Known(NamedTuple):
    """Tracked paths, and untracked ones that are not ignored.

    `hidden` are those whose changes on the disk git does not look at (assume-unchanged and skip-worktree); of `sparse` ones
    (skip-worktree) git does not expect that they are on the disk.
    """

    paths: list[str]
    untracked: frozenset[str]
    hidden: frozenset[str]
    sparse: frozenset[str]


def known(root: str) -> Known:
    listed: dict[str, str] = {record[2:]: record[0] for record in names(run(KNOWN, root).stdout)}
    hidden = frozenset(path for path, tag in listed.items() if tag == "S" or tag.islower())
    sparse = frozenset(path for path in hidden if listed[path] in "sS")
    return Known(list(listed), frozenset(path for path, tag in listed.items() if tag == "?"), hidden, sparse)


def ahead(root: str) -> None:
    """Let git begin with what a check of the whole work tree asks first, while the program goes on loading."""
    begin(root, KNOWN, since_commit("HEAD", staged=False))


def begin(root: str, *commands: list[str]) -> None:
    """Let git begin with some commands that will be run, while the program goes on loading."""
    for command in commands:
        _AHEAD[root, *command] = _start(command, root)


def forget() -> None:
    """End what was begun and nobody asked for."""
    while _AHEAD:
        _, process = _AHEAD.popitem()
        process.kill()
        process.communicate()


def since_commit(base: str, staged: bool, paths: Iterable[str] = (), other: str = "") -> list[str]:
    """The command that lists what differs between a commit and the work tree, or the index, or another commit."""
    against = [base, other] if other else [*(["--cached"] if staged else []), base]
    submodules = _SUBMODULES if other or staged else ["--ignore-submodules=dirty"]
    return ["--literal-pathspecs", "diff", "--name-status", "-z", "-M", "-l2000", "--no-ext-diff", *submodules, *against, "--", *paths]


def writes_links_as_text(root: str) -> bool:
    """Whether git was told that the file system has no symbolic links."""
    return run(["config", "--type=bool", "--get", "core.symlinks"], root, check=False).stdout.strip() == b"false"


def merging(root: str) -> bool:
    """Whether a merge is going on, whose commit will have a second parent."""
    try:
        return os.path.exists(os.path.join(_git_folder(root), "MERGE_HEAD"))
    except OSError:
        return False  # a repository without a work tree


def speaking_of(root: str, words: Iterable[str]) -> list[str]:
    """Staged Markdown files that contain one of some words."""
    arguments = [argument for word in words for argument in ("-e", word)]
    command = ["grep", "--no-color", "--cached", "-l", "-z", "-a", "-F", "--no-recurse-submodules", *arguments, "--", "*.md"]
    return names(run(command, root, check=False).stdout) if arguments else []


def in_head(root: str, path: str) -> bool:
    return run(["cat-file", "-e", f"HEAD:{path}"], root, check=False).returncode == 0


class Index:
    """The staged content of a repository, read by path.

    Paths are looked up in batches and remembered; blobs come from one `git cat-file` that stays open. Git can be set to
    work on paths that are expected, while the program goes on loading: a hook has little else to wait for.
    """

    _staged = True

    def __init__(self, root: str) -> None:
        self._root = root
        self._entries: dict[str, tuple[str, str] | None] = {}
        self._folders: dict[str, list[str]] = {}
        self._unmerged: set[str] = set()
        self._reader: subprocess.Popen[bytes] | None = None
        self._ahead: dict[tuple[str, ...], subprocess.Popen[bytes]] = {}
        self._complete = False
        self._holding: set[str] = set()
        self._plain: bool | None = None

    def expect(self, paths: Iterable[str], read: bool = False) -> None:
        """Let git begin to look up paths for which `look_up` will be called, and get ready to read them."""
        batch = next(iter(batches(list(dict.fromkeys(paths)))))
        self._ahead[tuple(batch)] = self._listing(batch)
        if read:
            self.pipes()

    def look_up(self, paths: Iterable[str]) -> list[str]:
        """Ask the index for paths at once, so that they cost one call. Returns all it has at or below them."""
        wanted = [path for path in dict.fromkeys(paths) if path not in self._entries]
        self._entries.update(dict.fromkeys(wanted))
        return [] if self._complete else self._list(wanted)

    def everything(self) -> dict[str, tuple[str, str]]:
        """The kind and the object of each path; after this no other look-up costs a call."""
        self.below("")
        return {path: entry for path, entry in self._entries.items() if entry}

    def below(self, folder: str) -> list[str]:
        """The paths below a folder, "" being the root."""
        if folder not in self._folders:
            known = self._complete or folder in self._entries
            self._folders[folder] = self._known_below(folder) if known else self._list([folder or "."])
            self._complete |= not folder
        return self._folders[folder]

    def _known_below(self, folder: str) -> list[str]:
        """What has been listed already, when the whole index or this very folder was looked up."""
        return [path for path, entry in self._entries.items() if entry and path.startswith(f"{folder}/")]

    def _list(self, paths: list[str]) -> list[str]:
        found = []
        for batch in batches(paths):
            listing = self._ahead.pop(tuple(batch), None) or self._listing(batch)
            for record in names(self._listed(listing)):
                tab = record.index("\t")
                path = record[tab + 1 :]
                self._entries[path] = (record[:3], self._object(record, tab))
                self._holding.add(path.rpartition("/")[0])
                found.append(path)
                if self._staged and record[tab - 1] != "0":
                    self._unmerged.add(path)
        return list(dict.fromkeys(found))

    def _listing(self, paths: list[str]) -> "subprocess.Popen[bytes]":
        return _start(self._command(paths), self._root)

    def _listed(self, listing: "subprocess.Popen[bytes]") -> bytes:
        return _finish(listing, "ls-files", check=self._staged)

    def _command(self, paths: list[str]) -> list[str]:
        return ["--literal-pathspecs", "ls-files", "--stage", "-z", "--", *paths]

    def _object(self, record: str, tab: int) -> str:
        """The name of the object in a record `100644 <object> 0`, tab, path; by slices, since there may be thousands."""
        return record[7 : tab - 2]

    def in_a_process_of_its_own(self) -> None:
        """Forget the open reader, which belongs to the process this one was split from."""
        self._reader = None

    def kind(self, path: str) -> str | None:
        """FILE, LINK or SUBMODULE; None for a path that the index does not have."""
        if path not in self._entries:
            self.look_up([path])
        entry = self._entries[path]
        return entry[0] if entry else None

    def look(self, path: str) -> tuple[str, str]:
        """The kind of what stands at a path, a folder too, and where a link points to."""
        kind = self.kind(path)
        if kind == LINK:
            return LINK, (self.read(path) or b"").decode(errors="surrogateescape")
        return kind or (FOLDER if self._holds(path) else NOTHING), ""

    def place(self, path: str) -> Place:
        """Where a path leads to; where all entries are files, that is the path itself or nothing."""
        if self.kind(path) == FILE:
            return Place(FILE, path)
        if self.plain():
            return Place(FOLDER if self._holds(path) else NOTHING, path)
        return resolve(path, self.look)

    def plain(self) -> bool:
        """Whether all entries are files; if not, all entries are known from now on."""
        if self._plain is None:
            self._plain = self._is_plain() or not any(kind != FILE for kind, _ in self.everything().values())
        return self._plain

    def _is_plain(self) -> bool:
        """Whether the index's file says so, which costs no call of git; an index in two parts does not."""
        try:
            folder = _git_folder(self._root)
            place = os.environ.get("GIT_INDEX_FILE") or os.path.join(folder, "index")
            with open(os.path.join(self._root, place), "rb") as file:
                in_parts = any(name.startswith("sharedindex.") for name in os.listdir(folder))
                return not in_parts and not may_have_links(file.read())
        except OSError:
            return False

    def _holds(self, path: str) -> bool:
        """Whether something lies below a path that was looked up."""
        return path in self._holding or any(folder.startswith(f"{path}/") for folder in self._holding)

    def blob(self, path: str) -> tuple[str, str] | None:
        """The kind and the object of a path."""
        self.kind(path)
        return self._entries[path]

    def unmerged(self, path: str) -> bool:
        return path in self._unmerged

    def read(self, path: str) -> bytes | None:
        """The staged bytes of a file or the target of a link, cut behind 1 MB; None for a path without any."""
        entry = self._entries[path] if self.kind(path) in (FILE, LINK) else None
        return self._blob(entry[1]) if entry else None

    def _blob(self, sha: str) -> bytes:
        answer = self._asked(sha)
        if not answer:
            raise GitError(f"git has no object {sha}; the repository may be damaged (try `git fsck`)")
        return answer[1]

    def _asked(self, name: str, kind: bytes = b"blob", most: int = MAX_BYTES + 1) -> tuple[str, bytes] | None:
        """What the reader says to a name: the object's own, and its first bytes; None where there is no such one."""
        questions, answers = self.pipes()
        questions.write(name.encode(errors="surrogateescape") + b"\n")
        questions.flush()
        header = answers.readline().rsplit(b" ", 2)
        if len(header) != _FACTS or not header[2].strip().isdigit():
            return None
        content = _take(answers, int(header[2]), most)
        return (header[0].decode(), content) if header[1] == kind else None

    def pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._reader is None:
            self._reader = _start(["cat-file", "--batch"], self._root, stdin=subprocess.PIPE, stderr=None)
        if not self._reader.stdin or not self._reader.stdout:
            raise GitError("git cat-file has no pipes")
        return self._reader.stdin, self._reader.stdout

    def close(self) -> None:
        for listing in self._ahead.values():
            listing.communicate()
        if self._reader and self._reader.stdin and self._reader.stdout:
            self._reader.stdin.close()
            self._reader.stdout.close()
            self._reader.wait()
            self._reader = None


def _take(stream: IO[bytes], size: int, most: int) -> bytes:
    """The first bytes of an object; the rest of a huge one is read past without keeping it."""
    kept = stream.read(min(size, most))
    left = size - len(kept) + 1
    while left > 0:
        left -= len(stream.read(min(left, 1 << 20))) or left
    return kept


def run(arguments: list[str], root: str | None = None, check: bool = True, given: bytes | None = None) -> "subprocess.CompletedProcess[bytes]":
    process = _AHEAD.pop((root, *arguments), None) or _start(arguments, root, None if given is None else subprocess.PIPE)
    output = _finish(process, verb(arguments), check, given)
    return subprocess.CompletedProcess(arguments, process.returncode, output)


def verb(arguments: list[str]) -> str:
    """The command among the arguments of a call, behind flags and settings."""
    words = (word for before, word in zip(["", *arguments], arguments, strict=False) if before != "-c" and not word.startswith("-"))
    return next(words, "")


def _start(arguments: list[str], root: str | None, stdin: int | None = None, stderr: int | None = subprocess.PIPE) -> "subprocess.Popen[bytes]":
    variables = environment()
    try:
        return subprocess.Popen([place(), *arguments], cwd=root, env=variables, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr)
    except FileNotFoundError:
        raise GitError("git is not installed, or not on the PATH") from None


def environment() -> dict[str, str]:
    """Return the variables that git is started with, after removing those that would change what its answers mean."""
    for name in _MEANT_OTHERWISE & os.environ.keys():
        del os.environ[name]
    os.environ.update(_AS_IT_IS)
    return program.environment(os.environ)


def place() -> str:
    """Where git is, as an absolute path. Raises GitError where there is none."""
    found = program.found("git", os.environ)
    if not found:
        raise GitError("git is not installed, or not on the PATH")
    return found


def _finish(process: "subprocess.Popen[bytes]", command: str, check: bool = True, given: bytes | None = None) -> bytes:
    output, error = process.communicate(given)
    if check and process.returncode:
        reason = error.decode(errors="replace").strip().splitlines()
        raise GitError(f"git {command} failed: {reason[0] if reason else f'exit code {process.returncode}'}")
    return output


def names(output: bytes) -> list[str]:
    return output.decode(errors="surrogateescape").split("\0")[:-1]


def batches(paths: list[str]) -> Iterable[list[str]]:
    """Command lines have a limit; Windows has the lowest, 32,767 characters."""
    batch: list[str] = []
    size = 0
    for path in paths:
        if batch and size + len(path) > 20_000:
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += len(path) + 1
    if batch:
        yield batch
