"""The content of commits, read by path with the interface of `Index`."""

import re
from typing import TYPE_CHECKING

from .index import Index
from .links import FOLDER, Place, above

if TYPE_CHECKING:
    from typing import IO

_ENTRY = rb"(?s)(\d+) ([^\0]+)\0"
"""An entry of a tree object up to the name of its object. Compiled only if a tree is read."""

_LARGEST_TREE = 1 << 30
"""Limit for the entries of a folder, in bytes; they are read as a whole."""


class Revision(Index):
    """The content of a commit.

    A revision that does not exist, as HEAD before the first commit, is empty.
    """

    _staged = False

    def __init__(self, root: str, name: str, reading: Index | None = None) -> None:
        """Use the reader of the index `reading`, or start one."""
        super().__init__(root)
        self.name, self._reading = name, reading

    def _command(self, paths: list[str]) -> list[str]:
        below = [path for path in paths if path != "."]
        return ["ls-tree", "-r", "-z", "--full-tree", self.name, "--", *below]

    def _is_plain(self) -> bool:
        return False

    def place(self, path: str) -> Place:
        self.plain()  # one call of git for all paths instead of one for each
        return super().place(path)

    def _object(self, record: str, tab: int) -> str:
        """Return the name of the object in a record `100644 blob <object>`, tab, path."""
        return record[record.rindex(" ", 0, tab) + 1 : tab]

    def pipes(self) -> "tuple[IO[bytes], IO[bytes]]":
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
        self._trees: dict[str, dict[str, tuple[str, str]]] = {}
        self._root_tree = f"{name}^{{tree}}"

    def exists(self) -> bool:
        """Return whether there is such a commit, and it is not empty."""
        return bool(self._tree("", self._root_tree))

    def _list(self, paths: list[str]) -> list[str]:
        if "." in paths:
            return super()._list(paths)
        for path in paths:
            entry = self._at(path)
            if entry and entry[0] != FOLDER:
                self._entries[path] = entry
        return [path for path in paths if self._entries.get(path)]

    def below(self, folder: str) -> list[str]:
        if folder:
            self.everything()
        return super().below(folder)

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

    def _tree(self, folder: str, object: str) -> dict[str, tuple[str, str]]:
        if folder not in self._trees:
            tree = self._ask_reader(object, b"tree", _LARGEST_TREE)
            # The name of an object is in hexadecimal digits, two for each byte.
            self._trees[folder] = _entries(tree[1], len(tree[0]) // 2) if tree else {}
        return self._trees[folder]

    def _holds(self, path: str) -> bool:
        entry = self._at(path)
        return entry is not None and entry[0] == FOLDER

    def plain(self) -> bool:
        """Return False: the answer would need a call of git, and each tree has the kinds."""
        return False


class Merged(Revision):
    """The result of a merge: the entries of the base, with the changes of another branch."""

    def __init__(self, root: str, base: Index, parted: Index, head: Index) -> None:
        """Apply the changes from `parted`, the merge base, to `head`."""
        super().__init__(root, "", head)
        old, new = parted.everything(), head.everything()
        changed = [path for path in {**old, **new} if old.get(path) != new.get(path)]
        written = {path: new[path] for path in changed if path in new}
        # If a file and a folder have the same path, the one of the change stays.
        replaced = set(changed)
        for path in written:
            replaced.update(above(path))
        for path, entry in base.everything().items():
            if path not in replaced and written.keys().isdisjoint(above(path)):
                self._entries[path] = entry
        self._entries.update(written)
        self._folders[""] = [*self._entries]
        self._holding.update(path.rpartition("/")[0] for path in self._entries)
        self._complete = True


def _entries(tree: bytes, width: int) -> dict[str, tuple[str, str]]:
    """Return the entries of a tree object by name: the kind, as `links.FILE`, and the object.

    `width` is the number of bytes of an object's name.
    """
    # Parsed here, because `git ls-tree` would be another process.
    entries: dict[str, tuple[str, str]] = {}
    pattern, at = re.compile(_ENTRY), 0
    while entry := pattern.match(tree, at):
        at = entry.end() + width
        mode = entry[1].decode().zfill(6)  # git writes 040000 as 40000
        entries[entry[2].decode(errors="surrogateescape")] = (
            mode[:3],
            tree[entry.end() : at].hex(),
        )
    return entries
