"""Decide and publish: used by every step that writes on a pull request."""

from collections.abc import Callable

from ..console import print_message
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
from .withdraw import withdraw

_ROUNDS = 3
"""Maximum number of new decisions for votes that arrive while a decision is published."""


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

    With `at_lines`, comment on lines too. `before` is the head before a push.
    """
    evaluation = evaluate(to, _named(handover, pull), pull, is_outdated=is_outdated)
    save(evaluation)
    withdraw(to, evaluation)
    sender = _publish(to, evaluation, at_lines=at_lines, before=before)
    # Two runs at once may read different votes, and the one with fewer may write last.
    rereads_votes = not at_lines or _is_news(evaluation)
    if not rereads_votes and not sender.created:
        return evaluation
    comments = fetch.comments(to.repository, pull.number)
    if sender.created:
        sender.leave_one([item.id for item in stickies_of(comments, to.ours)])
        _print_left_out(sender)
    if not rereads_votes:
        return evaluation
    for number in range(_ROUNDS):
        if number:
            comments = fetch.comments(to.repository, pull.number)
        reviews = fetch.reviews(to.repository, pull.number)
        current = evaluation.pull._replace(comments=comments, reviews=reviews)
        if votes_of(current) == votes_of(evaluation.pull):
            break
        status = fetch.status(to.repository, pull.head, to.app, pull.check)
        current = current._replace(status=status)
        evaluation = evaluate(to, evaluation.handover, current, is_outdated=is_outdated)
        _publish(to, evaluation, at_lines=False)
    return evaluation


def _named(handover: Handover, pull: PullRequest) -> Handover:
    """Return the hand-over with the name of the check run for the base as it is now.

    A rule may have begun or ceased to protect the branch since the run began.
    """
    if handover.target.merges:
        return handover
    return handover._replace(target=handover.target._replace(check=pull.check))


def _is_news(evaluation: Evaluation) -> bool:
    """Return whether people may answer the decision, and the check run did not show it before."""
    pull, decision = evaluation.pull, evaluation.decision
    if not evaluation.handover.applies:
        return False
    if decision.state not in (APPROVED, PENDING, BLOCKED) and not decision.asked:
        return False
    if pull.status is None:
        return True
    return states_before(pull.status).get(pull.number) != decision.state


def _publish(to: Access, evaluation: Evaluation, *, at_lines: bool, before: str = "") -> Sender:
    """Write a decision on GitHub.

    Raises:
        HelixError: The pull request does not show the decision.
    """
    handover, decision, pull, votes = evaluation
    sender = Sender(to.repository, pull, to.ours)
    inputs = DecisionInputs(handover, decision, pull, votes, to.roles)
    decisions = with_decision(chain_of(to, handover.target, pull, before), inputs, to.record_key)
    try:
        sender.send(payloads(handover, pull, decision, to.ours, at_lines, decisions, to.server))
    finally:
        _print_left_out(sender)
    return sender


def _print_left_out(sender: Sender) -> None:
    while sender.left_out:
        print_message(sender.left_out.pop(0))


def links_of(to: Access, evaluation: Evaluation) -> Links:
    """Return the addresses of the pages about a pull request."""
    sticky, target = sticky_of(evaluation.pull.comments, to.ours), evaluation.handover.target
    comment = 0
    if sticky:
        comment = sticky.id
    return links(to.server, target.repository, target.number, target.head, comment)
