"""Answers to the `/helix decline` commands in a comment."""

from ..decision.commands import Command
from ..decision.declines import AuthorReply, declinable
from ..decision.handover import Handover
from . import replies
from .author_replies import counted_replies
from .request import Reply, Request, decide_and_print, outputs_of

_TOO_EARLY = "no run for {} has finished yet, so there is no finding"


def decline(request: Request, declined: list[Command], *, is_decided: bool) -> Reply:
    """Record replies to findings, and answer those that do not count.

    With `is_decided`, a vote in the same comment has published a decision with the replies already.
    """
    head, record = request.pull.head, request.record
    if not declined:
        return Reply()
    if record is None:
        reason = _TOO_EARLY.format(head[:7])
        return Reply(tuple(replies.refusal(command, reason, head, False) for command in declined))
    own = _replies_in(request, record)
    refused = [item for item in own if item.refused]
    outputs = {}
    if len(refused) < len(own) and not is_decided:
        outputs = outputs_of(decide_and_print(request, record))
    parts = [_refusal(item, head) for item in refused]
    if parts:
        parts.append(replies.findings(declinable(record)))
    return Reply(tuple(parts), outputs)


def _replies_in(request: Request, record: Handover) -> list[AuthorReply]:
    """Return the replies in the comment of a request."""
    pull = request.pull
    counted = counted_replies(request.to, record, pull.comments, pull.author)
    return [item for item in counted if item.comment.id == request.comment.id]


def _refusal(item: AuthorReply, head: str) -> str:
    return replies.refusal(item.command, item.refused, head)
