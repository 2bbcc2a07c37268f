"""The co-authors in the message of a commit, read as GitHub reads it."""

import re

_TRAILER = re.compile(r"^[ \t]*co-authored-by:([^<\n]*)<([^>\n]+)>", re.IGNORECASE | re.MULTILINE)


def co_authors(message: str) -> list[tuple[str, str]]:
    """Return name and address of each co-author."""
    return [(name.strip(), address.strip()) for name, address in _TRAILER.findall(message)]
