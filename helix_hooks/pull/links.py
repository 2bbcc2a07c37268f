"""Addresses on GitHub for links in our texts, all in the repository of the pull request. Pure."""

import re
from typing import NamedTuple

_SERVER = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?")
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/")

_LONE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that do not represent a byte of a name."""


class Links(NamedTuple):
    """`server` is the address of GitHub, "" for texts without links.

    `comment` is the id of the summary comment, 0 for none yet.
    """

    server: str = ""
    repository: str = ""
    number: int = 0
    head: str = ""
    comment: int = 0

    def file(self, words: str, path: str, line: int = 0) -> str:
        """Return a link to a file at the head, at a line (0 for none). `words` are Markdown."""
        if not path:
            return words
        # GitHub shows a line of a Markdown file only with `plain=1` (docs.github.com, "Creating a
        # permanent link to a code snippet").
        at = f"?plain=1#L{line}" if line else ""
        return self._to(words, f"blob/{self.head}/{_quoted(path)}{at}")

    def review(self, words: str) -> str:
        """Return a link to the changed files, where a review is written."""
        return self._to(words, f"pull/{self.number}/files")

    def box(self, words: str) -> str:
        """Return a link to the box for a new comment."""
        return self._to(words, f"pull/{self.number}#issue-comment-box")

    def checks(self, words: str) -> str:
        """Return a link to the checks of the pull request."""
        return self._to(words, f"pull/{self.number}/checks")

    def page(self, words: str) -> str:
        """Return a link to the summary comment, or to the pull request without one."""
        comment = f"#issuecomment-{self.comment}" if self.comment else ""
        return self._to(words, f"pull/{self.number}{comment}")

    def _to(self, words: str, where: str) -> str:
        if not self.server:
            return words
        return f"[{words}]({self.server}/{_quoted(self.repository)}/{where})"


NOWHERE = Links()


def links(server: str, repository: str, number: int, head: str, comment: int = 0) -> Links:
    """Return the links for a pull request; none if the server's address is not http or https."""
    if not _SERVER.fullmatch(server):
        return NOWHERE
    return Links(server, repository, number, head, comment)


def comment_box(server: str, repository: str, number: int) -> str:
    """Return the address of the box for a new comment on a pull request, "" for no server."""
    if not _SERVER.fullmatch(server):
        return ""
    return f"{server}/{_quoted(repository)}/pull/{number}#issue-comment-box"


def _quoted(path: str) -> str:
    data = _LONE.sub("?", path).encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)
