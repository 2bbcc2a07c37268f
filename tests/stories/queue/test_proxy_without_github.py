"""A project that is not on GitHub, behind a proxy that signs people in: the policy names who decides."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator

import pytest

from helix_hooks.dashboard import sources as queue_sources
from helix_hooks.queue import store
from helix_hooks.queue.place import Wanted, place_of
from helix_hooks.waiting.trail import APPROVED
from tests.fakes.dashboard import Desk, served
from tests.fakes.github.server import FakeGitHub
from tests.fakes.trail import events
from tests.stories.dashboard.people import Clock, Person, Place, behind_proxy, eventually, shown
from tests.stories.flow.examples import FlowScene

pytestmark = pytest.mark.slow
POLICY = {
    "approvers": {"users": ["anna", "ben"], "roles": []},
    "delegates": [{"from": "ben", "to": "dora", "since": "2020-01-01", "until": "2090-01-01"}],
}


FLOW = """name: cache
phases:
  - {id: write, type: development, run: [sh, -c, "mkdir -p out; echo 1 > out/a.md"], output: [out/a.md]}
  - {id: release, type: approval, approver: manual, input: [out/a.md]}
"""


def ask(scene: FlowScene, title: str) -> str:
    """Ask for an approval, and return the id of the request."""
    done = scene.call("ask", title, "--action", "production_deployment", "--format", "json")
    assert done.returncode == 4, done.stderr
    return str(json.loads(done.stdout)["request"]["id"])


@pytest.fixture
def named(scene: FlowScene) -> FlowScene:
    """A repository of a GitLab, whose settings name two deciders."""
    root = scene.repository.root
    scene.repository.git("remote", "add", "origin", "git@gitlab.example.com:acme/shop.git")
    scene.repository.git("config", "user.name", "ben")
    settings = json.loads((root / "config/approvals.yaml").read_text())
    scene.repository.stage("config/approvals.yaml", json.dumps({**settings, "policy": POLICY}))
    scene.repository.commit("Name deciders")
    return scene


@pytest.fixture
def place(named: FlowScene) -> Iterator[Place]:
    here = place_of(str(named.repository.root), {})
    with (
        queue_sources.opened(here, Wanted(), {}) as sources,
        served(Desk(), user_header="X-User", proxies=("127.0.0.1",), sources=sources) as server,
        FakeGitHub(named.repository.root) as github,
    ):
        yield Place(server.url, server.desk, github, Clock())


def opened(person: Person, id: str) -> str:
    """Return the page of an entry, once the server has read it."""
    return eventually(lambda: person.opened(id), lambda page: "Deploy" in page)


def test_a_user_whom_the_policy_names_decides_on_the_page(named: FlowScene, place: Place) -> None:
    id = ask(named, "Deploy v1.2")
    anna = behind_proxy(place, "anna")
    opened(anna, id)
    assert "1 decided" in shown(anna.decide(id, "approve", "as planned").text)
    with store.opened(place_of(str(named.repository.root), {}).flow) as db:
        after = db.request(id)
        (vote,) = after.votes
        (event,) = (item for item in events(db, id) if item.kind == APPROVED)
    assert (after.status, vote.by.name, vote.right) == ("approved", "anna", "named by the policy")
    assert vote.via == "a proxy, without GitHub" == event.fields["via"]


def test_an_entry_that_is_decided_says_by_whom(named: FlowScene, place: Place) -> None:
    id = ask(named, "Deploy v1.2")
    anna = behind_proxy(place, "anna")
    opened(anna, id)
    anna.decide(id, "approve", "as planned")
    assert "It was approved by @anna on" in shown(anna.opened(id))
    refused = behind_proxy(place, "mallory").opened(id)
    assert "It is no longer pending, or you may not see it." in shown(refused)
    assert "Deploy" not in refused and "anna" not in refused


def test_an_entry_that_can_not_be_read_is_not_called_decided(
    named: FlowScene, place: Place
) -> None:
    id = ask(named, "Deploy v1.2")
    anna = behind_proxy(place, "anna")
    opened(anna, id)
    file = named.repository.root / ".git" / "helix-hooks" / "flows.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE helix_requests SET document = '{}'")
    ask(named, "Deploy v1.3")  # so that the server looks at the queue
    said = "It could not be read, so it is not known whether it is pending."
    eventually(lambda: shown(anna.opened(id)), lambda text: said in text)


def test_a_delegate_decides_for_a_named_user(named: FlowScene, place: Place) -> None:
    id = ask(named, "Deploy v1.2")
    page = opened(behind_proxy(place, "dora"), id)
    assert "@dora is a delegate of @ben, who is an author or the requester" in shown(page)
    named.repository.git("config", "user.name", "Carla Client")
    id, dora = ask(named, "Deploy v1.3"), behind_proxy(place, "dora")
    opened(dora, id)
    assert "1 decided" in shown(dora.decide(id, "approve").text)
    with store.opened(place_of(str(named.repository.root), {}).flow) as db:
        (vote,) = db.request(id).votes
    assert (vote.by.name, vote.by.delegate_of) == ("dora", "ben")


@pytest.mark.parametrize("login", ["ben", "BEN", "mallory", "anna[bot]"])
def test_nobody_else_decides(login: str, named: FlowScene, place: Place) -> None:
    """`ben` has asked, by the name that git has for him."""
    id = ask(named, "Deploy v1.2")
    anna, other = behind_proxy(place, "anna"), behind_proxy(place, login)
    assert "Approve" in opened(anna, id)
    page = other.opened(id)
    assert 'value="approve"' not in page
    form: dict[str, str | list[str]] = {
        "id": [f"- {id}"],
        "answer": "approve",
        "reason": "",
        "from": "entry",
        "token": "x",
    }
    assert other.send(form).status_code in (401, 403, 404)
    with store.opened(place_of(str(named.repository.root), {}).flow) as db:
        assert db.request(id).votes == ()


def test_the_turn_names_who_may_decide(named: FlowScene) -> None:
    ask(named, "Deploy v1.2")
    listed = named.call("queue", "list").stdout
    assert "Your turn" in listed and "Deploy v1.2" in listed
    shown_entry = named.call("queue", "list", "--format", "json").stdout
    assert "Waiting for @anna or @ben or a person at a terminal" in shown_entry


def test_a_named_user_decides_about_a_run(named: FlowScene, request: pytest.FixtureRequest) -> None:
    """`ben` has started it, by the name that git has for him."""
    assert named.run_text(FLOW).returncode == 4
    place = request.getfixturevalue("place")  # the server looks at the flows when it starts
    id = f"{named.status()['run']}/release"
    for login in ("ben", "mallory"):
        assert 'value="approve"' not in behind_proxy(place, login).opened(id), login
    anna = behind_proxy(place, "anna")
    eventually(lambda: anna.opened(id), lambda page: "release of cache" in page)
    assert "1 decided" in shown(anna.decide(id, "approve", "as planned").text)
    assert named.call("worker", "--until-idle").returncode == 0
    status = named.status()
    assert status["state"] == "approved"
    assert status["phases"][1]["decided"].startswith(
        "approved by @anna (a proxy, without GitHub), "
    )
