"""Which files of a tree a judge is given a copy of."""

import os
import re

from ..repository.git import FILE
from ..repository.snapshot import Item
from ..text.invisible import without_invisible
from ..verdict.injection.signs import is_instruction

MOST_BYTES = 500_000_000
"""Total size of a copied tree."""

_POINTER = b"version https://git-lfs.github.com/spec/"
_LARGEST_POINTER = 1024


def is_copied(item: Item) -> bool:
    """Whether a judge is given an entry of a tree: a regular file, at a harmless place, that is no instruction to an agent."""
    return item.kind == FILE and not is_instruction(item.path) and all(map(_harmless, item.path.split("/"))) and not _hides(item.path)


def _hides(path: str) -> bool:
    """Files by which an author could keep others from a search."""
    return path.rpartition("/")[2].casefold() in (".gitignore", ".ignore", ".rgignore", ".fdignore")


def _harmless(name: str) -> bool:
    """A name that leads nowhere else, and that no file system takes for git's own folder."""
    plain = without_invisible(name).casefold().rstrip(". ")
    return plain not in ("", ".git", "git~1") and not (os.name == "nt" and re.search(r'[\\:*?"<>|]', name))


def is_pointer(data: bytes) -> bool:
    """Whether a file only stands for one that lies in large file storage."""
    return len(data) < _LARGEST_POINTER and data.startswith(_POINTER)
