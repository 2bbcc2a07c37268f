"""Fetch a file of a commit as text."""

import base64
import binascii
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..errors import HelixError
from .client import text_field
from .reading import one

if TYPE_CHECKING:
    from github.Repository import Repository

MOST_BYTES = 300_000
"""Maximum size of a text that a person reads; GitHub sends files of up to 1 MB."""


def text_at(repository: "Repository", path: str, commit: str) -> str | None:
    """Fetch the text of a file at a commit.

    Return "" if there is no file, and None for a folder, a link or a file of more than 300 kB.

    Raises:
        HelixError: The content is not valid base64.
    """
    from github import GithubException

    place = quote(path, errors="surrogateescape")
    try:
        answer: object = one(repository, f"/contents/{place}?ref={quote(commit)}")
    except GithubException as error:
        if error.status != 404:
            raise
        return ""
    if not isinstance(answer, dict) or answer.get("encoding") != "base64":
        return None
    try:
        data = base64.b64decode(text_field(answer, "content"))
    except binascii.Error:
        raise HelixError(f"{path}: GitHub sent invalid base64") from None
    if len(data) > MOST_BYTES:
        return None
    return data.decode(errors="replace")
