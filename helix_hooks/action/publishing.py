"""Decide and publish, for every step that changes a pull request."""

from collections.abc import Callable

from ..console.output import print_message
from ..decision.decision_record import DecisionInputs, with_decision
from ..decision.handover import Handover
from ..decision.pull_request import PullRequest
from ..decision.states import APPROVED, BLOCKED, PENDING
from ..decision.votes import votes_of
from ..github import fetch
from ..github.send import Sender
from ..publish.check_run import states_before
from ..publish.links import Links, links
from ..publish.payloads import payloads
from ..publish.sticky import stickies_of, sticky_of
from .access import Access
from .earlier_runs import chain_of
from .evaluate import Evaluation, evaluate

_ROUNDS = 3


def _ignore(_: Evaluation) -> None:
    """Write nothing on this machine."""


def decide_and_publish(
    to: Access,
    handover: Handover,
    pull: PullRequest,
    *,
    at_lines: bool = True,
    save: Callable[[Evaluation], None] = _ignore,
    is_outdated: bool = False,
    before: str = "",
) -> Evaluation:
    """Decide, `save` the decision on this machine, and write it on GitHub.

    Afterwards the votes are read once more: of two runs at once, the one that read fewer may write
    last. `at_lines`: comment on lines too. `before` is the head before a push.
    """
    evaluation = evaluate(to, handover, pull, is_outdated=is_outdated)
    save(evaluation)
    sender = _publish(to, evaluation, at_lines=at_lines, before=before)
    rounds = _ROUNDS if not at_lines or _is_news(evaluation) else 0
    comments = fetch.comments(to.repository, pull.number) if rounds or sender.created else ()
    if sender.created:
        sender.leave_one([item.id for item in stickies_of(comments, to.ours)])
        _tell_left_out(sender)
    for number in range(rounds):
        comments = fetch.comments(to.repository, pull.number) if number else comments
        reviews = fetch.reviews(to.repository, pull.number)
        seen = evaluation.pull._replace(comments=comments, reviews=reviews)
        if votes_of(seen) == votes_of(evaluation.pull):
            break
        seen = seen._replace(status=fetch.status(to.repository, pull.head, to.app))
        evaluation = evaluate(to, evaluation.handover, seen, is_outdated=is_outdated)
        _publish(to, evaluation, at_lines=False)
    return evaluation


def _is_news(evaluation: Evaluation) -> bool:
    """Return whether people may answer a decision that the check run did not show before."""
    pull, decision = evaluation.pull, evaluation.decision
    before = states_before(pull.status) if pull.status else {}
    is_open = decision.state in (APPROVED, PENDING, BLOCKED) or bool(decision.asked)
    is_new = before.get(pull.number) != decision.state
    return is_open and evaluation.handover.applies and is_new


def _publish(to: Access, evaluation: Evaluation, *, at_lines: bool, before: str = "") -> Sender:
    """Write a decision on GitHub. Raises HelixError if the pull request does not show it."""
    handover, decision, pull, votes = evaluation
    sender = Sender(to.repository, pull, to.ours)
    inputs = DecisionInputs(handover, decision, pull, votes, to.roles)
    decisions = with_decision(chain_of(to, handover.target, pull, before), inputs, to.record_key)
    try:
        sender.send(payloads(handover, pull, decision, to.ours, at_lines, decisions, to.server))
    finally:
        _tell_left_out(sender)
    return sender


def _tell_left_out(sender: Sender) -> None:
    while sender.left_out:
        print_message(sender.left_out.pop(0))


def links_of(to: Access, evaluation: Evaluation) -> Links:
    """Return where people read about a pull request."""
    sticky, target = sticky_of(evaluation.pull.comments, to.ours), evaluation.handover.target
    comment = sticky.id if sticky else 0
    return links(to.server, target.repository, target.number, target.head, comment)
