"""Reads that GitHub redirects: nothing of another repository is a fact of this one.

Attack by a hostile pull request: another repository under the old name of a renamed one.
Answer: no redirect is followed; exit 3 with the new address.
Shown by: `tests/stories/pull_request/test_redirected_reads.py`.
"""

import re

import pytest

from tests.fakes.github.server import FakeGitHub, Fault
from tests.fakes.runner import READER
from tests.stories.pull_request.scene import People

_STATUSES = (301, 302, 303, 307, 308)
_READS = {
    "the pull request": "/repos/acme/decisions/pulls/1",
    "its commits": "/repos/acme/decisions/pulls/1/commits",
    "its comments": "/repos/acme/decisions/issues/1/comments",
    "its reviews": "/repos/acme/decisions/pulls/1/reviews",
    "a role": "/repos/acme/decisions/collaborators/.*",
    "check runs": "/repos/acme/decisions/commits/.*/check-runs",
    "anything": "/repos/acme/decisions.*",
}


def _redirect(github: FakeGitHub, status: int, path: str) -> str:
    """Redirect reads to another repository of the same server, and return its address."""
    place = f"{github.url}/repositories/4711/elsewhere"
    body = {"message": "Moved Permanently", "url": place, "documentation_url": "x"}
    github.faults.append(Fault("GET", path, status, body, {"Location": place}, times=1000))
    return place


@pytest.mark.sampled
@pytest.mark.parametrize("status", _STATUSES)
@pytest.mark.parametrize("read", _READS)
def test_a_vote_is_not_counted_with_facts_of_another_repository(
    read: str, status: int, github: FakeGitHub, people: People
) -> None:
    head = people.pending()
    place = _redirect(github, status, _READS[read])
    before = len(github.requests)
    ended = people.says("max", f"/helix approve {head}")
    was_read = any(
        seen.verb == "GET" and re.fullmatch(_READS[read], seen.path.partition("?")[0])
        for seen in github.requests[before:]
    )
    assert was_read, "the story reads what the test redirects"
    assert ended.code == 3, ended.err
    assert f"GitHub redirects to {place}" in ended.err
    assert "Traceback" not in ended.err
    conclusions = {run.conclusion for run in github.runs.values()}
    assert "success" not in conclusions


@pytest.mark.parametrize("status", _STATUSES)
def test_no_change_is_read_from_another_repository(
    status: int, github: FakeGitHub, people: People
) -> None:
    place = _redirect(github, status, _READS["anything"])
    ended = people.job().step("snapshot", GITHUB_TOKEN=READER)
    assert ended.code == 3
    assert f"GitHub redirects to {place}" in ended.err
