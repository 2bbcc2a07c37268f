"""A request for approval by an agent or a script, as a value (seed 4, "Database Schema").

Databases keep it for months as JSON with a version. A new field has a default and comes last; any
other change is a new version.
"""

import hashlib
import json
from typing import Annotated, NamedTuple

from .. import codec
from ..codec import Amount, Count
from ..config.policy import CATEGORIES, MATRIX, Expiry
from ..errors import HelixError
from ..phases.json_form import read
from ..phases.run_state import Decider

PENDING, APPROVED, REJECTED, EXPIRED, AUTO_APPROVED, WITHDRAWN = (
    "pending",
    "approved",
    "rejected",
    "expired",
    "auto_approved",
    "withdrawn",
)
STATUSES = (PENDING, APPROVED, REJECTED, EXPIRED, AUTO_APPROVED, WITHDRAWN)
"""The statuses of a request. All but the first are final."""

BLOCKED = "blocked"
"""The decision that a waiting caller gets for a request whose deadline has passed."""


PROXY = "a proxy, without GitHub"
"""The `via` of a vote on a project that is not on GitHub: the policy names the user, and a proxy
confirms the name. Nobody can confirm who asks there.
"""


class Asker(NamedTuple):
    """The asker: a login that GitHub confirmed, or a name that nobody confirmed.

    `agent` is the name that the agent gives itself, "" for none. `on_behalf_of` is the user who
    started a bot's job, "" for none; neither that user nor `name` may approve.
    """

    name: str
    verified: bool
    agent: str = ""
    on_behalf_of: str = ""

    @property
    def is_agent(self) -> bool:
        """Return whether a bot asks, or an agent that says so."""
        return bool(self.agent) or self.name.endswith("[bot]")


class RequestVote(NamedTuple):
    """A person's answer to a request; `at` is in seconds since 1970.

    `right` says why the person may decide, as in "role maintain" or "delegate of @alice". `via` is
    who confirmed the person: "" for github.com and for nobody, else another address of GitHub's
    interface, or a proxy.
    """

    by: Decider
    approves: bool
    at: Count
    reason: str = ""
    right: str = ""
    via: str = ""


class Note(NamedTuple):
    """A question of a decider, a reply, or the reason of a withdrawal; `at` is as in a vote."""

    by: Decider
    text: str
    at: Count


class RequestContext(NamedTuple):
    """Information for the decider: affected files, the estimated impact, and a text in Markdown."""

    files: tuple[str, ...] = ()
    impact: str = ""
    text: str = ""


class ApprovalRequest(NamedTuple):
    """A request with its status.

    `project` is the key of the project, which never changes. `action` is one of
    `config.policy.MATRIX`, `category` one of `CATEGORIES`. `confidence` is from 0 to 1, None
    where the asker states none. `recommendation` is "approve", "reject" or "". Times are in seconds
    since 1970; `expires_at` is 0 for no deadline, and `escalated_at` is 0 as long as nobody was
    turned to. `minimum` is the number of approvals that are needed. A request that is auto-approved
    or expired was decided by nobody; `comment` says why. `why` says why a person is asked.

    `notes` are questions and replies. `asked_back_at` is when the requester was asked, 0 if they
    have replied. Until then the deadline stands still: it was moved by `stopped` seconds so far.
    `handed_to` is the login to whom a decider has handed it over, "" for none.
    """

    id: str
    project: str
    category: Annotated[str, CATEGORIES]
    action: Annotated[str, (*MATRIX,)]
    title: str
    requested_by: Asker
    requested_at: Count
    description: str = ""
    context: RequestContext = RequestContext()
    status: Annotated[str, STATUSES] = PENDING
    votes: tuple[RequestVote, ...] = ()
    decided_at: Count = 0
    comment: str = ""
    expires_at: Count = 0
    escalated_at: Count = 0
    expiry: Expiry = Expiry()
    confidence: Amount | None = None
    recommendation: Annotated[str, ("approve", "reject", "")] = ""
    reasoning: str = ""
    minimum: Count = 1
    why: str = ""
    notes: tuple[Note, ...] = ()
    asked_back_at: Count = 0
    stopped: Count = 0
    handed_to: str = ""

    @property
    def due_at(self) -> int:
        """The time of the next change by its deadline, 0 for never."""
        return self.expires_at if self.status == PENDING and not self.asked_back_at else 0


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
