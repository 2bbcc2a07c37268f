"""Collect the facts of an audit: the recorded decisions of a pull request, and GitHub today."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from ..decision import chain
from ..decision.chain import Tip
from ..decision.pull_request import PullRequest
from . import client, decision_schema, fetch
from .access import Access, access
from .audit_values import Audit
from .confirmed import Record, Today, doubts, facts, person_now
from .earlier_runs import chain_end, chain_in, recorded
from .evaluate import evaluate
from .sticky import sticky_of

_HIDDEN = (403, 404)
"""Status codes of GitHub for objects that a token may not see."""

Answer = TypeVar("Answer")


def audit(name: str, number: int, environment: Mapping[str, str]) -> Audit:
    """Compute the decision on a pull request of a repository OWNER/NAME, and confirm the record.

    Raises:
        HelixError: GitHub refuses a request, or can't be reached.
    """
    to = access(name, environment)
    with client.reached():
        return _with_record(_current_audit(name, to, number), to)


def _current_audit(name: str, to: Access, number: int) -> Audit:
    """Return the decision from the facts of today, if a run has left its record."""
    pull = fetch.pull_request(to.repository, number, to.app)
    if pull.status is None:
        # The base may have been protected at the time of the last run.
        status = fetch.status_about(to.repository, pull.head, to.app, number)
        pull = pull._replace(status=status)
    handover = recorded(pull.number, pull.status, pull.head)
    if not handover:
        return Audit(repository=name, pull=pull, handover=None, decision=None)
    now = evaluate(to, handover, pull)
    return Audit(
        repository=name,
        pull=now.pull,
        handover=now.handover,
        decision=now.decision,
        votes=now.votes,
    )


def _with_record(current: Audit, to: Access) -> Audit:
    """Add the recorded decisions, and the facts of today that confirm them."""
    pull = current.pull
    end = chain_end(sticky_of(pull.comments, to.ours))
    current = current._replace(record=_record(to, pull, end), end=end)
    if current.taken is None:
        return current
    pull = pull._replace(reviews=pull.reviews or fetch.reviews(to.repository, pull.number))
    confirmed = facts(current.taken, pull, _today(to, current.taken, pull))
    if current.record:
        confirmed = (*confirmed, *doubts(current.record))
    return current._replace(facts=tuple(confirmed))


def _record(to: Access, pull: PullRequest, end: Tip | None) -> Record | None:
    """Return the first chain of decisions at: the merge commit, the head, the end in our comment.

    A merge queue records its decision at the merge commit.
    """
    for commit in dict.fromkeys(filter(None, (pull.merged, pull.head, end and end.commit))):
        status = pull.status
        if commit != pull.head:
            status = fetch.status_about(to.repository, commit, to.app, pull.number)
        decisions = chain_in(status, pull.number)
        if status and decisions.lines:
            is_decision = decision_schema.validator()
            links = chain.links(decisions, pull.project, to.record_key, is_decision)
            return Record(decisions, links, status, end, bool(to.record_key))
    return None


def _today(to: Access, taken: dict[str, Any], pull: PullRequest) -> Today:
    """Fetch the roles, teams and files on which a decision depended."""
    accounts = dict[str, tuple[str, int] | None]()
    members = dict[str, bool | None]()
    for vote in taken["votes"]:
        login = person_now(vote, pull)
        accounts[login] = _visible(partial(fetch.account, to.repository, login))
        if vote["as"] == "team":
            members[login] = _is_member(to, taken["approvers"]["teams"], login)
    if not taken["files"] or taken["queue"]:
        return Today(accounts, members, {})
    contents = _visible(partial(fetch.contents, to.repository, pull.number))
    return Today(accounts, members, contents)


def _is_member(to: Access, teams: list[str], login: str) -> bool | None:
    """Return whether a user is in one of the teams; None if the token may not read one of them."""
    answers = [fetch.is_member(to.repository, team, login) for team in teams]
    if None in answers and True not in answers:
        return None
    return True in answers


def _visible(ask: Callable[[], Answer]) -> Answer | None:
    """Return the answer of GitHub; None if the token may not see the object."""
    from github import GithubException

    try:
        return ask()
    except GithubException as error:
        if error.status not in _HIDDEN:
            raise
        return None
