"""`--mode command`: carry out what somebody asks of the gate in a comment or says in a review.

A vote needs no judge and no checkout: the record of the last run stands on its check run, and the
votes on the pull request. So a person has an answer within seconds. What needs a whole run
(`/helix review`, changed settings) is left to later steps, by the output `again`.
"""

import os

from ..console.output import print_message, print_result
from ..decision.commands import DECLINE, REJECT, VOTES, commands
from ..decision.pull_request import PullRequest
from ..github import client, event, runner
from ..github.environment import bot
from ..github.event import CommentEvent, Event
from ..github.send import Sender
from ..publish import replies
from ..publish.sticky import is_sticky
from .access import Access, access
from .comment_answers import answer
from .comment_declines import decline
from .comment_votes import vote
from .edited_comments import decide_after_edit
from .options import StepOptions
from .request import Reply, Request, another_run, decide_anew, outputs_of, request
from .work import Work

_STATES = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
"""States of a review that are a vote, or take one back."""

_MOST_ANSWERS = 5
"""Maximum number of commands of one comment that are answered, beside votes."""

_NO_COMMAND = "no command for the gate\n"
_LATER = "the next sweep or command counts it"
_FROM_FORK = f"a review on a pull request from a fork, whose token can't write: {_LATER}\n"
_SEEN, _DONE, _REFUSED = "eyes", "rocket", "confused"


def run(options: StepOptions, _: Work) -> int:
    environment = dict(os.environ)
    seen = event.read(environment)
    comment = seen.comment
    if comment is None or not seen.number or not _concerns_gate(comment, bot(environment)):
        print_result(_NO_COMMAND)
        return 0
    if seen.from_fork:
        print_result(_FROM_FORK)
        return 0
    to = access(seen.repository, environment)
    with client.reached():
        outputs = _carry_out(to, seen, comment, options.config)
    runner.put(environment, {"again": "no", "fresh": "", "asked": "no", **outputs})
    return 0


def _concerns_gate(comment: CommentEvent, ours: int) -> bool:
    return _is_for_us(comment) or _was_our_memory(comment, ours)


def _is_for_us(comment: CommentEvent) -> bool:
    """Return whether a person speaks to the gate.

    An edit or deletion counts by the text before it, and by an objection in the text now.
    """
    is_new = comment.action in ("created", "reviewed")
    if comment.by.is_bot or (is_new and comment.sender.is_bot):
        return False
    if comment.action == "reviewed":
        return comment.body.upper() in _STATES
    objects_now = any(command.name == REJECT for command in commands(comment.now))
    return bool(commands(comment.body)) or objects_now


def _was_our_memory(comment: CommentEvent, ours: int) -> bool:
    """Return whether somebody else touched the comment that holds objections and costs."""
    is_ours = comment.by.id == ours != comment.sender.id
    is_touched = comment.action in ("edited", "deleted")
    return is_ours and is_touched and is_sticky(comment.body)


def _carry_out(to: Access, seen: Event, comment: CommentEvent, config: str) -> dict[str, str]:
    """Do what a comment or review asks, and return the outputs of the step."""
    if comment.action == "created":
        _react_at_once(to, seen, comment)
        return _answer_comment(request(to, seen, comment, config))
    asked = request(to, seen, comment, config)
    if comment.action in ("edited", "deleted"):
        return decide_after_edit(asked)
    if asked.record is None or not asked.pull.is_open:
        return {}
    evaluation = decide_anew(asked, asked.record)
    return {**outputs_of(evaluation), **another_run(asked)}


def _react_at_once(to: Access, seen: Event, comment: CommentEvent) -> None:
    """Show that the comment was seen, before anything is fetched."""
    pull = PullRequest(number=seen.number, author=comment.by, head="", base="", is_open=True)
    Sender(to.repository, pull, to.ours).react(comment.id, _SEEN)


def _answer_comment(asked: Request) -> dict[str, str]:
    reply, id, sender = _reply(asked), asked.comment.id, asked.sender
    is_repeated = id in replies.answered(asked.pull.comments, asked.to.ours)
    if reply.parts and not is_repeated:
        sender.answer(replies.answer(id, reply.parts))
    is_refused = any("was not carried out" in part for part in reply.parts)
    sender.react(id, _REFUSED if is_refused else _DONE)
    for line in sender.left_out:
        print_message(line)
    return reply.outputs


def _reply(asked: Request) -> Reply:
    head = asked.pull.head
    found = tuple(dict.fromkeys(commands(asked.comment.body)))
    if not asked.pull.is_open:
        return Reply((replies.refusal(found[0], "the pull request is closed", head),))
    valid = [command for command in found if not command.wrong]
    wrong = (command for command in found if command.wrong)
    has_vote = any(command.name in VOTES for command in valid)
    reply = vote(asked) if has_vote else Reply()
    refusals = tuple(replies.refusal(command, command.wrong, head) for command in wrong)
    reply = reply.joined(Reply(refusals))
    declined = [command for command in valid if command.name == DECLINE]
    reply = reply.joined(decline(asked, declined, is_decided=has_vote))
    others = [command for command in valid if command.name not in (*VOTES, DECLINE)]
    for command in others[:_MOST_ANSWERS]:
        reply = reply.joined(answer(asked, command))
    return reply
