"""`--mode publish`: the decision, recomputed from what was found and from GitHub's own records, and what is said on the pull request.

This step has a token that writes, and neither a key nor a model. Whatever did not happen before it is a failure that it tells.
"""

import os
from argparse import Namespace
from typing import TYPE_CHECKING

from ..adr.suppress import Suppressed
from ..errors import HelixError
from ..github import client, event, fetch, runner
from ..github.send import Sender
from ..pull.facts import PullRequest
from ..pull.handover import Handover
from ..pull.outcome import APPROVED, BROKEN, FAILED, MOVED, PENDING, Outcome, outcome
from ..pull.page import everything, page, title
from ..pull.payloads import payloads
from ..pull.votes import Known, counted, latest, settles
from ..report import sarif
from .main import complain, write
from .steps import Work, bot, unseen

if TYPE_CHECKING:
    from github.Repository import Repository

_PAGE = 900_000


def run(_: Namespace, work: Work) -> int:
    environment = dict(os.environ)
    given, ours = _given(work, environment), bot(environment)
    subject = given.subject
    repository = client.repository(subject.repository, environment.get("GITHUB_TOKEN", ""), environment.get("GITHUB_API_URL", ""),
                                   client.pause(environment))  # fmt: skip
    with client.reached():
        pull = fetch.pull_request(repository, subject.number)
        given = given if subject.head else given._replace(subject=subject._replace(head=pull.head, base=pull.base, merge_base=pull.base))
        decided = _decided(given, pull, repository)
        if decided.state == APPROVED and not subject.merges:
            pull = pull._replace(siblings=fetch.siblings(repository, pull.number, pull.head))
    runner.summarise(environment, page(given, decided, _PAGE))
    runner.put(environment, _outputs(given, decided, work))
    work.tell(environment, _log(given, decided))
    write(f"{title(given, decided)}\n")
    sender = Sender(repository, pull, ours)
    try:
        sender.send(payloads(given, pull, decided, ours))
    finally:
        for line in sender.left_out:
            complain(line)
    return decided.exit_code


def _given(work: Work, environment: dict[str, str]) -> Handover:
    """What the steps before have found; that there is nothing is a finding of its own."""
    try:
        return work.load(environment)
    except HelixError as error:
        return unseen(event.read(environment))._replace(failure=(3, str(error)))


def _decided(given: Handover, pull: PullRequest, repository: "Repository") -> Outcome:
    """People are asked of GitHub only where one of them could settle something."""
    found = outcome(given, pull)
    if found.state != (APPROVED if given.subject.merges and given.applies else PENDING):
        return found
    voted = pull._replace(reviews=fetch.reviews(repository, pull.number))
    votes = counted(voted, _known(voted, repository), given.deciders) if latest(voted) else ()
    return outcome(given, pull, votes, settles(votes, given.deciders.minimum))


def _known(pull: PullRequest, repository: "Repository") -> Known:
    commits, complete = fetch.commits(repository, pull.number)
    return Known({by.login: fetch.role(repository, by.login) for by in latest(pull) if not by.is_bot}, commits, complete)


def _log(given: Handover, decided: Outcome) -> str:
    """All findings, the judges' too; a run that came to no result says so in it."""
    failure = decided.reasons[0].what if decided.state in (FAILED, BROKEN, MOVED) else ""
    return sarif.log([Suppressed(item.finding, "", "") for item in everything(given)], list(given.skipped), failure)


def _outputs(given: Handover, decided: Outcome, work: Work) -> dict[str, str]:
    costs = [item.verdict.agent_context.cost_usd for item in given.judged]
    severities = [item.finding.severity for item in given.said]
    return {
        "decision": decided.state,
        "errors": str(severities.count("error")),
        "warnings": str(severities.count("warning")),
        "cost-usd": "" if None in costs else f"{sum(cost or 0 for cost in costs):.4f}",
        "result-file": work.file,
    }
