"""`--mode sweep`: decide the open pull requests that are due, on a schedule.

It also finds new ADRs whose id another ADR has meanwhile taken on the base: each run compares the
ids with the base of that time, and only the sweep can notice that another pull request was first.
"""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..adr.place import is_adr
from ..adr.reference import collection, key_in_path, stem
from ..console import print_message, print_result
from ..decision.decide import decide, of_pull_request
from ..decision.handover import MOST_CHANGED, Handover, TakenId
from ..decision.pull_request import PullRequest, Status
from ..decision.states import CONCLUSIONS, FAILED, MOVED, PENDING
from ..errors import HelixError
from ..paths import MARKDOWN
from . import client, event, fetch, runner
from .access import Access, access
from .check_run import states_before
from .earlier_runs import recorded
from .evaluate import settings_have_changed
from .pinned_issue import update_issue
from .publish import decide_and_publish
from .repository import ListedBranches, text_at
from .runner import StepOptions, Work
from .title import title

_MOST = 20
"""Maximum number of taken ids of a pull request that are reported."""


class AddedAdr(NamedTuple):
    """An ADR that a pull request may add to a branch: its collection, id and path."""

    branch: str
    collection: str
    key: str
    path: str


def added_adrs(to: Access, record: Handover, paths: ListedBranches) -> list[AddedAdr]:
    """Return the changed ADRs that the base does not have. They may be edited there or new."""
    branch = record.target.base_ref
    adrs = []
    for path in _changed(to, record):
        key = key_in_path(path)
        if key and path not in paths.below(branch, collection(path)):
            adrs.append(AddedAdr(branch, collection(path), key, path))
    return adrs


def _changed(to: Access, record: Handover) -> Iterable[str]:
    """Return the changed ADRs. A record has only the first ones of many."""
    if not record.target.settings:
        return ()
    has_more = len(record.changed) >= MOST_CHANGED or record.files_left_out
    if has_more:
        added = fetch.changed_paths(to.repository, record.target.number).added
        return [path for path in added if is_adr(path)]
    files = [path for path, hash in record.files if hash and is_adr(path)]
    return dict.fromkeys((*(item.path for item in record.changed), *files))


def taken_ids(
    to: Access, record: Handover, adrs: Iterable[AddedAdr], paths: ListedBranches
) -> tuple[TakenId, ...]:
    """Return the ids that other ADRs have taken on the base since the last run.

    An id that the base had before was a matter for the rules of that run. Only a suspicion costs
    requests: one for the changed files, and one for each suspicious file.
    """
    suspicions: list[TakenId] = []
    for adr in adrs:
        suspicions += _with_same_id(adr, paths)
    suspicions = suspicions[:_MOST]
    unknown = [item for item in suspicions if item not in record.taken]
    if unknown:
        unknown = _confirmed(to, record, unknown)
    return tuple(item for item in suspicions if item in (*record.taken, *unknown))


def _confirmed(to: Access, record: Handover, suspicions: list[TakenId]) -> list[TakenId]:
    """Return the ids that this change adds, and that the base did not have at the last run.

    The base may have renamed an edited ADR, and this change may rename or remove the other one.
    """
    changed = fetch.changed_paths(to.repository, record.target.number)
    added = [item for item in suspicions if item.path not in changed.edited]
    added = [item for item in added if item.by not in changed.removed]
    return [item for item in added if text_at(to.repository, item.by, record.target.base) == ""]


def _with_same_id(adr: AddedAdr, paths: ListedBranches) -> list[TakenId]:
    """Return the ADRs on the branch that have the id, except for other versions of the ADR."""
    texts = paths.below(adr.branch, adr.collection) - {adr.path}
    return [
        TakenId(adr.key, adr.path, path, adr.branch)
        for path in sorted(texts)
        if _has_id(path, adr) and stem(path) != stem(adr.path)
    ]


def _has_id(path: str, adr: AddedAdr) -> bool:
    place = (collection(path), key_in_path(path))
    return path.lower().endswith(MARKDOWN) and place == (adr.collection, adr.key)


def shared_ids(adrs: Iterable[tuple[int, AddedAdr]]) -> list[str]:
    """Return a line for each id that several open pull requests add.

    It blocks none of them: the first to be merged keeps the id.
    """
    by_id: dict[tuple[str, str, str], dict[int, None]] = {}
    for number, adr in adrs:
        by_id.setdefault((adr.branch, adr.collection, adr.key), {})[number] = None
    return [
        f"{' and '.join(f'#{number}' for number in numbers)} add the id {key} to {folder or '.'} "
        f"of {branch}; the first to be merged keeps it"
        for (branch, folder, key), numbers in by_id.items()
        if len(numbers) > 1
    ]


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
    if client.seconds(listed["updated_at"]) > record.carried.looked:
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
