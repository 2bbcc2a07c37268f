"""`--mode sweep`: decide the open pull requests that are due, on a schedule.

A pull request is due if a deadline has passed since the last run, or if an event started no run,
such as a review. It is also due if its base has given the id of a new ADR to another one. A pull
request that is not due costs one request, and each base branch one for its files.
"""

import os
from typing import Any, NamedTuple

from ..console import print_message, print_result
from ..decision.decide import decide
from ..decision.facts import of_pull_request
from ..decision.handover import Handover, TakenId
from ..decision.pull_request import PullRequest, Status
from ..decision.states import CONCLUSIONS, FAILED, MOVED, PENDING
from ..errors import HelixError
from ..github import client, event, fetch, reading, runner
from ..github.branch_files import ListedBranches
from ..publish.check_run import states_before
from ..publish.title import title
from .access import Access, access
from .earlier_runs import recorded
from .evaluate import settings_have_changed
from .options import StepOptions
from .pinned_issue import update_issue
from .publishing import decide_and_publish
from .taken_ids import AddedAdr, added_adrs, shared_ids, taken_ids
from .work import Work


def run(options: StepOptions, _: Work) -> int:
    environment = dict(os.environ)
    name = event.read(environment).repository
    to = access(name, environment)
    failed = 0
    with client.reached():
        now, pulls = fetch.list_open(to.repository)
    ids = _Ids(ListedBranches(to.repository), [])
    for pull in pulls:
        failed += not _is_swept(to, pull, now, options.config, ids)
    for line in shared_ids(ids.new):
        print_message(line)
    if options.pinned_issue:
        failed += not _writes_issue(to, name)
    runner.put(environment, {"decision": "", "swept": str(len(pulls))})
    if failed:
        return HelixError.exit_code
    return 0


class _Ids(NamedTuple):
    """The files of the base branches, and the new ADRs of the pull requests so far."""

    paths: ListedBranches
    new: list[tuple[int, AddedAdr]]


def _writes_issue(to: Access, name: str) -> bool:
    """Write the pinned issue; print a failure and return False."""
    try:
        update = update_issue(to, name)
    except HelixError as error:
        print_message(f"the pinned issue could not be written: {error}")
        return False
    for problem in update.problems:
        print_message(problem)
    if update.done:
        print_result(f"issue #{update.number}: {update.done}\n")
    return not update.problems


def _is_swept(to: Access, listed: dict[str, Any], now: int, config: str, ids: _Ids) -> bool:
    """Sweep one pull request; print a failure and return False, so that the sweep continues."""
    try:
        with client.reached():
            _sweep(to, listed, now, config, ids)
    except HelixError as error:
        print_message(f"#{listed['number']}: {error}")
        return False
    return True


def _sweep(to: Access, listed: dict[str, Any], now: int, config: str, ids: _Ids) -> None:
    number, head = int(listed["number"]), event.commit(listed["head"]["sha"])
    check = to.check_name(listed["base"]["ref"], fetch.default_branch(listed["base"]))
    status = fetch.status(to.repository, head, to.app, check)
    record = recorded(number, status, head)
    if status is None or record is None:
        return
    taken = _taken(to, record, listed, ids)
    if taken == record.taken and not _is_due(record, status, listed, now):
        return
    record = record._replace(taken=taken)
    pull = fetch.pull_request(to.repository, number, to.app)
    if pull.head != head:  # a push has started a run by now
        return
    is_outdated = settings_have_changed(to, record, pull, config)
    evaluation = decide_and_publish(to, record, pull, at_lines=False, is_outdated=is_outdated)
    print_result(f"#{number}: {title(evaluation.handover, evaluation.decision)}\n")


def _taken(to: Access, record: Handover, listed: dict[str, Any], ids: _Ids) -> tuple[TakenId, ...]:
    """Return the ids of new ADRs that others have taken on the base since the last run."""
    if listed["base"]["ref"] != record.target.base_ref:
        return record.taken
    adrs = added_adrs(to, record, ids.paths)
    ids.new.extend((record.target.number, adr) for adr in adrs)
    return taken_ids(to, record, adrs, ids.paths)


def _is_due(record: Handover, status: Status, listed: dict[str, Any], now: int) -> bool:
    state = states_before(status).get(record.target.number, "")
    if reading.seconds(listed["updated_at"]) > record.carried.looked:
        return True
    if CONCLUSIONS.get(state) != status.conclusion:
        return True
    # Two runs at once may leave check runs with different conclusions.
    if any(conclusion != status.conclusion for _, conclusion in status.older):
        return True
    return _is_overdue(record, state, _listed_facts(record, listed), now)


def _listed_facts(record: Handover, listed: dict[str, Any]) -> PullRequest:
    return PullRequest(
        number=record.target.number,
        author=event.person(listed["user"]),
        head=record.target.head,
        base=listed["base"]["sha"],
        is_open=True,
        base_ref=listed["base"]["ref"],
    )


def _is_overdue(record: Handover, state: str, pull: PullRequest, now: int) -> bool:
    """Return whether a deadline has passed since the last run, which left `state`."""
    carried = record.carried
    current = decide(of_pull_request(record, pull, now=now))
    earlier = decide(of_pull_request(record, pull, now=carried.looked))
    if current.state == MOVED:
        return False
    may_wait = state == PENDING or state == current.state == FAILED
    if not may_wait:
        return False
    if current.state != state or (earlier.asked and not current.asked):
        return True
    return current.escalated and not carried.escalated
