"""The requester of a request speaks: a reply to a decider, or the withdrawal."""

from collections.abc import Mapping

from ..errors import UsageError
from ..text.masking import masked, secrets_of
from ..waiting.request import ApprovalRequest, Note
from ..waiting.talk import speaker
from . import store
from .asking import asker_of
from .place import QueuePlace


def spoken(
    place: QueuePlace, environment: Mapping[str, str], id: str, kind: str, text: str
) -> ApprovalRequest:
    """Record a reply or a withdrawal, by the kind of its event, and return the request.

    Raises:
        UsageError: There is no such request, it is of another login, or it was decided.
        HelixError: The database can't be read or written.
    """
    text = masked(text, secrets_of(environment)).strip()
    if not text:
        raise UsageError("a text is missing")
    asker = asker_of(place, environment, "").asker
    with store.opened(place.flow) as db:
        request = db.request(id, place.filter)
        by = speaker(request, asker)
        return db.note(request.id, kind, Note(by, text, db.now()))
