"""Trees of files: what all of them can do, those in git, and the way through links.

A tree is on the disk (`work_tree`), in the index or in a commit. Links inside it are followed.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from typing import NamedTuple

from ..adr.parse.document import AdrDocument, parse, unreadable
from ..errors import ConfigError, GitError
from ..git import Objects, names, run
from ..paths import is_markdown
from ..yaml_reader import Defect

FILE, FOLDER, LINK, SUBMODULE = "100", "040", "120", "160"
"""Kinds of entries, by the first digits of git's mode; files are 100644 and 100755."""

OTHER = "other"
"""A pipe or a device."""

CLOSED = "closed"
"""An entry below a folder that may not be read."""

NOTHING, WRONG = "", "wrong"
"""Kinds of places: nothing, or an entry that is not a file or folder of this tree."""

MOST_LINKS = 40
"""Maximum number of links in one path; Linux has the same limit."""

LONGEST_TARGET = 4096
"""Maximum length of the target of a link, in characters: PATH_MAX of Linux. A commit may have more.
"""

MAY_NOT_BE_READ = "may not be read"
_OUT = "leads out of the repository"
_NOWHERE = "leads to nothing in the repository"
_NO_FILES = {
    SUBMODULE: "is a submodule, whose files belong to another repository",
    OTHER: "is not a regular file",
    CLOSED: MAY_NOT_BE_READ,
}

Entries = dict[str, tuple[str, str]]
"""The kind and the name of the object of each path."""

_NO_ENTRY = (NOTHING, "")

Look = Callable[[str], tuple[str, str]]
"""Return the kind of the entry at a path without links above it, and the target of a link."""

SKIPPED_FOLDERS = (".git", "node_modules", "vendor", ".venv")
_COMMIT = "commit the file itself"
_OPEN = "give yourself permission for its folder (chmod u+rx)"


class Place(NamedTuple):
    """The end of a path after its links are followed: `kind` is FILE, FOLDER, NOTHING or WRONG.

    `path` is the resolved path, which has no links. `reason` explains WRONG, as in "config is a
    submodule". `links` are the links that were followed.
    """

    kind: str
    path: str
    reason: str = ""
    links: tuple[str, ...] = ()

    @property
    def passed(self) -> frozenset[str]:
        """Return the paths that decide about the place: the end, and the links on the way."""
        return frozenset((self.path, *self.links))


class Tree(ABC):
    """Files of a repository by their path in it: on the disk, in the index, or in a commit.

    Each subclass lists its entries: `paths`, `links`, `look` and `stored`. Links on the way to
    a file are followed here, for all of them, but not to the text of an ADR.
    """

    unreadable = ""
    """The defect of a file whose bytes can't be read."""

    def __init__(self, root: str) -> None:
        self.root = root

    @property
    @abstractmethod
    def paths(self) -> Collection[str]:
        """The paths of all files, links and submodules."""

    @cached_property
    @abstractmethod
    def links(self) -> frozenset[str]:
        """The paths that are links."""

    @abstractmethod
    def submodules(self) -> list[str]:
        """Return the paths of the submodules."""

    @abstractmethod
    def look(self, path: str) -> tuple[str, str]:
        """Return the kind of the entry at a path without links above it, and a link's target."""

    @abstractmethod
    def stored(self, path: str) -> bytes | None:
        """Return the bytes of a path without links, cut after 1 MB; None if they can't be read."""

    @abstractmethod
    def on_disk(self, path: str) -> bool:
        """Return whether a path is on the disk, or is left out by a sparse checkout."""

    @abstractmethod
    def present(self, paths: Collection[str]) -> set[str]:
        """Return those of some paths at which there is a file or a folder."""

    @abstractmethod
    def after_fork(self) -> None:
        """Drop what belongs to the parent process. Called in a child before anything is read."""

    def place(self, path: str) -> Place:
        """Resolve a path through links."""
        return resolve(path, self.look)

    def has(self, path: str) -> bool:
        """Return whether a path, with its links followed, is a file."""
        return self.place(path).kind == FILE

    def there(self, path: str) -> bool:
        """Return whether a path is anything at all: a file, a folder, or a broken link."""
        return self.place(path).kind != NOTHING

    def tracked(self, path: str) -> bool:
        """Return whether git tracks an entry; outside of a repository, whether it exists."""
        return self.there(path)

    def is_folder(self, path: str) -> bool:
        """Return whether there is a folder, also on the disk."""
        return self.place(path).kind == FOLDER or os.path.isdir(os.path.join(self.root, path))

    def raw(self, path: str) -> bytes | None:
        """Return the bytes that `document` parses; None if they can't be read."""
        place = self.place(path)
        return self.stored(place.path) if place.kind == FILE else None

    def content(self, path: str) -> bytes:
        """Return the bytes of a file, cut after 1 MB; empty if they can't be read."""
        return self.raw(path) or b""

    def text(self, path: str) -> str:
        """Return the text of a file with LF line ends and without a byte order mark."""
        text = self.content(path).removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file that must be readable, cut after 1 MB; None if it is missing.

        Raises:
            ConfigError: The entry is not a readable file of this tree.
        """
        if not self.there(path):
            return None
        data = self.raw(path)
        if data is None:
            raise ConfigError(path, 1, "", self._reason(path))
        return data

    def document(self, path: str) -> AdrDocument:
        """Return the parsed file, or a document with the reason why the file can't be read.

        Links are not followed: the text of an ADR, or of its concept, is in the file itself.
        """
        place = self.place(path)
        if place.links and place.kind != WRONG:
            way_out = _COMMIT
            if place.kind == FOLDER:
                way_out = f'add its target to the settings, as in paths: ["{place.path}/**/*.md"]'
            return unreadable(path, Defect(1, f"{place.links[0]} is a symbolic link; {way_out}"))
        data = self.raw(path)
        if data is None:
            return unreadable(path, Defect(1, self._reason(path)))
        return parse(data, path)

    def _reason(self, path: str) -> str:
        """Return the reason why an entry can't be read, with the fix."""
        place = self.place(path)
        if place.kind == NOTHING:
            return f"{path} is not there"
        if place.kind == FOLDER:
            return f"{path} is a folder; expected a file"
        if place.kind == FILE:
            return self.unreadable
        way_out = _OPEN if place.reason.endswith(MAY_NOT_BE_READ) else _COMMIT
        return f"{place.reason}; {way_out}"

    def folder(self, path: str) -> list[str]:
        """Return the paths of the files below a folder, which may be a link to one."""
        place = self.place(path) if path else None
        start = f"{place.path}/" if place and place.path else ""
        below = [name for name in self.paths if name.startswith(start)]
        if place and place.links:
            return [f"{path}/{name.removeprefix(start)}" for name in below]
        return below

    def markdown(self, folder: str) -> list[str]:
        """Return the paths of the Markdown files below a folder. Only these may be ADRs."""
        return [path for path in self.folder(folder) if is_markdown(path)]


class GitTree(Tree):
    """Files in git. Their contents come from `Objects`, which trees of a repository may share."""

    unreadable = "the merge of this file is not finished; resolve it and `git add` it"

    def __init__(self, root: str, sharing: "GitTree | None" = None) -> None:
        super().__init__(root)
        self._is_sharing = sharing is not None
        self.objects: Objects = sharing.objects if sharing else Objects(root)
        self._unmerged: set[str] = set()

    @cached_property
    @abstractmethod
    def entries(self) -> Entries:
        """The kind and the object of each path. Each subclass lists them."""

    @property
    def paths(self) -> Collection[str]:
        return self.entries

    @cached_property
    def _odd(self) -> dict[str, str]:
        """The kinds of all entries that are not files."""
        return {path: kind for path, (kind, _) in self.entries.items() if kind != FILE}

    @cached_property
    def links(self) -> frozenset[str]:
        return frozenset(path for path, kind in self._odd.items() if kind == LINK)

    def submodules(self) -> list[str]:
        return [path for path, kind in self._odd.items() if kind == SUBMODULE]

    def entry(self, path: str) -> tuple[str, str]:
        """Return the kind and the object of a path; the kind of a path without one is NOTHING."""
        return self.entries.get(path, _NO_ENTRY)

    def is_plain(self, path: str) -> bool:
        """Return whether a path itself is a file."""
        return self.entry(path)[0] == FILE

    def is_link(self, path: str) -> bool:
        """Return whether a path itself is a link."""
        return self.entry(path)[0] == LINK

    def look(self, path: str) -> tuple[str, str]:
        kind, _ = self.entry(path)
        if kind == LINK:
            return LINK, (self.stored(path) or b"").decode(errors="surrogateescape")
        return kind or (FOLDER if path in self._folders else NOTHING), ""

    @cached_property
    def _folders(self) -> frozenset[str]:
        folders: set[str] = set()
        for path in self.entries:
            folder = path.rpartition("/")[0]
            if folder not in folders:
                folders.update((folder, *above(folder)))
        return frozenset(folders)

    def place(self, path: str) -> Place:
        # In git, the path of a file has no link.
        if self.entry(path)[0] == FILE:
            return Place(FILE, path)
        if self._odd:
            return super().place(path)
        return Place(FOLDER if path in self._folders else NOTHING, path)

    def stored(self, path: str) -> bytes | None:
        """Return the bytes of a file or the target of a link; None for an unfinished merge.

        Raises:
            GitError: git lacks the object.
        """
        kind, object = self.entry(path)
        if kind not in (FILE, LINK) or path in self._unmerged:
            return None
        answer = self.objects.ask(object)
        if not answer:
            raise GitError(
                f"git has no object {object}; the repository may be damaged (try `git fsck`)"
            )
        return answer[1]

    def on_disk(self, path: str) -> bool:
        return self.there(path) or os.path.lexists(os.path.join(self.root, path))

    def present(self, paths: Collection[str]) -> set[str]:
        names = [path.rstrip("/") for path in paths]
        # A new folder has no entry yet.
        return {
            name
            for name in names
            if self.there(name) or os.path.isdir(os.path.join(self.root, name))
        }

    def blob(self, path: str) -> tuple[str, str] | None:
        """Return the kind and the object of a path. A link has those of its file."""
        place = self.place(path)
        return self.entries.get(place.path if place.kind == FILE else path)

    def same(self, path: str, other: "GitTree", other_path: str) -> bool:
        """Return whether two paths have the same content."""
        return self.blob(path) == other.blob(other_path)

    def after_fork(self) -> None:
        self.objects.after_fork()

    def close(self) -> None:
        """End the process that reads objects, unless another tree has started it."""
        if not self._is_sharing:
            self.objects.close()


class Index(GitTree):
    """The staged content of a repository."""

    @cached_property
    def entries(self) -> Entries:
        entries: Entries = {}
        for record in names(run(["ls-files", "--stage", "-z"], self.root).stdout):
            facts, _, path = record.partition("\t")
            mode, object, stage = facts.split(" ")
            # A path in conflict is listed once for each side.
            entries[path] = (mode[:3], object)
            if stage != "0":
                self._unmerged.add(path)
        return entries


class Revision(GitTree):
    """The content of a commit.

    A revision that does not exist, as HEAD before the first commit, is empty.
    """

    def __init__(self, root: str, name: str, sharing: GitTree | None = None) -> None:
        super().__init__(root, sharing)
        self.name = name

    @cached_property
    def entries(self) -> Entries:
        """Raises: GitError: git can't list the files of the commit."""
        command = ["ls-tree", "-r", "-z", "--full-tree", self.name]
        done = run(command, self.root, check=False)
        if done.returncode:
            from ..git.history import is_named  # a hook that reads HEAD does without

            if is_named(self.root, self.name):
                raise GitError(f"git can't list the files of {self.name}; try `git fsck`")
        entries: Entries = {}
        for record in names(done.stdout):
            facts, _, path = record.partition("\t")
            mode, _, object = facts.split(" ")
            entries[path] = (mode[:3], object)
        return entries


def walk(folder: str) -> Iterator[str]:
    """Yield the files below a folder of the disk, without those of git and of packages."""
    for place, folders, files in os.walk(folder):
        # os.walk() enters the folders that remain in its list.
        folders[:] = sorted(set(folders).difference(SKIPPED_FOLDERS))
        yield from (os.path.join(place, name) for name in sorted(files))


def resolve(path: str, look: Look) -> Place:
    """Follow the links in all components of a path."""
    done: list[str] = []
    links: list[str] = []
    waiting = path.split("/")[::-1]
    # The number of waiting components that belong to the path itself. Those of a link's target are
    # above them on the stack.
    own = len(waiting)
    kind = FOLDER
    while waiting:
        own = min(own, len(waiting))
        name = waiting.pop()
        if name in ("", "."):
            continue
        here = "/".join((*done, name))
        # `..` is a folder that was passed before.
        kind, target = (FOLDER, "") if name == ".." else look(here)
        if kind == LINK:
            links.append(here)
            own = min(own, len(waiting))
        problem = _problem(name, kind, target, not done, len(links))
        if problem:
            return Place(WRONG, here, _reason(here, links, problem), tuple(links))
        if name == "..":
            done.pop()
        elif kind == LINK:
            waiting += target.split("/")[::-1]
            kind = FOLDER  # the folder of the link, if its target is "."
        elif kind == FOLDER or (kind == FILE and not waiting):
            done.append(name)
        elif links and (len(waiting) > own or (kind == NOTHING and len(waiting) == own)):
            # The way ends in the target of a link, which makes the link a broken one.
            return Place(WRONG, here, _reason(here, links, _NOWHERE), tuple(links))
        else:
            return Place(NOTHING, path, "", tuple(links))
    return Place(kind, "/".join(done), "", tuple(links))


def _problem(name: str, kind: str, target: str, at_the_root: bool, followed: int) -> str:
    """Return the reason why a component can't be followed; "" if it can."""
    problem = ""
    if name == "..":
        problem = _OUT if at_the_root else ""
    elif name.casefold() == ".git":
        problem = "leads into git's own folder"
    elif kind in _NO_FILES:
        problem = _NO_FILES[kind]
    elif kind == LINK and followed > MOST_LINKS:
        problem = "is part of a loop"
    elif kind == LINK and (not target or len(target) > LONGEST_TARGET):
        problem = _NOWHERE
    # Also a path of Windows, such as C:/x: the same commit may be checked out there.
    elif kind == LINK and (target.startswith("/") or target[1:3] in (":/", ":\\")):
        problem = _OUT
    return problem


def _reason(here: str, links: list[str], problem: str) -> str:
    """Return a problem as a sentence about the first link, or about an entry that is not a file."""
    if problem in _NO_FILES.values() or not links:
        return f"{here} {problem}"
    return f"{links[0]} is a symbolic link that {problem}"


def above(path: str) -> Iterator[str]:
    """Return the folders above a path, the nearest first."""
    while path := path.rpartition("/")[0]:
        yield path
