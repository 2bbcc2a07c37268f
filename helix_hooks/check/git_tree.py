"""The files of a repository in git: in the index, or in a commit."""

import os
import re
import subprocess
from collections.abc import Collection
from functools import cached_property

from ..adr.parse.document import AdrDocument, parse, unreadable
from ..errors import GitError
from ..git import names, run, start
from ..paths import MAX_BYTES, is_markdown
from ..yaml_reader import Defect
from .trees import (
    FILE,
    FOLDER,
    LINK,
    NOTHING,
    SUBMODULE,
    Place,
    above,
    below,
    names_of_links,
    refused,
    resolve,
    unread,
)

_UNMERGED = Defect(1, "the merge of this file is not finished; resolve it and `git add` it")

_FACTS = 3
"""Words in the header of an object that git prints: object, type, size."""

_ENTRY = rb"(?s)(\d+) ([^\0]+)\0"
"""An entry of a tree object up to the name of its object. Compiled only if a tree is read."""

_LARGEST_TREE = 1 << 30
"""Limit for the entries of a folder, in bytes; they are read as a whole."""

Entries = dict[str, tuple[str, str]]
"""The kind, as `trees.FILE`, and the name of the object of each path."""


_NO_ENTRY = (NOTHING, "")


class Objects:
    """The objects of a repository, read by one `git cat-file`, which the first question starts."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._reader: subprocess.Popen[bytes] | None = None

    def ask(
        self, name: str, kind: bytes = b"blob", most: int = MAX_BYTES + 1
    ) -> tuple[str, bytes] | None:
        """Return the id and the first bytes of an object; None if there is none of this kind.

        Raises:
            GitError: The reader has no pipes.
        """
        if self._reader is None:
            self._reader = start(["cat-file", "--batch"], self._root)
        questions, answers = self._reader.stdin, self._reader.stdout
        if not questions or not answers:
            raise GitError("git cat-file has no pipes")
        questions.write(name.encode(errors="surrogateescape") + b"\n")
        questions.flush()
        header = answers.readline().rsplit(b" ", 2)
        if len(header) != _FACTS or not header[2].strip().isdigit():
            return None
        size = int(header[2])
        content = answers.read(min(size, most))
        # The rest of a huge object is dropped, with the line end after each object.
        remaining = size - len(content) + 1
        while remaining > 0:
            remaining -= len(answers.read(min(remaining, 1 << 20))) or remaining
        return (header[0].decode(), content) if header[1] == kind else None

    def after_fork(self) -> None:
        """Drop the open reader, which belongs to the parent process."""
        self._reader = None

    def close(self) -> None:
        """End the reader."""
        if self._reader and self._reader.stdin and self._reader.stdout:
            self._reader.stdin.close()
            self._reader.stdout.close()
            self._reader.wait()
            self._reader = None


class GitTree:
    """Files in git, of the repository at `root`: a `Tree` without a work tree.

    git lists all entries at once. Their contents come from `Objects`, which a tree of the same
    repository may share.
    """

    def __init__(self, root: str, sharing: "GitTree | None" = None) -> None:
        self._root, self._is_sharing = root, sharing is not None
        self.objects: Objects = sharing.objects if sharing else Objects(root)
        self._unmerged: set[str] = set()
        self.linked_adrs_cache: list[tuple[object, frozenset[str]]] = []

    # Entries, without a look through links.

    @cached_property
    def entries(self) -> Entries:
        """The kind and the object of each path. Each subclass lists them; this one raises."""
        raise NotImplementedError

    def entry(self, path: str) -> tuple[str, str]:
        """Return the kind and the object of a path; the kind of a path without one is NOTHING."""
        return self.entries.get(path, _NO_ENTRY)

    def is_link(self, path: str) -> bool:
        """Return whether a path itself is a link."""
        return self.entry(path)[0] == LINK

    def look(self, path: str) -> tuple[str, str]:
        """Return the kind of the entry or folder at a path, and the target of a link."""
        kind, _ = self.entry(path)
        if kind == LINK:
            return LINK, (self.stored(path) or b"").decode(errors="surrogateescape")
        if kind:
            return kind, ""
        return (FOLDER if self.holds(path) else NOTHING), ""

    @cached_property
    def is_plain(self) -> bool:
        """True if all entries are files."""
        return {kind for kind, _ in self.entries.values()} <= {FILE}

    def holds(self, path: str) -> bool:
        """Return whether there are entries below a path."""
        return path in self._folders

    @cached_property
    def _folders(self) -> frozenset[str]:
        folders: set[str] = set()
        for path in self.entries:
            folder = path.rpartition("/")[0]
            if folder not in folders:
                folders.update((folder, *above(folder)))
        return frozenset(folders)

    def stored(self, path: str) -> bytes | None:
        """Return the bytes of a file or the target of a link, cut after 1 MB.

        None if there is no such entry.

        Raises:
            GitError: git lacks the object.
        """
        kind, object = self.entry(path)
        if kind not in (FILE, LINK):
            return None
        answer = self.objects.ask(object)
        if not answer:
            raise GitError(
                f"git has no object {object}; the repository may be damaged (try `git fsck`)"
            )
        return answer[1]

    # Files, with links followed, as `Tree` describes them.

    def place(self, path: str) -> Place:
        # If all entries are files, no link is looked for.
        if self.entry(path)[0] == FILE:
            return Place(FILE, path)
        if self.is_plain:
            return Place(FOLDER if self.holds(path) else NOTHING, path)
        return resolve(path, self.look)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file; None if there is nothing.

        Raises:
            ConfigError: The entry is not a file of this tree.
        """
        place = self.place(path)
        if place.kind == NOTHING:
            return None
        if place.kind != FILE:
            raise refused(path, place)
        return self.stored(place.path)

    def content(self, path: str) -> bytes:
        place = self.place(path)
        return (self.stored(place.path) or b"") if place.kind == FILE else b""

    def raw(self, path: str) -> bytes | None:
        place = self.place(path)
        if place.kind != FILE or self._unmerged & {path, place.path}:
            return None
        return self.stored(place.path)

    def document(self, path: str) -> AdrDocument:
        data = self.raw(path)
        if data is not None:
            return parse(data, path)
        place = self.place(path)
        if self._unmerged & {path, place.path}:
            return unreadable(path, _UNMERGED)
        return unread(path, place)

    def has(self, path: str) -> bool:
        return self.place(path).kind == FILE

    def there(self, path: str) -> bool:
        return self.place(path).kind != NOTHING

    tracked = there

    def closed(self) -> list[str]:
        return []

    def on_disk(self, path: str) -> bool:
        return self.there(path) or os.path.lexists(os.path.join(self._root, path))

    def is_folder(self, path: str) -> bool:
        return self.place(path).kind == FOLDER or os.path.isdir(os.path.join(self._root, path))

    def folder(self, path: str) -> list[str]:
        paths = below(self.entries, path)
        linked = self.names()
        return list(dict.fromkeys((*paths, *below(linked, path)))) if linked else paths

    def markdown(self, folder: str) -> list[str]:
        return [path for path in self.folder(folder) if is_markdown(path)]

    def names(self) -> dict[str, Place]:
        return {} if self.is_plain else self._names

    @cached_property
    def _names(self) -> dict[str, Place]:
        linked = [path for path, (kind, _) in self.entries.items() if kind == LINK]
        return names_of_links(self.entries, linked, self.look)

    def submodules(self) -> list[str]:
        if self.is_plain:
            return []
        return [path for path, (kind, _) in self.entries.items() if kind == SUBMODULE]

    def present(self, paths: Collection[str]) -> set[str]:
        existing: set[str] = set()
        for path in paths:
            name = path.rstrip("/")
            # The index would list all files in a folder, so folders are looked up on the disk.
            is_file = "." in name.rpartition("/")[2] and self._has_entry(name)
            if is_file or os.path.isdir(os.path.join(self._root, name)):
                existing.add(name)
        return existing

    def _has_entry(self, path: str) -> bool:
        return self.entry(path) != _NO_ENTRY or (not self.is_plain and self.there(path))

    def blob(self, path: str) -> tuple[str, str] | None:
        """Return the kind and the object of a path. A link has those of its file."""
        place = self.place(path)
        entry = self.entry(place.path if place.kind == FILE else path)
        return entry if entry != _NO_ENTRY else None

    def same(self, path: str, other: "GitTree", other_path: str) -> bool:
        """Return whether two paths have the same content."""
        return self.blob(path) == other.blob(other_path)

    def remember(self) -> None:
        _ = self.entries

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
        for record in names(run(["ls-files", "--stage", "-z"], self._root).stdout):
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
        command = ["ls-tree", "-r", "-z", "--full-tree", self.name]
        entries: Entries = {}
        for record in names(run(command, self._root, check=False).stdout):
            facts, _, path = record.partition("\t")
            mode, _, object = facts.split(" ")
            entries[path] = (mode[:3], object)
        return entries


class Head(Revision):
    """The last commit, whose single files are read without a list of all entries.

    A hook saves another process: the reader of the index is running already. With the from-ref of
    pre-commit it is the commit with which a change is compared.
    """

    def __init__(self, root: str, sharing: GitTree, name: str = "HEAD") -> None:
        super().__init__(root, name, sharing)
        self._trees: dict[str, Entries] = {}

    @cached_property
    def is_plain(self) -> bool:
        """False: the answer would need all entries, and each tree has the kinds."""
        return False

    def exists(self) -> bool:
        """Return whether there is such a commit, and it is not empty."""
        return bool(self._tree("", f"{self.name}^{{tree}}"))

    def entry(self, path: str) -> tuple[str, str]:
        entry = self._at(path)
        return entry if entry[0] != FOLDER else _NO_ENTRY

    def holds(self, path: str) -> bool:
        return self._at(path)[0] == FOLDER

    def _at(self, path: str) -> tuple[str, str]:
        """Return the entry of a path, read from the trees of the folders above it."""
        folder = ""
        *above, name = path.split("/")
        entries = self._tree("", f"{self.name}^{{tree}}")
        for step in above:
            kind, object = entries.get(step, _NO_ENTRY)
            folder = f"{folder}/{step}"
            entries = self._tree(folder, object) if kind == FOLDER else {}
        return entries.get(name, _NO_ENTRY)

    def _tree(self, folder: str, object: str) -> Entries:
        """Return the entries of a folder by name, from its tree object."""
        if folder in self._trees:
            return self._trees[folder]
        # Parsed here, because `git ls-tree` would be another process.
        entries = self._trees[folder] = {}
        name, tree = self.objects.ask(object, b"tree", _LARGEST_TREE) or ("", b"")
        width = len(name) // 2  # the bytes of the name of an object, which are two digits each
        pattern, at = re.compile(_ENTRY), 0
        while entry := pattern.match(tree, at):
            at = entry.end() + width
            mode = entry[1].decode().zfill(6)  # git writes 040000 as 40000
            path = entry[2].decode(errors="surrogateescape")
            entries[path] = (mode[:3], tree[entry.end() : at].hex())
        return entries


class Merged(Revision):
    """The result of a merge: the entries of the base, with the changes of another branch."""

    def __init__(self, root: str, base: GitTree, parted: GitTree, head: GitTree) -> None:
        """Apply the changes from `parted`, the merge base, to `head`."""
        super().__init__(root, "", head)
        self._sides = base, parted, head

    @cached_property
    def entries(self) -> Entries:
        base, parted, head = (side.entries for side in self._sides)
        changed = [path for path in {**parted, **head} if parted.get(path) != head.get(path)]
        written = {path: head[path] for path in changed if path in head}
        # If a file and a folder have the same path, the one of the change stays.
        replaced = set(changed)
        for path in written:
            replaced.update(above(path))
        remaining = {
            path: entry
            for path, entry in base.items()
            if path not in replaced and written.keys().isdisjoint(above(path))
        }
        return {**remaining, **written}
