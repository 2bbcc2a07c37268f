"""Fetch a file of a commit as text."""

import base64
import binascii
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..errors import HelixError
from . import fetch

if TYPE_CHECKING:
    from github.Repository import Repository

MOST_BYTES = 300_000
"""Of a text that somebody reads; GitHub sends files of up to 1 MB."""


def text_at(repository: "Repository", path: str, commit: str) -> str | None:
    """Fetch the text of a file at a commit: "" for no file, None for what is not read.

    Those are files of more than 300 kB, folders and links.
    """
    from github import GithubException

    try:
        place = quote(path, errors="surrogateescape")
        found: object = fetch.one(repository, f"/contents/{place}?ref={quote(commit)}")
    except GithubException as error:
        if error.status != 404:
            raise
        return ""
    if not isinstance(found, dict) or found.get("encoding") != "base64":
        return None
    try:
        data = base64.b64decode(str(found.get("content") or ""))
    except binascii.Error:
        raise HelixError(f"{path} came in a form that is not GitHub's") from None
    return data.decode(errors="replace") if len(data) <= MOST_BYTES else None
