"""The staged content of a repository, read by path with two processes of git."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..errors import GitError
from ..paths import MAX_BYTES
from .git import git_folder
from .links import FILE, FOLDER, LINK, NOTHING, Place, resolve
from .runner import batches, finish, names, start

if TYPE_CHECKING:
    from typing import IO

    from .runner import Started

_LINK, _LINK_MODE = b"\xa0", b"\0\0\xa0\0"
_AS_LINKS = bytes.maketrans(b"\xe0\x40", b"\xa0\xa0")
"""Modes of links. Those of submodules and collapsed folders are translated to them, so that one
search of a large index finds all three.
"""

_READ_VERSIONS = (2, 3)
"""Versions of the index file with full names, and entries padded to multiples of 8 bytes."""
_MODES, _STEP = 4, 8
"""Offsets of modes in these versions: 4 bytes after multiples of 8.

The header of the file has 12 bytes, and the mode is at byte 24 of an entry.
"""
_TO_HASH, _HASHES = 16, (20, 32)
"""Bytes from the mode of an entry to its hash, and the length of a hash: SHA-1, SHA-256."""
_EXTENDED, _LONGEST_NAME = 0x4000, 0xFFF

_FACTS = 3
"""Words in the header of an object that the reader prints: object, type, size."""


class Index:
    """The staged content of a repository, read by path.

    Paths are looked up in batches and cached. Blobs come from one `git cat-file` that stays open. A
    hook prefetches the paths that it expects, because git takes most of its time.
    """

    _staged = True

    def __init__(self, root: str) -> None:
        self._root = root
        self._entries: dict[str, tuple[str, str] | None] = {}
        self._folders: dict[str, list[str]] = {}
        self._unmerged: set[str] = set()
        self._reader: Started | None = None
        self._prefetched: dict[tuple[str, ...], Started] = {}
        self._complete = False
        self._holding: set[str] = set()
        self._plain: bool | None = None

    def expect(self, paths: Iterable[str], read: bool = False) -> None:
        """Prefetch paths for which `look_up` will be called, and with `read` start the reader."""
        batch = next(iter(batches(list(dict.fromkeys(paths)))))
        self._prefetched[tuple(batch)] = self._listing(batch)
        if read:
            self.pipes()

    def look_up(self, paths: Iterable[str]) -> list[str]:
        """Look several paths up in one call of git, and return all entries at or below them."""
        missing = [path for path in dict.fromkeys(paths) if path not in self._entries]
        self._entries.update(dict.fromkeys(missing))
        if self._complete:
            return []
        return self._list(missing)

    def everything(self) -> dict[str, tuple[str, str]]:
        """Return the kind and the object of each path. Later look-ups need no call of git."""
        self.below("")
        return {path: entry for path, entry in self._entries.items() if entry}

    def below(self, folder: str) -> list[str]:
        """Return the paths below a folder; "" is the root."""
        if folder not in self._folders:
            if self._complete or folder in self._entries:
                self._folders[folder] = self._cached_below(folder)
            else:
                self._folders[folder] = self._list([folder or "."])
            self._complete |= not folder
        return self._folders[folder]

    def _cached_below(self, folder: str) -> list[str]:
        """Return the cached paths below a folder, after it or the whole index was looked up."""
        start = f"{folder}/"
        return [path for path, entry in self._entries.items() if entry and path.startswith(start)]

    def _list(self, paths: list[str]) -> list[str]:
        listed: list[str] = []
        for batch in batches(paths):
            listing = self._prefetched.pop(tuple(batch), None) or self._listing(batch)
            for record in names(self._listed(listing)):
                tab = record.index("\t")
                path = record[tab + 1 :]
                self._entries[path] = (record[:3], self._object(record, tab))
                self._holding.add(path.rpartition("/")[0])
                listed.append(path)
                if self._staged and record[tab - 1] != "0":
                    self._unmerged.add(path)
        # A path in conflict is listed once for each side.
        return list(dict.fromkeys(listed))

    def _listing(self, paths: list[str]) -> "Started":
        return start(self._command(paths), self._root)

    def _listed(self, listing: "Started") -> bytes:
        return finish(listing, "ls-files", check=self._staged)

    def _command(self, paths: list[str]) -> list[str]:
        return ["--literal-pathspecs", "ls-files", "--stage", "-z", "--", *paths]

    def _object(self, record: str, tab: int) -> str:
        """Return the name of the object in a record `100644 <object> 0`, tab, path."""
        # Slices, because there may be thousands of records.
        return record[7 : tab - 2]

    def after_fork(self) -> None:
        """Drop the open reader, which belongs to the parent process."""
        self._reader = None

    def kind(self, path: str) -> str | None:
        """Return FILE, LINK or SUBMODULE; None for a path that the index does not have."""
        if path not in self._entries:
            self.look_up([path])
        entry = self._entries[path]
        if entry:
            return entry[0]
        return None

    def look(self, path: str) -> tuple[str, str]:
        """Return the kind of the entry or folder at a path, and the target of a link."""
        kind = self.kind(path)
        if kind == LINK:
            return LINK, (self.read(path) or b"").decode(errors="surrogateescape")
        if kind:
            return kind, ""
        return (FOLDER if self._holds(path) else NOTHING), ""

    def place(self, path: str) -> Place:
        """Resolve a path through links. If all entries are files, no link is looked for."""
        if self.kind(path) == FILE:
            return Place(FILE, path)
        if self.plain():
            return Place(FOLDER if self._holds(path) else NOTHING, path)
        return resolve(path, self.look)

    def plain(self) -> bool:
        """Return whether all entries are files. If not, all entries are cached."""
        if self._plain is None:
            self._plain = self._is_plain() or all(
                kind == FILE for kind, _ in self.everything().values()
            )
        return self._plain

    def _is_plain(self) -> bool:
        """Return whether the index file shows that all entries are files, without a call of git."""
        try:
            folder = git_folder(self._root)
            place = os.environ.get("GIT_INDEX_FILE") or os.path.join(folder, "index")
            with open(os.path.join(self._root, place), "rb") as file:
                # A split index has most of its entries in another file.
                is_split = any(name.startswith("sharedindex.") for name in os.listdir(folder))
                return not is_split and not may_have_links(file.read())
        except OSError:
            return False

    def _holds(self, path: str) -> bool:
        """Return whether there are entries below a path that was looked up."""
        return path in self._holding or any(
            folder.startswith(f"{path}/") for folder in self._holding
        )

    def blob(self, path: str) -> tuple[str, str] | None:
        """Return the kind and the object of a path."""
        self.kind(path)
        return self._entries[path]

    def unmerged(self, path: str) -> bool:
        """Return whether a path that was looked up is in conflict."""
        return path in self._unmerged

    def read(self, path: str) -> bytes | None:
        """Return the staged bytes of a file or the target of a link, cut after 1 MB.

        None if there is no such entry.
        """
        entry = self._entries[path] if self.kind(path) in (FILE, LINK) else None
        if entry:
            return self._blob(entry[1])
        return None

    def _blob(self, sha: str) -> bytes:
        answer = self._ask_reader(sha)
        if not answer:
            raise GitError(
                f"git has no object {sha}; the repository may be damaged (try `git fsck`)"
            )
        return answer[1]

    def _ask_reader(
        self, name: str, kind: bytes = b"blob", most: int = MAX_BYTES + 1
    ) -> tuple[str, bytes] | None:
        """Ask the reader for the name and the first bytes of an object; None if there is none."""
        questions, answers = self.pipes()
        questions.write(name.encode(errors="surrogateescape") + b"\n")
        questions.flush()
        header = answers.readline().rsplit(b" ", 2)
        if len(header) != _FACTS or not header[2].strip().isdigit():
            return None
        content = _take(answers, int(header[2]), most)
        if header[1] == kind:
            return (header[0].decode(), content)
        return None

    def pipes(self) -> "tuple[IO[bytes], IO[bytes]]":
        """Return the pipes to and from the reader, which is started by the first call.

        Raises:
            GitError: The reader has no pipes.
        """
        if self._reader is None:
            self._reader = start(["cat-file", "--batch"], self._root, stdin=True, stderr=False)
        if not self._reader.stdin or not self._reader.stdout:
            raise GitError("git cat-file has no pipes")
        return self._reader.stdin, self._reader.stdout

    def close(self) -> None:
        """End the processes of git."""
        for listing in self._prefetched.values():
            listing.communicate()
        if self._reader and self._reader.stdin and self._reader.stdout:
            self._reader.stdin.close()
            self._reader.stdout.close()
            self._reader.wait()
            self._reader = None


def _take(stream: "IO[bytes]", size: int, most: int) -> bytes:
    """Return the first bytes of an object. The rest of a huge one is read and dropped."""
    data = stream.read(min(size, most))
    remaining = size - len(data) + 1  # the reader writes a line end after each object
    while remaining > 0:
        remaining -= len(stream.read(min(remaining, 1 << 20))) or remaining
    return data


def may_have_links(index: bytes) -> bool:
    """Return whether the file of an index may have an entry that is not a file.

    It may be true without such an entry, which is rare: other numbers, such as the size of a file,
    may look like a mode.
    """
    # git is not called: that would take longer than the whole search.
    if not index.startswith(b"DIRC"):
        return True
    if index[7] not in _READ_VERSIONS:
        return _LINK_MODE in index.translate(_AS_LINKS)
    return any(_is_entry(index, at) for at in _places(index))


def _places(index: bytes) -> Iterator[int]:
    """Yield the offsets at which the mode of a link may be. Its third byte is the kind."""
    thirds = index[_MODES + 2 :: _STEP].translate(_AS_LINKS)
    number = thirds.find(_LINK)
    while number >= 0:
        at = _MODES + number * _STEP
        if index[at : at + 4].translate(_AS_LINKS) == _LINK_MODE:
            yield at
        number = thirds.find(_LINK, number + 1)


def _is_entry(index: bytes, at: int) -> bool:
    """Return whether a number in an index may be the mode of an entry.

    The hash of the entry, the length of its name and the name must follow.
    """
    return any(_is_name(index, at + _TO_HASH + size) for size in _HASHES)


def _is_name(index: bytes, at: int) -> bool:
    flags = int.from_bytes(index[at : at + 2], "big")
    start = at + (4 if flags & _EXTENDED else 2)
    length = flags & _LONGEST_NAME
    if length == _LONGEST_NAME:
        return True  # the field is full, and the name may be longer
    name, end = index[start : start + length], index[start + length : start + length + 1]
    return length > 0 and end == b"\0" and b"\0" not in name
