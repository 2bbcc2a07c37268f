"""`--mode publish`: the decision, recomputed from what was found and from GitHub's own records, and what is said on the pull request.

This step has a token that writes, and neither a key nor a model. Whatever did not happen before it is a failure that it tells.
"""

import os

from ..adr.suppress import Suppressed
from ..console.output import write
from ..decision.decide import Decision
from ..decision.handover import Handover
from ..decision.pull_request import PullRequest
from ..decision.states import BROKEN, FAILED, MOVED
from ..errors import HelixError
from ..github import client, event, fetch, runner
from ..publish.links import Links
from ..publish.page import page, title
from ..report import sarif
from .options import StepOptions
from .settle import Access, Settled, access, evaluate, held, is_outdated, recorded, settle, where
from .work import Work, unseen

_PAGE = 900_000


def run(options: StepOptions, work: Work) -> int:
    environment = dict(os.environ)
    given = _given(work, environment)
    subject = given.target
    to = access(subject.repository, environment)
    with client.reached():
        pull = fetch.pull_request(to.repository, subject.number, to.app)
        given = given if subject.head else given._replace(target=subject._replace(head=pull.head, base=pull.base, merge_base=pull.base))
        pull = pull._replace(line_comments=fetch.line_comments(to.repository, pull.number))
        pull = _in_queue(to, given, pull, options.config) if subject.merges else pull
        before = event.before(environment)
        found = settle(to, given, pull, leave=lambda found: _leave(found, work, environment, where(to, found)), before=before)
    return found.outcome.exit_code


def _in_queue(to: Access, given: Handover, pull: PullRequest, config: str) -> PullRequest:
    """Of a merge queue: the check of the pull request as it is by what people say now, and not as it was written once."""
    last = recorded(pull.number, pull.status, pull.head)
    if pull.status is None or last is None or given.failure or not given.applies:
        return pull
    outdated = is_outdated(to, last, pull, config)
    found = held(evaluate(to, last, pull, outdated).outcome, outdated)  # also where nothing was watched then
    return pull._replace(status=pull.status._replace(conclusion=found.conclusion))


def _leave(found: Settled, work: Work, environment: dict[str, str], to: Links) -> None:
    """What a later step of the workflow finds, also where GitHub takes nothing any more."""
    runner.summarise(environment, page(found.given, found.outcome, _PAGE, to))
    runner.put(environment, _outputs(found.given, found.outcome, work))
    work.save_log(environment, _log(found.given, found.outcome))
    write(f"{title(found.given, found.outcome)}\n")


def _given(work: Work, environment: dict[str, str]) -> Handover:
    """What the steps before have found; that there is nothing is a finding of its own."""
    try:
        return work.load(environment)
    except HelixError as error:
        return unseen(event.read(environment))._replace(failure=(3, str(error)))


def _log(given: Handover, decided: Decision) -> str:
    """All findings, the judges' too; a run that came to no result says so in it."""
    failure = decided.reasons[0].text if decided.state in (FAILED, BROKEN, MOVED) else ""
    return sarif.log([Suppressed(item.finding, "", "") for item in given.findings], list(given.skipped), failure)


def _outputs(given: Handover, decided: Decision, work: Work) -> dict[str, str]:
    costs = [item.verdict.agent_context.cost_usd for item in given.judged]
    severities = [item.finding.severity for item in given.rule_findings]
    return {
        "decision": decided.state,
        "errors": str(severities.count("error")),
        "warnings": str(severities.count("warning")),
        "cost-usd": "" if None in costs else f"{sum(cost or 0 for cost in costs):.4f}",
        "result-file": work.file,
    }
