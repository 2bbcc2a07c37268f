"""Untrusted texts, made harmless for mails and chats. Pure."""

import re

from ..text import ZERO_WIDTH_SPACE, one_line, plain, printable
from ..text.masking import Secrets, masked

_LONGEST_LINE = 400
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+(?:/[A-Za-z0-9._~/?#&=%+-]*)?")
_LONGEST_ADDRESS = 1_000
_NUMBER = re.compile(r"(?<=[\w.-])#(?=\d+(?!\w))")
"""The sign in the id of a pull request, as in acme/shop#12."""

_SIGNS = re.compile(r"(?<=[<{])(?=\S)")
"""Places behind which Slack reads a mention or a link, and other chats an emoji or a macro."""


def harmless(text: str, secrets: Secrets, most: int) -> str:
    """Return a text as one line without active links, mentions or markup."""
    return _SIGNS.sub(ZERO_WIDTH_SPACE, one_line(masked(text, secrets), most))


def copied(text: str, secrets: Secrets) -> str:
    """Return a line or an id for copying; active parts in it are broken."""
    line = printable(masked(" ".join(text.split()), secrets), _LONGEST_LINE)
    words = _NUMBER.sub("", line).removeprefix("/")
    is_inert = plain(words) == words and not _SIGNS.search(words)
    return line if is_inert else harmless(text, secrets, _LONGEST_LINE)


def safe_address(url: str, secrets: Secrets) -> str:
    """Return an address for a link, "" for an invalid one or one with a secret."""
    is_safe = len(url) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(url)
    return url if is_safe and masked(url, secrets) == url else ""
