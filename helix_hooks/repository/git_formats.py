"""Two of git's own formats, read where another call of git would be felt. Pure."""

import re

_MODES = (b"\0\0\xa0\0", b"\0\0\xe0\0", b"\0\0\x40\0")
"""The modes of links, submodules and collapsed folders as the file of the index has them, in each
of its versions.
"""

_ENTRY = re.compile(rb"(\d+) ([^\0]+)\0", re.DOTALL)


def may_have_links(index: bytes) -> bool:
    """Return whether an index may have an entry that is not a file.

    The answer may be yes for an index without links, rarely, because any bytes may look like a
    mode.
    """
    return not index.startswith(b"DIRC") or any(mode in index for mode in _MODES)


def tree(data: bytes, width: int) -> dict[str, tuple[str, str]]:
    """Return the entries of a tree object by name, each with its kind, such as `links.FILE`, and
    its object.

    `width` is the length of an object's name in bytes.
    """
    found: dict[str, tuple[str, str]] = {}
    at = 0
    while entry := _ENTRY.match(data, at):
        at = entry.end() + width
        mode = entry[1].decode().zfill(6)
        found[entry[2].decode(errors="surrogateescape")] = (mode[:3], data[entry.end() : at].hex())
    return found
