"""`--mode command`: run the commands in a comment, and count the vote of a review.

A vote needs no judge and no checkout: the check run has the record of the last run, and the pull
request has the votes. So a person gets an answer within seconds. If a full run is needed
(`/helix review`, changed settings), the output `again` starts it. If the event says that a pull
request has got another base, its results for the earlier base are withdrawn.
"""

import os
from collections.abc import Callable

from ..console import print_message, print_result
from ..decision.commands import REJECT, commands
from ..errors import HelixError
from . import client, event, fetch, runner
from .access import access, bot
from .comment_commands import Request, answer_comment, count_review, react_at_once, request
from .earlier_runs import with_elsewhere
from .edited_comments import decide_after_edit
from .event import CommentEvent, Event
from .publish import withdraw_all
from .runner import StepOptions, Work
from .summary_comment import is_sticky

_STATES = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
"""States of a review that are a vote, or withdraw one."""

_NO_COMMAND = "no command for the gate\n"
_LATER = "the next sweep or command counts it"
_FROM_FORK = f"the token for a review on a pull request from a fork can't write; {_LATER}\n"


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
        if comment.action == "created":
            react_at_once(to, seen, comment)
        about = request(to, seen, comment, options.config)
        outputs = _OUTPUTS[comment.action](about)
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


_OUTPUTS: dict[str, Callable[[Request], dict[str, str]]] = {
    "created": answer_comment,
    "edited": decide_after_edit,
    "deleted": decide_after_edit,
    "reviewed": count_review,
}
"""The outputs of the step, by the action of the event."""
