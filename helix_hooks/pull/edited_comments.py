"""An edited or deleted comment: its votes are given up, and our own comment is restored.

GitHub does not tell who edited a comment after the event, so what another user did to a vote is
recorded.
"""

from ..decision import chain
from ..decision.commands import DECLINE, REJECT, commands
from ..decision.handover import Handover
from ..decision.pull_request import Comment, PullRequest
from ..decision.run_state import Tampering, in_ledger
from ..decision.votes import votes_in
from .comment_commands import Request, decide_and_print, outputs_of
from .evaluate import evaluate
from .event import CommentEvent
from .summary_comment import STICKY, spent_before


def decide_after_edit(request: Request) -> dict[str, str]:
    """Decide after an edit or deletion, and return the outputs of the step.

    A vote in the comment no longer counts. If another user edited it, the page shows that until the
    voter votes again.
    """
    event, record = request.comment, request.record
    if event.by.id == request.to.ours:
        return _after_edit_of_ours(request)
    if record is None or not (_has_vote(event) or _has_reply(event)):
        return {}
    if event.sender.id != event.by.id:
        record = _with_tampering(request, record)
    return outputs_of(decide_and_print(request, record))


def _has_vote(event: CommentEvent) -> bool:
    """Return whether the earlier text has a vote, or the new text an objection."""
    before = Comment(id=event.id, by=event.by, body=event.body)
    now = Comment(id=event.id, by=event.by, body=event.now)
    return any(votes_in(before)) or any(vote.kind == REJECT for vote in votes_in(now))


def _has_reply(event: CommentEvent) -> bool:
    """Return whether the earlier text has a reply to a finding."""
    return any(command.name == DECLINE for command in commands(event.body))


def _after_edit_of_ours(request: Request) -> dict[str, str]:
    """Restore the objections and costs that our own comment had before it was edited."""
    event, pull = request.comment, request.pull
    noted = in_ledger(event.body)
    spent = spent_before(Comment(id=event.id, by=event.by, body=event.body))
    if not pull.is_open or not (noted or spent or in_ledger(event.now)):
        return {}
    handover = request.record
    if handover is None:
        reason = f"@{event.sender.login} changed the comment of the gate"
        handover = request.without_record(f"{reason}, and no run for this commit has finished")
    carried = handover.carried
    objections = {item.source: item for item in (*noted, *carried.objections)}
    carried = carried._replace(
        objections=tuple(objections.values()),
        spent=max(carried.spent, spent),
    )
    handover = handover._replace(carried=carried)
    return outputs_of(decide_and_print(_without_ledger(request), handover))


def _without_ledger(request: Request) -> Request:
    """Remove the ledger of the edited comment: its editor could have added objections."""
    event, pull = request.comment, request.pull
    body = f"{chain.tips(event.body)}{STICKY}"

    def clean(comment: Comment) -> Comment:
        if comment.id != event.id:
            return comment
        return comment._replace(body=body)

    comments = tuple(map(clean, pull.comments))
    return request._replace(pull=pull._replace(comments=comments))


def _with_tampering(request: Request, record: Handover) -> Handover:
    """Record who edited whose vote, if the vote counted."""
    event, pull = request.comment, request.pull
    before = _with_comment_before(pull, event)
    votes = evaluate(request.to, record, before).votes
    own = (vote for vote in votes if vote.source == event.id and not vote.is_review)
    if all(vote.refused for vote in own):
        return record
    tampering = Tampering(event.id, pull.now, event.by.id, event.by.login, event.sender.login)
    carried = record.carried
    return record._replace(carried=carried._replace(tampered=(*carried.tampered, tampering)))


def _with_comment_before(pull: PullRequest, event: CommentEvent) -> PullRequest:
    before = Comment(id=event.id, by=event.by, body=event.body, at=pull.now)
    others = tuple(item for item in pull.comments if item.id != event.id)
    return pull._replace(comments=(*others, before))
