"""Fetch the records of the gate on the pull requests of a repository, within a number of requests.

The records are read as `audit` reads them, without the comments and roles that it confirms them by.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from ..adr.names.place import is_adr
from ..decision import chain
from ..decision.gate_figures import GateFigures, gate_figures
from ..decision.gate_history import PullHistory, history
from ..errors import HelixError
from ..github import client, decision_schema, fetch
from .access import Access, access

MOST_REQUESTS = 600
_KEPT = 100
"""Requests that are left to other programs with the same token."""


class Collected(NamedTuple):
    """The figures, and whether GitHub failed on the way."""

    figures: GateFigures
    has_failed: bool


class _Pull(NamedTuple):
    number: int
    head: str
    merged: str
    created: int
    project: int


class _Requests:
    """The requests so far, why there must be no more of them, and the schema of a record."""

    def __init__(self, to: Access) -> None:
        self._to, self.count = to, 0
        self.fits = decision_schema.validator()

    def counted(self) -> None:
        self.count += 1

    @property
    def end(self) -> str:
        if self.count >= MOST_REQUESTS:
            return f"{MOST_REQUESTS} requests is the most; choose a later --since"
        left, _ = self._to.repository.requester.rate_limiting
        if 0 <= left <= _KEPT:
            return f"{left} requests are left of GitHub's limit; try again within the hour"
        return ""


def repository_figures(name: str, since: str, environment: Mapping[str, str]) -> Collected:
    """Return the figures of a repository OWNER/NAME since a day, "" for all.

    Pull requests are read from the one that changed last. Raises HelixError if GitHub can't be
    asked at all.
    """
    to = access(name, environment)
    start = int(datetime.fromisoformat(since).replace(tzinfo=UTC).timestamp()) if since else 0
    requests, found, partial = _Requests(to), list[PullHistory](), list[str]()
    has_failed = False
    try:
        with client.reached():
            for pull in _pulls(to, start, requests):
                if end := requests.end:
                    partial.append(f"older pull requests than #{pull.number} were not read: {end}")
                    break
                found.append(_history(to, pull, requests))
    except HelixError as error:
        if not found:
            raise
        has_failed = True
        partial.append(f"older pull requests were not read: {error}")
    return Collected(gate_figures(name, since, found, tuple(partial)), has_failed)


def _pulls(to: Access, start: int, requests: _Requests) -> Iterator[_Pull]:
    for number, item in enumerate(fetch.recent(to.repository)):
        if number % fetch.LARGEST_PAGE == 0:
            requests.counted()
        if fetch.seconds(str(item["updated_at"])) < start:
            return
        created = fetch.seconds(str(item["created_at"]))
        merged = str(item.get("merge_commit_sha") or "") if item.get("merged_at") else ""
        project = int((item["base"].get("repo") or {}).get("id") or 0)
        yield _Pull(int(item["number"]), str(item["head"]["sha"]), merged, created, project)


def _history(to: Access, pull: _Pull, requests: _Requests) -> PullHistory:
    """Return what the records tell; of a pull request without one, whether it touches an ADR."""
    for commit in dict.fromkeys(filter(None, (pull.head, pull.merged))):
        requests.counted()
        status = fetch.status(to.repository, commit, to.app)
        decisions = chain.read(status.text if status else "", pull.number)
        links = chain.links(decisions, pull.project, to.record_key, requests.fits)
        lines = [link.fields for link in links if not link.wrong]
        if lines:
            return history(pull.number, pull.created, lines)
    if requests.end:
        return PullHistory(number=pull.number, created=pull.created)
    requests.counted()
    paths = fetch.contents(to.repository, pull.number)
    has_adr = any(map(is_adr, paths))
    return PullHistory(number=pull.number, created=pull.created, has_adr=has_adr)
