"""The files of a tree that are copied for a judge."""

import os
import re

from ..check.trees import FILE
from ..git.snapshot import Item
from ..text.invisible import without_invisible
from ..verdict.injection.signs import is_instruction

MOST_BYTES = 500_000_000
"""Maximum total size of a copied tree."""

_POINTER = b"version https://git-lfs.github.com/spec/"
_LARGEST_POINTER = 1024


def is_copied(item: Item) -> bool:
    """Return whether an entry of a tree is copied for a judge.

    It must be a regular file at a safe path, and not an instruction to an agent.
    """
    if item.kind != FILE or is_instruction(item.path) or _hides(item.path):
        return False
    return all(map(_is_harmless, item.path.split("/")))


def _hides(path: str) -> bool:
    """Return whether a file could hide others from a search."""
    return path.rpartition("/")[2].casefold() in (".gitignore", ".ignore", ".rgignore", ".fdignore")


def _is_harmless(name: str) -> bool:
    """Return whether a name is safe on any system: it is not git's folder, nor leads elsewhere."""
    # Windows and macOS ignore case, dots and spaces at the end, and some invisible characters.
    plain = without_invisible(name).casefold().rstrip(". ")
    if plain in ("", ".git", "git~1"):
        return False
    return os.name != "nt" or not re.search(r'[\\:*?"<>|]', name)


def is_pointer(data: bytes) -> bool:
    """Return whether a file is a pointer of Git LFS."""
    return len(data) < _LARGEST_POINTER and data.startswith(_POINTER)
