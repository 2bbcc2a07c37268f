"""`--mode sweep`: decide what is due on the open pull requests, on a schedule.

A pull request is due if a deadline has passed since the last run, or if something happened on it
that started no run, such as a review. One that is not due costs one request.
"""

import os
from typing import Any

from ..console.output import print_message, print_result
from ..decision.decide import decide
from ..decision.facts import of_pull_request
from ..decision.handover import Handover
from ..decision.pull_request import PullRequest, Status
from ..decision.states import CONCLUSIONS, FAILED, MOVED, PENDING
from ..errors import HelixError
from ..github import client, event, fetch, runner
from ..publish.check_run import states_before
from ..publish.title import title
from .access import Access, access
from .earlier_runs import recorded
from .evaluate import settings_have_changed
from .options import StepOptions
from .pinned_issue import keep
from .publishing import decide_and_publish
from .work import Work


def run(options: StepOptions, _: Work) -> int:
    environment = dict(os.environ)
    name = event.read(environment).repository
    to = access(name, environment)
    failed = 0
    with client.reached():
        now, pulls = fetch.open_ones(to.repository)
    for pull in pulls:
        failed += not _is_swept(to, pull, now, options.config)
    if options.pinned_issue:
        failed += not _is_kept(to, name)
    runner.put(environment, {"decision": "", "swept": str(len(pulls))})
    return HelixError.exit_code if failed else 0


def _is_kept(to: Access, name: str) -> bool:
    """Write the pinned issue by what the sweep has decided."""
    try:
        kept = keep(to, name)
    except HelixError as error:
        print_message(f"the pinned issue could not be written: {error}")
        return False
    for problem in kept.problems:
        print_message(problem)
    if kept.done:
        print_result(f"issue #{kept.number}: {kept.done}\n")
    return not kept.problems


def _is_swept(to: Access, listed: dict[str, Any], now: int, config: str) -> bool:
    """Sweep one pull request; a failure does not stop the sweep of the others."""
    try:
        with client.reached():
            _sweep(to, listed, now, config)
    except HelixError as error:
        print_message(f"#{listed['number']}: {error}")
        return False
    return True


def _sweep(to: Access, listed: dict[str, Any], now: int, config: str) -> None:
    number, head = int(listed["number"]), event.commit(listed["head"]["sha"])
    status = fetch.status(to.repository, head, to.app)
    record = recorded(number, status, head)
    if status is None or record is None or not _is_due(record, status, listed, now):
        return
    pull = fetch.pull_request(to.repository, number, to.app)
    if pull.head != head:
        return
    is_outdated = settings_have_changed(to, record, pull, config)
    evaluation = decide_and_publish(to, record, pull, at_lines=False, is_outdated=is_outdated)
    print_result(f"#{number}: {title(evaluation.handover, evaluation.decision)}\n")


def _is_due(record: Handover, status: Status, listed: dict[str, Any], now: int) -> bool:
    target, carried = record.target, record.carried
    state = states_before(status).get(target.number, "")
    is_newer = fetch.seconds(listed["updated_at"]) > carried.looked
    if is_newer or CONCLUSIONS.get(state) != status.conclusion:
        return True
    if any(conclusion != status.conclusion for _, conclusion in status.older):
        return True  # two runs at once have left them
    pull = PullRequest(
        number=target.number,
        author=event.person(listed["user"]),
        head=target.head,
        base=listed["base"]["sha"],
        is_open=True,
        base_ref=listed["base"]["ref"],
    )
    by_now = decide(of_pull_request(record, pull, now=now))
    by_then = decide(of_pull_request(record, pull, now=carried.looked))
    is_failed = state == FAILED and by_now.state == FAILED
    if by_now.state == MOVED or not (state == PENDING or is_failed):
        return False
    is_over = by_now.state != state or (bool(by_then.asked) and not by_now.asked)
    return is_over or (by_now.escalated and not carried.escalated)
