"""The content of commits, read by path as `Index` reads what is staged."""

import re

from ..records import TYPE_CHECKING
from .index import Index
from .links import FOLDER, Place, above

if TYPE_CHECKING:
    from typing import IO

_ENTRY = rb"(?s)(\d+) ([^\0]+)\0"
"""An entry of a tree object up to the name of its object; compiled where it is used."""

_LARGEST_TREE = 1 << 30
"""Bytes of a folder's list of entries, which is read in whole."""


class Revision(Index):
    """The content of a commit.

    A revision that does not exist, as HEAD before the first commit, is empty.
    """

    _staged = False

    def __init__(self, root: str, name: str, reading: Index | None = None) -> None:
        """`reading` is an index whose reader serves here too."""
        super().__init__(root)
        self.name, self._reading = name, reading

    def _command(self, paths: list[str]) -> list[str]:
        below = [path for path in paths if path != "."]
        return ["ls-tree", "-r", "-z", "--full-tree", self.name, "--", *below]

    def _is_plain(self) -> bool:
        return False

    def place(self, path: str) -> Place:
        self.plain()  # one call for all paths, in the place of one for each
        return super().place(path)

    def _object(self, record: str, tab: int) -> str:
        """Return the name of the object in a record `100644 blob <object>`, tab, path."""
        return record[record.rindex(" ", 0, tab) + 1 : tab]

    def pipes(self) -> "tuple[IO[bytes], IO[bytes]]":
        return self._reading.pipes() if self._reading else super().pipes()


class Head(Revision):
    """The last commit, asked for single files by the reader of the index.

    That is open already; a process more would be felt in a hook. With pre-commit's from-ref it is
    the commit from which a change is measured.
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
            found = self._asked(object, b"tree", _LARGEST_TREE)
            self._trees[folder] = _entries(found[1], len(found[0]) // 2) if found else {}
        return self._trees[folder]

    def _holds(self, path: str) -> bool:
        entry = self._at(path)
        return entry is not None and entry[0] == FOLDER

    def plain(self) -> bool:
        """Not known, and not worth a call: a tree says it of each entry."""
        return False


class Merged(Revision):
    """The result of a merge: the entries of the base, replaced where the change has changed
    them.
    """

    def __init__(self, root: str, base: Index, parted: Index, head: Index) -> None:
        super().__init__(root, "", head)
        was, now, found = parted.everything(), head.everything(), base.everything()
        changed = [path for path in {**was, **now} if was.get(path) != now.get(path)]
        new = {path: now[path] for path in changed if path in now}
        gone = {*changed, *(folder for path in new for folder in above(path))}
        # of a file and a folder in one place only the change's stays
        kept = {
            path: entry
            for path, entry in found.items()
            if path not in gone and new.keys().isdisjoint(above(path))
        }
        self._entries.update({**kept, **new})
        self._folders[""] = [*self._entries]
        self._holding.update(path.rpartition("/")[0] for path in self._entries)
        self._complete = True


def _entries(tree: bytes, width: int) -> dict[str, tuple[str, str]]:
    """Return the entries of a tree object by name: the kind, as `links.FILE`, and the object.

    `width` is the bytes of an object's name. It is read here, since a call of git costs too much.
    """
    found: dict[str, tuple[str, str]] = {}
    pattern, at = re.compile(_ENTRY), 0
    while entry := pattern.match(tree, at):
        at = entry.end() + width
        mode = entry[1].decode().zfill(6)
        found[entry[2].decode(errors="surrogateescape")] = (mode[:3], tree[entry.end() : at].hex())
    return found
