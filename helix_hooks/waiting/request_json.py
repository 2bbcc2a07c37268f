"""Requests as JSON values with a version, strictly read.

Databases keep it for months. A new field has a default and comes last; any other change is a
new version.
"""

import hashlib
import json

from ..config.policy import AUTO_APPROVE, BLOCK, CATEGORIES, ESCALATE, MATRIX, Expiry
from ..errors import HelixError
from ..phases.json_form import DECIDER
from ..phases.json_values import (
    BOOLEAN,
    NUMBER,
    TEXT,
    WHOLE,
    Json,
    listed,
    one_of,
    optional,
    record,
)
from .request import STATUSES, ApprovalRequest, Asker, RequestContext, RequestVote

VERSION = 1

_ASKER = record(
    Asker,
    {"name": TEXT, "verified": BOOLEAN, "agent": TEXT, "on_behalf_of": TEXT},
    needed=2,
)
_VOTE = record(
    RequestVote,
    {
        "by": DECIDER,
        "approves": BOOLEAN,
        "at": WHOLE,
        "reason": TEXT,
        "right": TEXT,
        "via": TEXT,
    },
    needed=3,
)
_CONTEXT = record(RequestContext, {"files": listed(TEXT), "impact": TEXT, "text": TEXT}, needed=0)
_EXPIRY = record(
    Expiry, {"action": one_of((BLOCK, ESCALATE, AUTO_APPROVE)), "to": listed(TEXT)}, needed=0
)
_REQUEST = record(
    ApprovalRequest,
    {
        "id": TEXT,
        "project": TEXT,
        "category": one_of(CATEGORIES),
        "action": one_of((*MATRIX,)),
        "title": TEXT,
        "requested_by": _ASKER,
        "requested_at": WHOLE,
        "description": TEXT,
        "context": _CONTEXT,
        "status": one_of(STATUSES),
        "votes": listed(_VOTE),
        "decided_at": WHOLE,
        "comment": TEXT,
        "expires_at": WHOLE,
        "escalated_at": WHOLE,
        "expiry": _EXPIRY,
        "confidence": optional(NUMBER),
        "recommendation": one_of(("approve", "reject", "")),
        "reasoning": TEXT,
        "minimum": WHOLE,
        "why": TEXT,
    },
    needed=7,
)


def request_json(request: ApprovalRequest) -> Json:
    written = _REQUEST.write(request)
    fields = written if isinstance(written, dict) else {}
    return {"version": VERSION, **fields}


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
    fields = {key: item for key, item in value.items() if key != "version"}
    return _REQUEST.read(fields, "request")


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
