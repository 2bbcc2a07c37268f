"""Answers to the replies in a comment: those that are recorded, and those that do not count."""

from ..decision.commands import Command
from ..decision.declines import AuthorReply, declinable
from ..publish import replies
from .author_replies import counted_replies
from .request import Reply, Request, decide_anew, outputs_of

_TOO_EARLY = "no run for {} has finished yet, so there is no finding"


def decline(request: Request, declined: list[Command], *, is_decided: bool) -> Reply:
    """Record replies to findings, and say which of them do not count.

    With `is_decided` another command of the comment has published what is recorded already.
    """
    head, record = request.pull.head, request.record
    if not declined:
        return Reply()
    if record is None:
        why = _TOO_EARLY.format(head[:7])
        return Reply(tuple(replies.refusal(command, why, head, False) for command in declined))
    pull = request.pull
    counted = counted_replies(request.to, record, pull.comments, pull.author)
    own = [item for item in counted if item.comment.id == request.comment.id]
    refused = [item for item in own if item.refused]
    outputs = {}
    if len(refused) < len(own) and not is_decided:
        outputs = outputs_of(decide_anew(request, record))
    listed = replies.findings(declinable(record))
    parts = [_refusal(item, head) for item in refused]
    return Reply((*parts, *([listed] if parts else [])), outputs)


def _refusal(item: AuthorReply, head: str) -> str:
    return replies.refusal(item.command, item.refused, head)
