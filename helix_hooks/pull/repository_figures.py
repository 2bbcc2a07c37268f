"""Fetch the decision records of a repository's pull requests, within a limit of requests.

The records are read as `audit` reads them. Comments and roles, which confirm them, are not fetched.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from ..adr.place import is_adr
from ..decision import chain
from ..decision.gate_figures import GateFigures, gate_figures
from ..decision.gate_history import PullHistory, history
from ..errors import HelixError
from . import client, decision_schema, fetch, reading
from .access import Access, access
from .earlier_runs import chain_in

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
    created: int
    project: int


class _Requests:
    """The number of requests so far, and the schema of a record.

    `end` is the reason to send no more requests, "" if there is none.
    """

    def __init__(self, to: Access) -> None:
        self._to, self.count = to, 0
        self.is_record = decision_schema.validator()

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
        if number % reading.LARGEST_PAGE == 0:
            requests.add()
        if reading.seconds(item["updated_at"]) < start:
            return
        yield _Pull(
            number=int(item["number"]),
            head=str(item["head"]["sha"]),
            merged=_merge_commit(item),
            created=reading.seconds(item["created_at"]),
            project=int((item["base"].get("repo") or {}).get("id") or 0),
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
            return history(pull.number, pull.created, lines)
    if requests.end:
        return None
    requests.add()
    paths = fetch.contents(to.repository, pull.number)
    has_adr = any(map(is_adr, paths))
    return PullHistory(number=pull.number, created=pull.created, has_adr=has_adr)
