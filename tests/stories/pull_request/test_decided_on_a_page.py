"""The server with the real queue: pull requests on the fake GitHub, and requests in a store."""

import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helix_hooks.dashboard import sources as queue_sources
from helix_hooks.queue import place as queue_place
from helix_hooks.queue import store
from helix_hooks.queue.place import QueuePlace, Wanted
from helix_hooks.waiting.request import APPROVED, ApprovalRequest, Asker
from tests.conftest import Repository
from tests.fakes.dashboard import Desk, served
from tests.fakes.github.server import FakeGitHub, Fault, Token
from tests.stories.dashboard.people import Clock, Person, Place, eventually, fields_of, shown
from tests.stories.pull_request.scene import People, check, push

pytestmark = [pytest.mark.slow, pytest.mark.further]
PULL = "acme/decisions#1"
READS = {"contents": "read", "pull-requests": "read", "checks": "read", "issues": "read"}


@pytest.fixture
def environment(github: FakeGitHub, tmp_path: Path) -> dict[str, str]:
    github.tokens["ghp_server0000000000000"] = Token("helix", READS)
    return {
        "GITHUB_TOKEN": "ghp_server0000000000000",
        "GITHUB_API_URL": github.url,
        "GITHUB_SERVER_URL": github.url,
        "HELIX_OAUTH_CLIENT_ID": github.oauth.client_id,
        "HELIX_OAUTH_CLIENT_SECRET": github.oauth.client_secret,
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "HELIX_GITHUB_PAUSE": "0",
    }


@pytest.fixture
def of_queue(repository: Repository, environment: dict[str, str]) -> QueuePlace:
    found = queue_place.place_of(str(repository.root), environment)
    return found._replace(repository="acme/decisions")


@pytest.fixture
def place(
    people: People, github: FakeGitHub, environment: dict[str, str], of_queue: QueuePlace
) -> Iterator[Place]:
    people.pending()
    with (
        queue_sources.opened(of_queue, Wanted(), environment) as sources,
        served(Desk(), environment, sources=sources) as server,
    ):
        yield Place(server.url, server.desk, github, Clock())


def signed_in(place: Place, login: str) -> Person:
    person = Person(place)
    assert person.sign_in(login).status_code == 200
    return person


def test_an_approval_on_the_page_is_the_comment_of_the_person(
    place: Place, people: People, github: FakeGitHub
) -> None:
    max = signed_in(place, "max")
    page = max.opened(PULL)
    assert re.search(r'class="add">\+', page) or "The document" in page
    text = shown(max.decide(PULL, "approve").text)
    assert "1 decided" in text and "approved in your comment" in text
    (comment,) = (item for item in github.comments.values() if item.author == "max")
    assert comment.body == f"/helix approve {github.head(1)}"
    assert people.told(comment.id).code == 0
    assert check(github).conclusion == "success"


def test_the_author_sees_it_and_decides_nothing(place: Place, github: FakeGitHub) -> None:
    author = signed_in(place, "alice")
    page = author.page()
    assert PULL in page and f' {PULL}"' not in page
    assert not [item for item in github.comments.values() if item.author == "alice"]


def test_a_push_between_look_and_answer_is_told(
    place: Place, repository: Repository, github: FakeGitHub
) -> None:
    max = signed_in(place, "max")
    fields = fields_of(max.opened(PULL), PULL, answer="approve")
    push(repository, "docs/new.md", "# New\n")
    text = shown(max.send({**fields, "from": "entry"}).text)
    assert "1 not decided" in text and "was pushed since" in text
    assert not [item for item in github.comments.values() if item.author == "max"]


ELSEWHERE = "http://127.0.0.1:1/repositories/4711"
NO_COMMENTS: dict[str, tuple[int, Any, dict[str, str]]] = {
    "nothing": (200, "", {}),
    "an empty object": (200, {}, {}),
    "the page of a proxy": (200, "<html>Welcome</html>", {}),
    "accepted for later": (202, {"message": "Accepted"}, {}),
    "no content": (204, "", {}),
    "a comment elsewhere": (201, {"id": 5, "url": f"{ELSEWHERE}/repos/o/r/x/5"}, {}),
    **{
        f"a redirect with {status}": (status, {"message": "Moved"}, {"Location": ELSEWHERE})
        for status in (301, 302, 303, 307, 308)
    },
}


@pytest.mark.parametrize("answer", NO_COMMENTS)
def test_an_answer_that_names_no_comment_is_no_decision(
    answer: str, place: Place, github: FakeGitHub
) -> None:
    max = signed_in(place, "max")
    fields = fields_of(max.opened(PULL), PULL, answer="approve")
    status, body, headers = NO_COMMENTS[answer]
    path = "/repos/acme/decisions/issues/1/comments"
    github.faults.append(Fault("POST", path, status, body, headers, times=1000))
    text = shown(max.send({**fields, "from": "entry"}).text)
    assert "1 not decided" in text
    assert "approved in your comment" not in text
    assert not [item for item in github.comments.values() if item.author == "max"]


def request(asked_by: str) -> ApprovalRequest:
    return ApprovalRequest(
        id=str(uuid.uuid4()),
        project="acme/decisions",
        category="critical",
        action="production_deployment",
        title="Deploy v1.2",
        requested_by=Asker(asked_by, verified=True),
        requested_at=1_700_000_000,
    )


def test_a_request_is_approved_on_the_page_and_the_store_knows_who_did(
    place: Place, of_queue: QueuePlace
) -> None:
    alice, max = signed_in(place, "alice"), signed_in(place, "max")
    with store.opened(of_queue.flow) as db:
        asked = db.add(request("alice"))
        eventually(max.page, lambda page: asked.id in page)
        assert f' {asked.id}"' not in alice.page()
        text = shown(max.decide(asked.id, "approve").text)
        assert "approved by @max" in text
        after = db.request(asked.id)
        (vote,) = after.votes
        assert (after.status, vote.by.name, vote.by.verified) == (APPROVED, "max", True)
        assert vote.right == "role maintain"
