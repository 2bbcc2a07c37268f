"""Decisions that check runs have recorded, in the audit trail of the queue."""

import threading
from typing import Any

import pytest

from helix_hooks.flow.place import FlowPlace
from helix_hooks.queue import store
from helix_hooks.queue.recorded import KIND, import_recorded, imported_in_background
from tests.fakes.github.server import FakeGitHub, Token
from tests.fakes.trail import events
from tests.stories.pull_request.scene import People, check

NAME = "acme/decisions"
READS = {"contents": "read", "pull-requests": "read", "checks": "read", "issues": "read"}


@pytest.fixture
def environment(github: FakeGitHub, tmp_path: Any) -> dict[str, str]:
    github.tokens["ghp_max"] = Token("max", READS)
    return {
        "GITHUB_TOKEN": "ghp_max",
        "GITHUB_API_URL": github.url,
        "GITHUB_SERVER_URL": "https://github.example",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }


def test_each_decision_is_imported_once(
    github: FakeGitHub, people: People, environment: dict[str, str], tmp_path: Any
) -> None:
    head = people.pending()
    assert people.says("max", f"/helix approve {head} as discussed").code == 0
    with store.opened(FlowPlace(str(tmp_path), str(tmp_path / "store"))) as db:
        assert import_recorded(db, [NAME], environment) == (2, ())
        assert import_recorded(db, [NAME], environment) == (0, ())
        first, second = events(db)
    assert (first.project, first.fields["kind"]) == (NAME, KIND)
    decision: Any = second.fields["decision"]
    assert (decision["status"], decision["pull_request"]) == ("approved", 1)
    assert decision["votes"][0]["by"] == "max"
    assert second.fields["hash"] and first.fields["hash"] == decision["previous"]


def test_a_server_imports_in_the_background(
    github: FakeGitHub, people: People, environment: dict[str, str], tmp_path: Any
) -> None:
    people.pending()
    place = FlowPlace(str(tmp_path), str(tmp_path / "store"))
    said: list[str] = []
    logged = threading.Event()

    def log(line: str) -> None:
        said.append(line)
        logged.set()

    names = ["acme/none", NAME]
    with (
        store.opened(place) as db,
        imported_in_background(place, names, environment, log),
    ):
        assert db.wait_for_event(0, 60) == 1
        assert logged.wait(60)  # the other repository could not be read
    [line] = said
    assert line.startswith("the decisions of acme/none could not be imported: GitHub answered")


def test_a_forged_line_and_a_missing_repository_are_said(
    github: FakeGitHub, people: People, environment: dict[str, str], tmp_path: Any
) -> None:
    people.pending()
    run = check(github)
    text = str(run.output["text"]).replace('"pull_request":1,', '"pull_request":2,')
    github.runs[run.id] = run._replace(output={**run.output, "text": text})
    with store.opened(FlowPlace(str(tmp_path), str(tmp_path / "store"))) as db:
        count, partial = import_recorded(db, ["acme/none", NAME], environment)
        assert (count, events(db)) == (0, [])
    assert partial[0].startswith(
        "the decisions of acme/none could not be imported: GitHub answered"
    )
    assert partial[1].startswith("acme/decisions#1: decision 1 is about acme/decisions")
    assert partial[1].endswith("so it was not imported")
