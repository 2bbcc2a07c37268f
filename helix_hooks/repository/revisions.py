"""The content of commits, read by path with the interface of `Index`."""

import re
from typing import IO

from .index import Entries, Index
from .links import FOLDER, above
from .runner import names, run

_ENTRY = rb"(?s)(\d+) ([^\0]+)\0"
"""An entry of a tree object up to the name of its object. Compiled only if a tree is read."""

_LARGEST_TREE = 1 << 30
"""Limit for the entries of a folder, in bytes; they are read as a whole."""


class Revision(Index):
    """The content of a commit.

    A revision that does not exist, as HEAD before the first commit, is empty.
    """

    def __init__(self, root: str, name: str, reading: Index | None = None) -> None:
        """Use the reader of the index `reading`, or start one."""
        super().__init__(root)
        self.name, self._reading = name, reading

    def _listed(self) -> Entries:
        command = ["ls-tree", "-r", "-z", "--full-tree", self.name]
        entries: Entries = {}
        for record in names(run(command, self._root, check=False).stdout):
            facts, _, path = record.partition("\t")
            mode, _, object = facts.split(" ")
            entries[path] = (mode[:3], object)
        return entries

    def unmerged(self, path: str) -> bool:  # noqa: ARG002 -- as an index
        """Return False: a commit has no conflicts."""
        return False

    def pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._reading:
            return self._reading.pipes()
        return super().pipes()

    def after_fork(self) -> None:
        super().after_fork()
        if self._reading:
            self._reading.after_fork()


class Head(Revision):
    """The last commit, whose single files are read by the reader of the index.

    The reader is running already, and a hook saves another process. With the from-ref of pre-commit
    it is the commit with which a change is compared.
    """

    def __init__(self, root: str, reading: Index, name: str = "HEAD") -> None:
        super().__init__(root, name, reading)
        self._trees: dict[str, Entries] = {}
        self._root_tree = f"{name}^{{tree}}"

    def exists(self) -> bool:
        """Return whether there is such a commit, and it is not empty."""
        return bool(self._tree("", self._root_tree))

    def entry(self, path: str) -> tuple[str, str] | None:
        entry = self._at(path)
        return entry if entry and entry[0] != FOLDER else None

    def _at(self, path: str) -> tuple[str, str] | None:
        """Return the entry of a path, read from the trees of the folders above it."""
        folder = ""
        *above, name = path.split("/")
        entries = self._tree("", self._root_tree)
        for step in above:
            kind, object = entries.get(step, ("", ""))
            folder = f"{folder}/{step}"
            entries = self._tree(folder, object) if kind == FOLDER else {}
        return entries.get(name)

    def _tree(self, folder: str, object: str) -> Entries:
        if folder not in self._trees:
            tree = self._ask_reader(object, b"tree", _LARGEST_TREE)
            # The name of an object is in hexadecimal digits, two for each byte.
            self._trees[folder] = _entries(tree[1], len(tree[0]) // 2) if tree else {}
        return self._trees[folder]

    def _holds(self, path: str) -> bool:
        entry = self._at(path)
        return entry is not None and entry[0] == FOLDER

    def plain(self) -> bool:
        """Return False: the answer would need all entries, and each tree has the kinds."""
        return False


class Merged(Revision):
    """The result of a merge: the entries of the base, with the changes of another branch."""

    def __init__(self, root: str, base: Index, parted: Index, head: Index) -> None:
        """Apply the changes from `parted`, the merge base, to `head`."""
        super().__init__(root, "", head)
        self._sides = base, parted, head

    def _listed(self) -> Entries:
        base, parted, head = (side.everything() for side in self._sides)
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


def _entries(tree: bytes, width: int) -> Entries:
    """Return the entries of a tree object by name: the kind, as `links.FILE`, and the object.

    `width` is the number of bytes of an object's name.
    """
    # Parsed here, because `git ls-tree` would be another process.
    entries: Entries = {}
    pattern, at = re.compile(_ENTRY), 0
    while entry := pattern.match(tree, at):
        at = entry.end() + width
        mode = entry[1].decode().zfill(6)  # git writes 040000 as 40000
        entries[entry[2].decode(errors="surrogateescape")] = (
            mode[:3],
            tree[entry.end() : at].hex(),
        )
    return entries
