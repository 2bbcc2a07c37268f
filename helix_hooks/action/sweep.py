"""`--mode sweep`: what time has decided. Nothing waits for a deadline; a schedule looks at the open pull requests now and then.

A pull request that is not due costs one request. It is due when a deadline has passed since the last run, and when something happened on it
behind that run, such as a review that set off no run of its own.
"""

import os
from typing import Any

from ..console.output import complain, write
from ..decision.decide import decide
from ..decision.facts import of_pull_request
from ..decision.handover import Handover
from ..decision.pull_request import PullRequest, Status
from ..decision.states import CONCLUSIONS, FAILED, MOVED, PENDING
from ..errors import HelixError
from ..github import client, event, fetch, runner
from ..publish.check_run import states_before
from ..publish.page import title
from .options import StepOptions
from .settle import Access, access, is_outdated, recorded, settle
from .work import Work


def run(options: StepOptions, _: Work) -> int:
    environment = dict(os.environ)
    to = access(event.read(environment).repository, environment)
    failed = 0
    with client.reached():
        now, pulls = fetch.open_ones(to.repository)
    for pull in pulls:
        failed += not _looked_at(to, pull, now, options.config)
    runner.put(environment, {"decision": "", "swept": str(len(pulls))})
    return 3 if failed else 0


def _looked_at(to: Access, listed: dict[str, Any], now: int, config: str) -> bool:
    """One that can't be looked at is no reason to leave the others alone."""
    try:
        with client.reached():
            _sweep(to, listed, now, config)
    except HelixError as error:
        complain(f"#{listed['number']}: {error}")
        return False
    return True


def _sweep(to: Access, listed: dict[str, Any], now: int, config: str) -> None:
    number, head = int(listed["number"]), event.commit(listed["head"]["sha"])
    status = fetch.status(to.repository, head, to.app)
    given = recorded(number, status, head)
    if status is None or given is None or not _is_due(given, status, listed, now):
        return
    pull = fetch.pull_request(to.repository, number, to.app)
    if pull.head == head:
        found = settle(to, given, pull, at_lines=False, outdated=is_outdated(to, given, pull, config))
        write(f"#{number}: {title(found.given, found.outcome)}\n")


def _is_due(given: Handover, status: Status, listed: dict[str, Any], now: int) -> bool:
    was = states_before(status).get(given.target.number, "")
    if fetch.seconds(listed["updated_at"]) > given.carried.looked or CONCLUSIONS.get(was) != status.conclusion:
        return True
    if any(conclusion != status.conclusion for _, conclusion in status.older):  # two runs at once have left them
        return True
    base = listed["base"]
    pull = PullRequest(given.target.number, event.person(listed["user"]), given.target.head, base["sha"], is_open=True, base_ref=base["ref"])
    by_time, before = decide(of_pull_request(given, pull, now=now)), decide(of_pull_request(given, pull, now=given.carried.looked))
    if by_time.state == MOVED or not (was == PENDING or (was == FAILED and by_time.state == FAILED)):
        return False
    is_over = by_time.state != was or (bool(before.asked) and not by_time.asked)
    return is_over or (by_time.escalated and not given.carried.escalated)
