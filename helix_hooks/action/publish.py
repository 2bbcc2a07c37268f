"""`--mode publish`: decide from the hand-over and the facts on GitHub, and publish the decision.

This step has a write token, and neither a key nor a model. A missing earlier step is a failure that
it reports.
"""

import os
from functools import partial

from ..adr.model import Suppressed
from ..console.output import print_result
from ..decision.decide import Decision
from ..decision.handover import Failure, Handover
from ..decision.pull_request import GroupMember, PullRequest
from ..decision.reasons import NOT_GREEN
from ..decision.states import APPROVED, BROKEN, CONCLUSIONS, FAILED, MOVED
from ..errors import HelixError
from ..github import client, event, fetch, runner
from ..publish.page import page
from ..publish.title import title
from ..report import sarif
from .access import Access, access
from .earlier_runs import recorded
from .evaluate import Evaluation, evaluate, settings_have_changed, without_approval
from .options import StepOptions
from .publishing import decide_and_publish, links_of
from .work import Work, unseen

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
