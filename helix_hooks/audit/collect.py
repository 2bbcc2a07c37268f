"""Collect recorded decisions: of one pull request with GitHub today, and of a whole repository."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ..adr.place import is_adr
from ..check import files
from ..decision import chain
from ..decision.chain import Tip
from ..decision.pull_request import PullRequest
from ..errors import HelixError
from ..pull import client, fetch
from ..pull.access import Access, access
from ..pull.earlier_runs import chain_end, chain_in, recorded
from ..pull.evaluate import evaluate
from ..pull.summary_comment import sticky_of
from .confirmed import Record, Today, doubts, facts, person_now
from .figures import GateFigures, PullHistory, gate_figures, history
from .report import Audit


def validator() -> Callable[[object], bool]:
    """Return a function that tells whether the fields of a record fit the schema of a decision."""
    from jsonschema_rs import validator_for

    schema = validator_for(json.loads(files.packaged("schemas/decision.json") or b"{}"))

    def is_decision(fields: object) -> bool:
        try:
            return schema.is_valid(fields)
        except (ValueError, RecursionError):
            # A lone surrogate, which the validator can't encode, or too deep a nesting.
            return False

    return is_decision


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
            is_decision = validator()
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


MOST_REQUESTS = 600
_RESERVED = 100
"""Requests of the rate limit that are left for other programs with the same token."""


class Collected(NamedTuple):
    """The figures, and whether GitHub failed before all were fetched."""

    figures: GateFigures
    has_failed: bool


class _Pull(NamedTuple):
    number: int
    head: str
    merged: str
    project: int
    history: PullHistory


class _Requests:
    """The number of requests so far, and the schema of a record.

    `end` is the reason to send no more requests, "" if there is none.
    """

    def __init__(self, to: Access) -> None:
        self._to, self.count = to, 0
        self.is_record = validator()

    def add(self) -> None:
        self.count += 1

    @property
    def end(self) -> str:
        if self.count >= MOST_REQUESTS:
            return f"the maximum of {MOST_REQUESTS} requests is reached; use a later --since"
        # PyGithub has -1 before the first answer.
        left, _ = self._to.repository.requester.rate_limiting
        if 0 <= left <= _RESERVED:
            return f"only {left} requests of the rate limit are left; try again in an hour"
        return ""


def repository_figures(name: str, since: str, environment: Mapping[str, str]) -> Collected:
    """Return the figures of a repository OWNER/NAME since a day (as in 2026-11-02), "" for all.

    Pull requests are read in order of their last change, newest first.

    Raises:
        HelixError: GitHub has answered no request.
    """
    to = access(name, environment)
    start = 0
    if since:
        start = int(datetime.fromisoformat(since).replace(tzinfo=UTC).timestamp())
    requests, histories, partial = _Requests(to), list[PullHistory](), list[str]()
    has_failed = False
    try:
        with client.reached():
            for pull in _pulls(to, start, requests):
                read = None if requests.end else _history(to, pull, requests)
                if read is None:
                    unread = f"#{pull.number} and older pull requests were not read"
                    partial.append(f"{unread}: {requests.end}")
                    break
                histories.append(read)
    except HelixError as error:
        if not histories:
            raise
        has_failed = True
        partial.append(f"older pull requests were not read: {error}")
    return Collected(gate_figures(name, since, histories, tuple(partial)), has_failed)


def _pulls(to: Access, start: int, requests: _Requests) -> Iterator[_Pull]:
    for number, item in enumerate(fetch.recent(to.repository)):
        # The first entry of a page has cost a request.
        if number % client.LARGEST_PAGE == 0:
            requests.add()
        if client.seconds(item["updated_at"]) < start:
            return
        yield _Pull(
            number=int(item["number"]),
            head=str(item["head"]["sha"]),
            merged=_merge_commit(item),
            project=int((item["base"].get("repo") or {}).get("id") or 0),
            history=PullHistory(
                number=int(item["number"]),
                created=client.seconds(item["created_at"]),
                base=str(item["base"]["ref"]),
                merged=client.seconds(item["merged_at"]) if item.get("merged_at") else 0,
            ),
        )


def _merge_commit(item: Mapping[str, object]) -> str:
    # GitHub sets `merge_commit_sha` on open pull requests too, to a test merge.
    if not item.get("merged_at"):
        return ""
    return str(item.get("merge_commit_sha") or "")


def _history(to: Access, pull: _Pull, requests: _Requests) -> PullHistory | None:
    """Return the history in the records; without a record, only whether an ADR was changed.

    It is None if the limit is reached before that.
    """
    for commit in dict.fromkeys(filter(None, (pull.head, pull.merged))):
        requests.add()
        status = fetch.status_about(to.repository, commit, to.app, pull.number)
        decisions = chain_in(status, pull.number)
        links = chain.links(decisions, pull.project, to.record_key, requests.is_record)
        lines = [link.fields for link in links if not link.wrong]
        if lines:
            return history(pull.history, lines)
    if requests.end:
        return None
    requests.add()
    contents = fetch.contents(to.repository, pull.number)
    adrs = {path: hash for path, hash in contents.items() if is_adr(path)}
    return pull.history._replace(has_adr=bool(adrs), adrs=adrs)
