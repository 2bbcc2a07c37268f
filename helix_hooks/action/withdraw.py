"""Withdraw the results that a pull request has for a base that it no longer has.

The required check run must not stay green at a commit after the pull request went to another
branch, because it may come back. The objections, the costs and the decisions remain recorded.
"""

from ..console import print_message
from ..decision.decide import Decision
from ..decision.pull_request import PullRequest, Status
from ..decision.states import MOVED, Reason
from ..github.send import Sender
from ..publish.check_run import check_run, is_noted, states_before
from ..publish.links import links
from ..publish.payloads import Payloads
from .access import Access
from .earlier_runs import carried_state, chain_in, is_for_another_base, recorded
from .evaluate import Evaluation
from .work import without_run

_WAY_OUT = "wait for the run for that branch"


def withdraw(to: Access, evaluation: Evaluation) -> None:
    """Cancel the check runs at the head with a result of this pull request for another base.

    Raises:
        HelixError: Such a check run could not be changed.
    """
    pull, target = evaluation.pull, evaluation.handover.target
    if target.merges or pull.head != target.head or not pull.is_open:
        return
    # A run for the new base overwrites the check run of its own name itself.
    withdraw_all(to, pull, with_own=evaluation.decision.state == MOVED)


def withdraw_all(to: Access, pull: PullRequest, *, with_own: bool = True) -> None:
    """Cancel those check runs; `with_own` also the one that the new base needs too.

    Raises:
        HelixError: Such a check run could not be changed.
    """
    stale = [*pull.elsewhere]
    if with_own and pull.status and is_for_another_base(pull, pull.status):
        stale.append(pull.status)
    for status in stale:
        if states_before(status).get(pull.number) != MOVED:
            _cancel(to, pull._replace(status=status, check=status.name), status)


def _cancel(to: Access, pull: PullRequest, status: Status) -> None:
    """Write a check run as superseded. The decision on it is not used again."""
    text = f"#{pull.number} is for {pull.base_ref} now"
    handover = without_run(to.repository.full_name, pull, text)
    carried = carried_state(pull.number, status, recorded(pull.number, status, pull.head))
    carried = carried._replace(since=0, escalated=False, retargeted=pull.now, looked=pull.now)
    handover = handover._replace(carried=carried)
    reason = Reason(state=MOVED, text=text, way_out=_WAY_OUT)
    decision = Decision(state=MOVED, reasons=(reason,), handover=handover)
    page = links(to.server, to.repository.full_name, pull.number, pull.head)
    run = check_run(handover, pull, decision, chain_in(status, pull.number), page)
    sender = Sender(to.repository, pull, to.ours)
    try:
        sender.send(Payloads(check_run=run, looks=is_noted(status)))
    finally:
        for line in sender.left_out:
            print_message(line)
