"""The staged content of a repository, read by path with two processes of git."""

import subprocess
from functools import cached_property
from typing import IO

from ..errors import GitError
from ..paths import MAX_BYTES
from .links import FILE, FOLDER, LINK, NOTHING, Place, above, resolve
from .runner import names, run, start

_FACTS = 3
"""Words in the header of an object that the reader prints: object, type, size."""

Entries = dict[str, tuple[str, str]]
"""The kind, as `links.FILE`, and the name of the object of each path."""


class Index:
    """The staged content of a repository, read by path.

    git lists all entries at once. Blobs come from one `git cat-file` that stays open.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._unmerged: set[str] = set()
        self._reader: subprocess.Popen[bytes] | None = None

    def everything(self) -> Entries:
        """Return the kind and the object of each path."""
        return self._entries

    @cached_property
    def _entries(self) -> Entries:
        return self._listed()

    def _listed(self) -> Entries:
        entries: Entries = {}
        for record in names(run(["ls-files", "--stage", "-z"], self._root).stdout):
            facts, _, path = record.partition("\t")
            mode, object, stage = facts.split(" ")
            # A path in conflict is listed once for each side.
            entries[path] = (mode[:3], object)
            if stage != "0":
                self._unmerged.add(path)
        return entries

    def below(self, folder: str) -> list[str]:
        """Return the paths below a folder; "" is the root."""
        start = f"{folder}/" if folder else ""
        return [path for path in self.everything() if path.startswith(start)]

    def entry(self, path: str) -> tuple[str, str] | None:
        """Return the kind and the object of a path; None without one."""
        return self.everything().get(path)

    def kind(self, path: str) -> str | None:
        """Return FILE, LINK or SUBMODULE; None for a path that the index does not have."""
        entry = self.entry(path)
        return entry[0] if entry else None

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
        """Return whether all entries are files."""
        return self._is_plain

    @cached_property
    def _is_plain(self) -> bool:
        return all(kind == FILE for kind, _ in self.everything().values())

    def _holds(self, path: str) -> bool:
        """Return whether there are entries below a path."""
        return path in self._folders

    @cached_property
    def _folders(self) -> frozenset[str]:
        parents = {path.rpartition("/")[0] for path in self.everything()}
        return frozenset(parents.union(*map(above, parents)))

    def unmerged(self, path: str) -> bool:
        """Return whether a path is in conflict."""
        self.everything()
        return path in self._unmerged

    def read(self, path: str) -> bytes | None:
        """Return the staged bytes of a file or the target of a link, cut after 1 MB.

        None if there is no such entry.
        """
        entry = self.entry(path)
        if entry and entry[0] in (FILE, LINK):
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

    def pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """Return the pipes to and from the reader, which is started by the first call.

        Raises:
            GitError: The reader has no pipes.
        """
        if self._reader is None:
            self._reader = start(["cat-file", "--batch"], self._root)
        if not self._reader.stdin or not self._reader.stdout:
            raise GitError("git cat-file has no pipes")
        return self._reader.stdin, self._reader.stdout

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


def _take(stream: IO[bytes], size: int, most: int) -> bytes:
    """Return the first bytes of an object. The rest of a huge one is read and dropped."""
    data = stream.read(min(size, most))
    remaining = size - len(data) + 1  # the reader writes a line end after each object
    while remaining > 0:
        remaining -= len(stream.read(min(remaining, 1 << 20))) or remaining
    return data
