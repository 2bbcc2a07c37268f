"""`--mode publish`: decide from the hand-over and the facts on GitHub, and publish the decision.

This step has a write token, and neither a key nor a model. A missing earlier step is a failure that
it reports.

The required check run must not stay green at a commit after the pull request went to another
branch, because it may come back: results for an earlier base are withdrawn. The objections, the
costs and the decisions remain recorded.
"""

import os
from collections.abc import Callable
from functools import partial

from ..adr.model import Suppressed
from ..console import print_message, print_result
from ..decision.decide import Decision
from ..decision.decision_record import DecisionInputs, with_decision
from ..decision.handover import Failure, Handover
from ..decision.pull_request import GroupMember, PullRequest, Status
from ..decision.reasons import NOT_GREEN
from ..decision.states import APPROVED, BLOCKED, BROKEN, CONCLUSIONS, FAILED, MOVED, PENDING, Reason
from ..decision.votes import votes_of
from ..errors import HelixError
from ..report import sarif
from ..waiting.pull_entry import mark
from . import client, event, fetch, runner
from .access import Access, access
from .check_run import check_run, is_noted, states_before
from .earlier_runs import carried_state, chain_in, chain_of, is_for_another_base, recorded
from .evaluate import Evaluation, evaluate, settings_have_changed, without_approval
from .links import Links, links
from .payloads import Payloads, payloads
from .pending import entry_of
from .runner import StepOptions, Work, unseen, without_run
from .send import Sender
from .summary_comment import stickies_of, sticky_of
from .summary_text import page
from .title import title

_MOST_PAGE = 900_000
"""Maximum characters of the page in the job summary."""


def run(options: StepOptions, work: Work) -> int:
    environment = dict(os.environ)
    handover = _handover(work, environment)
    target = handover.target
    to = access(target.repository, environment)
    with client.reached():
        pull = fetch.pull_request(to.repository, target.number, to.app)
        if not target.head:
            target = target._replace(head=pull.head, base=pull.base, merge_base=pull.base)
            handover = handover._replace(target=target)
        line_comments = fetch.line_comments(to.repository, pull.number)
        pull = pull._replace(line_comments=line_comments)
        if target.merges:
            pull = _in_queue(to, handover, pull, options.config)
        evaluation = decide_and_publish(
            to,
            handover,
            pull,
            save=partial(_save, to, work, environment),
            before=event.before(environment),
        )
    return evaluation.decision.exit_code


def _handover(work: Work, environment: dict[str, str]) -> Handover:
    """Return the hand-over of the earlier steps; without one, a hand-over with that failure."""
    try:
        return work.load(environment)
    except HelixError as error:
        failure = Failure(HelixError.exit_code, str(error))
        return unseen(event.read(environment))._replace(failure=failure)


def _in_queue(to: Access, handover: Handover, pull: PullRequest, config: str) -> PullRequest:
    """Return a pull request of a merge queue with the conclusions that current votes give.

    The others in its group are fetched too.
    """
    if handover.failure or not handover.applies:
        return pull
    own, others = pull, list[GroupMember]()
    for number, head in handover.group:
        if number == pull.number:
            own = _with_conclusion(to, pull, config)
            if pull.head != head:
                own = own._replace(status=None)
        else:
            other = fetch.pull_request(to.repository, number, to.app)
            reason = _reason_in_queue(to, other, handover.target.base_ref, head, config)
            others.append(GroupMember(number, head, reason))
    if pull.number not in dict(handover.group):
        own = own._replace(status=None)
    return own._replace(group=tuple(others))


def _reason_in_queue(to: Access, pull: PullRequest, base: str, head: str, config: str) -> str:
    """Return why another pull request of a group is not approved; "" if it is."""
    if pull.head != head:
        return f"{pull.head[:7]} was pushed meanwhile"
    if not pull.is_open:
        return "it is closed"
    if pull.base_ref != base:
        return f"its base is now {pull.base_ref}"
    status = _with_conclusion(to, pull, config).status
    if status is None:
        return "no run has finished"
    return "" if status.conclusion == CONCLUSIONS[APPROVED] else NOT_GREEN


def _with_conclusion(to: Access, pull: PullRequest, config: str) -> PullRequest:
    """Return a pull request with the conclusion that its current votes give."""
    last = recorded(pull.number, pull.status, pull.head)
    if pull.status is None:
        return pull
    if last is None or last.target.merges:
        # A success at this commit may be that of another pull request, or of a queue.
        return pull._replace(status=None)
    is_outdated = settings_have_changed(to, last, pull, config)
    decision = evaluate(to, last, pull, is_outdated=is_outdated).decision
    if is_outdated:
        # `evaluate` does this only if a vote could change the decision.
        decision = without_approval(decision)
    return pull._replace(status=pull.status._replace(conclusion=decision.conclusion))


def _save(to: Access, work: Work, environment: dict[str, str], evaluation: Evaluation) -> None:
    """Write the decision for later steps of the workflow, before anything is sent to GitHub."""
    handover, decision = evaluation.handover, evaluation.decision
    shown = page(handover, decision, _MOST_PAGE, links_of(to, evaluation))
    runner.summarise(environment, shown)
    runner.put(environment, _outputs(handover, decision, work))
    work.save_log(environment, _log(handover, decision))
    print_result(f"{title(handover, decision)}\n")


def _log(handover: Handover, decision: Decision) -> str:
    """Return the SARIF log of all findings, with the failure of a run that has no result."""
    failure = ""
    if decision.state in (FAILED, BROKEN, MOVED):
        failure = decision.reasons[0].text
    findings = [Suppressed(item.finding, "", "") for item in handover.findings]
    return sarif.log(findings, list(handover.skipped), failure)


def _outputs(handover: Handover, decision: Decision, work: Work) -> dict[str, str]:
    costs = [item.verdict.agent_context.cost_usd for item in handover.judged]
    cost = ""
    if None not in costs:
        cost = f"{sum(filter(None, costs)):.4f}"
    severities = [item.finding.severity for item in handover.rule_findings]
    return {
        "decision": decision.state,
        "errors": str(severities.count("error")),
        "warnings": str(severities.count("warning")),
        "cost-usd": cost,
        "result-file": work.file,
    }


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
        sender.send(
            payloads(
                handover,
                pull,
                decision,
                to.ours,
                at_lines,
                decisions,
                to.server,
                waits=_mark(to, evaluation),
            )
        )
    finally:
        _print_left_out(sender)
    return sender


def _mark(to: Access, evaluation: Evaluation) -> str:
    """Return the mark that tells the queue whether the pull request waits for a person.

    Without a mark, the queue reads the pull request itself.
    """
    if evaluation.handover.target.merges:
        return ""
    try:
        with client.reached():
            return mark(evaluation.pull.number, entry_of(to, evaluation))
    except HelixError as error:
        print_message(f"the queue has to read the pull request itself: {error}")
        return ""


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
