"""`--mode command`: run the commands in a comment, and count the vote of a review.

A vote needs no judge and no checkout: the check run has the record of the last run, and the pull
request has the votes. So a person gets an answer within seconds. If a full run is needed
(`/helix review`, changed settings), the output `again` starts it. If the event says that a pull
request has got another base, its results for the earlier base are withdrawn.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

from ..console import print_message, print_result
from ..decision.commands import DECLINE, NO_REASON, REJECT, VOTES, Command, commands
from ..decision.pull_request import PullRequest
from ..errors import HelixError
from . import client, event, fetch, replies, runner
from .access import Access, access, bot
from .comment_commands import (
    Reply,
    Request,
    another_run,
    answer,
    decide_after_edit,
    decide_and_print,
    decline,
    outputs_of,
    request,
    vote,
)
from .earlier_runs import with_elsewhere
from .event import CommentEvent, Event
from .publish import withdraw_all
from .runner import StepOptions, Work
from .send import Sender
from .summary_comment import is_sticky

_STATES = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
"""States of a review that are a vote, or withdraw one."""

_MOST_ANSWERS = 5
"""Maximum number of answered commands in one comment. Votes do not count."""

_NO_COMMAND = "no command for the gate\n"
_LATER = "the next sweep or command counts it"
_FROM_FORK = f"the token for a review on a pull request from a fork can't write; {_LATER}\n"
_SEEN, _DONE, _REFUSED = "eyes", "rocket", "confused"


def run(options: StepOptions, _: Work) -> int:
    environment = dict(os.environ)
    seen = event.read(environment)
    if seen.retargeted:
        return _withdraw(seen, environment)
    comment = seen.comment
    if comment is None or not seen.number or not _concerns_gate(comment, bot(environment)):
        print_result(_NO_COMMAND)
        return 0
    if seen.from_fork:
        print_result(_FROM_FORK)
        return 0
    to = access(seen.repository, environment)
    with client.reached():
        outputs = _outputs(to, seen, comment, options.config)
    runner.put(environment, {"again": "no", "fresh": "", "asked": "no", **outputs})
    return 0


def _withdraw(seen: Event, environment: dict[str, str]) -> int:
    """Withdraw the results for the earlier base, before the run for the new one begins.

    That run does it again, so a failure here must not keep it from starting.
    """
    to = access(seen.repository, environment)
    try:
        with client.reached():
            pull = fetch.pull_request(to.repository, seen.number, to.app)
            if pull.is_open:
                withdraw_all(to, with_elsewhere(to, pull))
    except HelixError as error:
        print_message(f"the result for the earlier base could not be withdrawn yet: {error}")
        return 0
    print_result(f"#{pull.number} is for {pull.base_ref} now\n")
    return 0


def _concerns_gate(comment: CommentEvent, ours: int) -> bool:
    return _has_command(comment) or _was_summary(comment, ours)


def _has_command(comment: CommentEvent) -> bool:
    """Return whether a person has written a command or a vote.

    For an edit or deletion, the earlier text counts; in the new text only an objection.
    """
    is_new = comment.action in ("created", "reviewed")
    if comment.by.is_bot or (is_new and comment.sender.is_bot):
        return False
    if comment.action == "reviewed":
        return comment.body.upper() in _STATES
    objects_now = any(command.name == REJECT for command in commands(comment.now))
    return bool(commands(comment.body)) or objects_now


def _was_summary(comment: CommentEvent, ours: int) -> bool:
    """Return whether another user edited or deleted our comment with objections and costs."""
    is_ours = comment.by.id == ours != comment.sender.id
    is_changed = comment.action in ("edited", "deleted")
    return is_ours and is_changed and is_sticky(comment.body)


def _outputs(to: Access, seen: Event, comment: CommentEvent, config: str) -> dict[str, str]:
    """Answer a comment or count a review, and return the outputs of the step."""
    if comment.action == "created":
        _react_at_once(to, seen, comment)
        return _answer_comment(request(to, seen, comment, config))
    about = request(to, seen, comment, config)
    if comment.action in ("edited", "deleted"):
        return decide_after_edit(about)
    if about.record is None or not about.pull.is_open:
        return {}
    evaluation = decide_and_print(about, about.record)
    return {**outputs_of(evaluation), **another_run(about)}


def _react_at_once(to: Access, seen: Event, comment: CommentEvent) -> None:
    """Show that the comment was read, before anything is fetched."""
    pull = PullRequest(number=seen.number, author=comment.by, head="", base="", is_open=True)
    Sender(to.repository, pull, to.ours).react(comment.id, _SEEN)


def _answer_comment(request: Request) -> dict[str, str]:
    reply, id, sender = _reply(request), request.comment.id, request.sender
    # A repeated run of the workflow must not answer the comment twice.
    is_repeated = id in replies.answered(request.pull.comments, request.to.ours)
    if reply.parts and not is_repeated:
        sender.answer(replies.answer(id, reply.parts))
    reaction = _DONE
    if any(map(replies.is_refusal, reply.parts)):
        reaction = _REFUSED
    sender.react(id, reaction)
    for line in sender.left_out:
        print_message(line)
    return reply.outputs


def _reply(request: Request) -> Reply:
    head = request.pull.head
    written = tuple(dict.fromkeys(commands(request.comment.body)))
    if not request.pull.is_open:
        return Reply((replies.refusal(written[0], "the pull request is closed", head),))
    groups = _by_kind(written)
    reply = Reply()
    if groups.votes:
        reply = vote(request)
    refusals = tuple(replies.refusal(command, command.wrong, head) for command in groups.wrong)
    reply = reply.joined(Reply(refusals))
    reply = reply.joined(decline(request, groups.declined, is_decided=bool(groups.votes)))
    for command in groups.others[:_MOST_ANSWERS]:
        reply = reply.joined(answer(request, command))
    return reply


class _Groups(NamedTuple):
    """The commands of a comment, by kind; `wrong` ones can't be run."""

    wrong: list[Command]
    votes: list[Command]
    declined: list[Command]
    others: list[Command]


def _by_kind(written: Iterable[Command]) -> _Groups:
    groups = _Groups([], [], [], [])
    for command in written:
        # An objection without a reason holds the pull request.
        if command.wrong and command.wrong != NO_REASON:
            groups.wrong.append(command)
        elif command.name in VOTES:
            groups.votes.append(command)
        elif command.name == DECLINE:
            groups.declined.append(command)
        else:
            groups.others.append(command)
    return groups
