"""The open pull requests of a repository that wait for a person, with their current decision.

A pull request that does not wait costs one request. Any other one costs four, and one more for each
further page of comments, reviews or commits. Votes cost one more, and one for the role of each
voter in the repository.
"""

from ..decision.handover import Handover
from ..decision.pull_request import Status
from ..decision.states import BLOCKED, FAILED, PENDING
from ..waiting.entry import QueueEntry
from ..waiting.pull_entry import PullFacts, pull_entry, waits
from . import fetch
from .access import Access
from .check_run import states_before
from .earlier_runs import recorded
from .evaluate import evaluate
from .links import comment_box
from .repository import ListedPull
from .title import title

_MAY_WAIT = (PENDING, BLOCKED, FAILED)
"""States of the last run that may wait for a person, now or after a deadline."""


def pending(to: Access, name: str, listed: ListedPull) -> QueueEntry | None:
    """Return the entry of an open pull request of OWNER/NAME; None if it waits for nobody.

    Only the run record comes from the last run: votes, roles and deadlines are the current ones.
    """
    check = to.check_name(listed.base_ref, listed.default_branch)
    status = fetch.status(to.repository, listed.head, to.app, check)
    record = recorded(listed.number, status, listed.head)
    if status is None or record is None or not _may_wait(record, status, listed):
        return None
    comments = fetch.comments(to.repository, listed.number)
    now = evaluate(to, record, listed.with_facts(comments, status, check))
    if not waits(now.decision):
        return None
    commits, has_all = to.commits(listed.number, listed.head)
    facts = PullFacts(
        project=name,
        title=listed.title,
        opened=listed.created,
        turn=title(now.handover, now.decision),
        url=comment_box(to.server, name, listed.number),
        handover=now.handover,
        decision=now.decision,
        pull=now.pull,
        votes=now.votes,
        commits=commits,
        has_all_commits=has_all,
    )
    return pull_entry(facts)


def _may_wait(record: Handover, status: Status, listed: ListedPull) -> bool:
    """Return whether a pull request may wait for a person, or has changed since the last run."""
    state = states_before(status).get(listed.number, "")
    return state in _MAY_WAIT or listed.updated > record.carried.looked
