"""The queue of a repository on GitHub: one asks, another one decides, each known by their token."""

import json
import subprocess
from typing import Any

import pytest

from helix_hooks.flow.place import DATABASE, place_of
from helix_hooks.queue import store
from tests.fakes.github.server import FakeGitHub, Fault
from tests.fakes.program import PROGRAM
from tests.fakes.trail import events
from tests.stories.flow.examples import ADR, FlowScene, adr

pytestmark = [pytest.mark.slow, pytest.mark.further]
"""Each of them starts the program itself: the one that is kept warm has our fake in the place of PyGithub."""


def call(
    scene: FlowScene, *arguments: str, token: str = "max"
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(PROGRAM), *arguments],
        cwd=scene.repository.root,
        env={**scene.environment, "GITHUB_TOKEN": token},
        capture_output=True,
        text=True,
        check=False,
    )


def entries(scene: FlowScene, *arguments: str, token: str = "max") -> list[dict[str, Any]]:
    done = call(scene, "queue", "list", "--format", "json", *arguments, token=token)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["entries"]
    return found


def unsure(scene: FlowScene) -> None:
    """Let alice begin a run whose judge is not sure."""
    scene.writes(consultant=adr(text=f"{ADR}\nUNSURE whether it pays.\n"))
    scene.repository.write("phases.yaml", scene.example("seed1-gate.yaml"))
    assert call(scene, "run", "phases.yaml", token="alice").returncode == 4


def test_the_asker_does_not_approve_and_a_maintainer_does(
    scene: FlowScene, github: FakeGitHub
) -> None:
    unsure(scene)
    asked = call(scene, "ask", "Deploy v1.2", "--action", "production_deployment", token="alice")
    assert asked.returncode == 4, asked.stderr
    question, request = entries(scene)
    assert (question["category"], question["recommendation"]["answer"]) == (
        "uncertainty",
        "approve",
    )
    assert question["turn"] == request["turn"] == "Waiting for a maintainer"
    assert question["asked_by"] == request["asked_by"] == "@alice"
    assert len(entries(scene, "--mine")) == 2 and entries(scene, "--mine", token="alice") == []
    for id in (opened(scene, question["id"]), opened(scene, request["id"])):
        own = call(scene, "queue", "approve", id, token="alice")
        assert own.returncode == 2 and "@alice requested this" in own.stderr
        weak = call(scene, "queue", "approve", id, token="eve")
        assert weak.returncode == 2 and "@eve has the role write" in weak.stderr
        done = call(scene, "queue", "approve", id, "--reason", "as discussed")
        assert done.returncode == 0 and "approved by @max" in done.stdout, done.stderr
    with store.opened(place_of(str(scene.repository.root), {})) as db:
        assert [vote.via for vote in db.request(request["id"]).votes] == [github.url]
        assert events(db)[1].fields["via"] == github.url, "it was not github.com that confirmed"
    call(scene, "worker", "--until-idle")
    (phase,) = json.loads(call(scene, "flow", "status", "--format", "json").stdout)["phases"]
    assert phase["decided"].startswith("approved by @max, ")
    assert phase["decided"].endswith(": as discussed")
    late = call(scene, "queue", "approve", request["id"][:8])
    assert late.returncode == 2 and "was approved by @max on" in late.stderr


def opened(scene: FlowScene, id: str) -> str:
    """Open an entry, and return its id with the hash of what is shown."""
    shown = call(scene, "queue", "show", id).stdout
    return shown.partition("queue approve ")[2].split()[0]


def test_what_github_does_not_say_is_said(scene: FlowScene, github: FakeGitHub) -> None:
    unsure(scene)
    scene.environment["HELIX_GITHUB_PAUSE"] = "0"
    github.faults.append(Fault("GET", "/user", 404, times=99))
    done = call(scene, "queue", "list")
    assert done.returncode == 3 and "consultant of " in done.stdout
    assert "GitHub did not confirm who you are, so no entry is shown as yours" in done.stderr
    refused = call(scene, "queue", "approve", opened(scene, entries_of(done.stdout)))
    assert refused.returncode == 3
    assert "consultant" in call(scene, "flow", "status").stdout


def entries_of(shown: str) -> str:
    """Return the id in the last lines of a list."""
    return shown.rpartition("queue show ")[2].split()[0]


def test_without_a_token_pull_requests_are_not_called_empty(
    scene: FlowScene, github: FakeGitHub
) -> None:
    done = call(scene, "queue", "list", token="")
    assert (done.returncode, done.stdout) == (
        3,
        "no pending entries, but some sources could not be read\n",
    )
    assert "pull requests can't be read without a token: set GITHUB_TOKEN" in done.stderr
    assert call(scene, "queue", "list", "--source", "flow", token="").returncode == 0


def test_a_list_of_pull_requests_needs_no_database(scene: FlowScene, github: FakeGitHub) -> None:
    scene.environment[DATABASE] = "postgresql://nobody@127.0.0.1:1/nothing"
    done = call(scene, "queue", "list", "--source", "pull-request")
    assert (done.returncode, done.stderr) == (0, "")
    assert "not read, since --source leaves them out: flow, verification, request" in done.stdout
    assert call(scene, "queue", "list", "--source", "request").returncode == 3


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_pull_requests_of_another_repository_are_not_listed(
    status: int, scene: FlowScene, github: FakeGitHub
) -> None:
    place = f"{github.url}/repositories/4711"
    body = {"message": "Moved Permanently", "url": place, "documentation_url": "x"}
    github.faults.append(Fault("GET", "/repos/.*", status, body, {"Location": place}, times=99))
    done = call(scene, "queue", "list", "--source", "pull-request")
    assert done.returncode == 3, done.stdout
    assert f"GitHub redirects to {place}" in done.stderr
    assert "no pending entries, but some sources could not be read" in done.stdout
