"""Collect the facts of an audit: the recorded decisions of a pull request, and GitHub today."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from ..decision import chain
from ..decision.chain import Tip
from ..decision.pull_request import PullRequest
from ..github import client, decision_schema, fetch
from ..publish.audit import Audit
from ..publish.confirmed import Record, Today, doubts, facts, person_now
from ..publish.sticky import sticky_of
from .access import Access, access
from .earlier_runs import recorded
from .evaluate import evaluate

_HIDDEN = (403, 404)
"""Status codes of GitHub for objects that a token may not see."""

Answer = TypeVar("Answer")


def audit(name: str, number: int, environment: Mapping[str, str]) -> Audit:
    """Compute the decision on a pull request of a repository OWNER/NAME, and confirm the record.

    Raises: HelixError if GitHub cannot be asked.
    """
    to = access(name, environment)
    with client.reached():
        return _with_record(_as_of_now(name, to, number), to)


def _as_of_now(name: str, to: Access, number: int) -> Audit:
    """Return the decision that the facts of today make, if a run has left its record."""
    pull = fetch.pull_request(to.repository, number, to.app)
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
    """Add the decisions as they were taken, and what GitHub says of them today."""
    pull = current.pull
    sticky = sticky_of(pull.comments, to.ours)
    end = chain.in_comment(sticky.body) if sticky else None
    current = current._replace(record=_record(to, pull, end), end=end)
    if current.taken is None:
        return current
    pull = pull._replace(reviews=pull.reviews or fetch.reviews(to.repository, pull.number))
    confirmed = facts(current.taken, pull, _today(to, current.taken, pull))
    doubtful = doubts(current.record) if current.record else ()
    return current._replace(facts=(*confirmed, *doubtful))


def _record(to: Access, pull: PullRequest, end: Tip | None) -> Record | None:
    """Return the first chain of decisions of three places: merge, head, end by our comment.

    The merge is what a merge queue has merged.
    """
    for commit in dict.fromkeys(filter(None, (pull.merged, pull.head, end and end.commit))):
        is_head = commit == pull.head
        status = pull.status if is_head else fetch.status(to.repository, commit, to.app)
        decisions = chain.read(status.text if status else "", pull.number)
        if status and decisions.lines:
            is_decision = decision_schema.validator()
            links = chain.links(decisions, pull.project, to.record_key, is_decision)
            return Record(decisions, links, status, end, bool(to.record_key))
    return None


def _today(to: Access, taken: dict[str, Any], pull: PullRequest) -> Today:
    """Ask GitHub for the roles, teams and files that a decision was about."""
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
    """Return whether a user is in one of the teams; None if this token may not know."""
    answers = [fetch.is_member(to.repository, team, login) for team in teams]
    if None in answers and True not in answers:
        return None
    return True in answers


def _visible(ask: Callable[[], Answer]) -> Answer | None:
    """Return what GitHub answers; None where this token may not know."""
    from github import GithubException

    try:
        return ask()
    except GithubException as error:
        if error.status not in _HIDDEN:
            raise
        return None
