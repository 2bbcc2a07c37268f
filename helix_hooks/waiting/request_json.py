"""Requests as JSON values with a version.

Databases keep it for months. A new field has a default and comes last; any other change is a
new version.
"""

import hashlib
import json

from .. import codec
from ..errors import HelixError
from ..phases.json_form import read
from .request import ApprovalRequest

VERSION = 1


def request_json(request: ApprovalRequest) -> dict[str, object]:
    return {"version": VERSION, **codec.plain(request)}


def request_from(value: object) -> ApprovalRequest:
    """Return a request.

    Raises:
        HelixError: `request_json` does not write this value.
    """
    if not isinstance(value, dict):
        raise HelixError("the request is not a JSON object")
    version = value.get("version")
    if version != VERSION or isinstance(version, bool):
        raise HelixError(f"the version of the request is {version!r}; this program reads {VERSION}")
    return read(value, ApprovalRequest)


def document_of(request: ApprovalRequest) -> str:
    """Return the text of a request in the store."""
    return json.dumps(request_json(request), separators=(",", ":"))


def request_of(document: str) -> ApprovalRequest:
    """Return the request of a text in the store.

    Raises:
        HelixError: The text is not a request.
    """
    try:
        value = json.loads(document)
    except (ValueError, RecursionError):
        raise HelixError("the request is not JSON") from None
    return request_from(value)


def hash_of(document: str) -> str:
    """Return the SHA-256 of a text in the store, which the audit trail names."""
    return hashlib.sha256(document.encode()).hexdigest()
