"""A decider asks the requester something, the requester replies, or withdraws the request."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from helix_hooks.errors import UsageError
from helix_hooks.phases.run_state import Decider
from helix_hooks.queue import requests
from helix_hooks.queue.deciding import DecidingPlace, answer_one, ask_back
from helix_hooks.queue.deciding_person import DecidingPerson, QueueAnswer
from helix_hooks.queue.place import place_of, policy_of
from helix_hooks.waiting.answering import approvals, with_vote
from helix_hooks.waiting.request import Note
from helix_hooks.waiting.talk import noted
from helix_hooks.waiting.trail import ASKED_BACK, HANDED_OVER, REPLIED, WITHDRAWN
from tests.conftest import Repository
from tests.fakes.github.server import READS, FakeGitHub, Token
from tests.stories.flow.examples import FlowScene
from tests.unit.waiting import asked as waiting

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows"),
]
NOW = waiting.START
ASK = ("ask", "Deploy v1.2", "--action", "production_deployment", "--format", "json")


@pytest.fixture
def scene(repository: Repository, tmp_path: Path) -> FlowScene:
    repository.stage("README.md", "A shop.\n")
    repository.commit()
    return FlowScene(repository, tmp_path)


def asked(scene: FlowScene, *more: str) -> dict[str, Any]:
    done = scene.call(*ASK, *more)
    value: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == {"pending": 4, "approved": 0}.get(value["decision"], 1), done.stderr
    return value


def test_a_question_goes_to_the_requester_and_the_reply_to_the_decider(scene: FlowScene) -> None:
    id = asked(scene)["request"]["id"]
    question = ("--question", "who is on call?")
    code, text = scene.at_terminal("queue", "ask-back", id, *question, typed=f"{id[:8]}\n")
    assert code == 0 and "asked back by test (not verified); the deadline stands still" in text
    mine = scene.call("queue", "list", "--mine", "--format", "json").stdout
    (entry,) = json.loads(mine)["entries"]
    assert entry["turn"] == "Waiting for the reply of test (not verified): who is on call?"
    assert f"helix-hooks queue reply {id[:8]} --text TEXT" in scene.call("queue", "show", id).stdout
    waiting = scene.call("ask", "Deploy v1.2", "--action", "production_deployment", "--wait")
    assert waiting.returncode == 4, "the turn is the requester's, so nothing is waited for"
    assert "question  test (not verified): who is on call?" in waiting.stdout
    assert f"reply     helix-hooks queue reply {id[:8]} --text TEXT" in waiting.stdout
    before = marked(scene, id)

    replied = scene.call("queue", "reply", id[:8], "--text", "ann is, until 18:00")
    assert replied.returncode == 0, replied.stderr
    assert replied.stdout == f"{id}: replied by test (not verified)\n"
    again = scene.call("queue", "reply", id, "--text", "and bob")
    assert again.returncode == 2 and "nobody has asked the requester" in again.stderr
    shown = scene.call("queue", "show", id).stdout
    assert "test (not verified): ann is, until 18:00" in shown and "it is your turn" in shown
    stale = scene.at_terminal("queue", "approve", before, typed=f"{id[:8]}\n")
    assert stale[0] == 2 and "has changed since" in stale[1], "the reply was not seen"
    code, text = scene.at_terminal("queue", "approve", marked(scene, id), typed=f"{id[:8]}\n")
    assert code == 0, text
    late = scene.at_terminal("queue", "ask-back", id, *question, typed=f"{id[:8]}\n")
    assert late[0] == 2 and "was approved by" in late[1]
    assert scene.call("queue", "verify").returncode == 0


def test_an_approval_before_a_reply_does_not_count_after_it() -> None:
    voted = with_vote(waiting.request(), waiting.vote("max"), waiting.policy(minimum=2))
    ann = Decider("Ann", verified=False)
    asked_back = noted(voted, ASKED_BACK, Note(ann, "is there a backup?", NOW + 90))
    assert approvals(asked_back) == 1
    assert approvals(noted(asked_back, REPLIED, Note(ann, "no", NOW + 91))) == 0


def test_a_reply_between_the_look_and_the_approval_is_seen_first(scene: FlowScene) -> None:
    """Attack on the queue: reply with what changes everything while a person approves.
    Answer: the approval is of what was shown, and refused.
    """
    id = asked(scene)["request"]["id"]
    place = place_of(str(scene.repository.root), {})
    where = DecidingPlace(place, policy_of(place), {})
    (seen,) = requests.entries(place, where.by)[0]
    ann = DecidingPerson("ann")
    ask_back(where, seen, "is it production?", ann)
    assert scene.call("queue", "reply", id, "--text", "it is").returncode == 0
    with pytest.raises(UsageError, match="has changed since it was shown; look at it again"):
        answer_one(where, seen, QueueAnswer(approves=True), ann)
    (seen,) = requests.entries(place, where.by)[0]
    assert answer_one(where, seen, QueueAnswer(approves=True), ann).startswith("approved")


def marked(scene: FlowScene, id: str) -> str:
    return scene.call("queue", "show", id).stdout.partition("queue approve ")[2].split()[0]


def test_who_asked_withdraws_and_whoever_waits_is_told(scene: FlowScene) -> None:
    id = asked(scene)["request"]["id"]
    nothing = scene.call("queue", "withdraw", id)
    assert nothing.returncode == 2 and "a text is missing" in nothing.stderr
    done = scene.call("queue", "withdraw", id, "--reason", "it moves to Monday")
    assert done.stdout == f"{id}: withdrawn by test (not verified)\n"
    late = scene.at_terminal("queue", "approve", id, typed=f"{id[:8]}\n")
    assert late[0] == 2 and "was withdrawn" in late[1]
    assert scene.call("queue", "list").stdout == "no pending entries\n"
    assert scene.call("queue", "withdraw", id, "--reason", "again").returncode == 2
    assert scene.call("queue", "verify").returncode == 0
    keyed = ("--key", "release-1.2", "--description", "x")
    withdrawn = asked(scene, *keyed)["request"]["id"]
    assert scene.call("queue", "withdraw", withdrawn, "--reason", "no").returncode == 0
    value = asked(scene, *keyed)
    assert (value["decision"], value["request"]["id"]) == ("withdrawn", withdrawn)
    assert asked(scene)["request"]["id"] != id, "without a key the question is a new one"


def test_a_pipe_and_a_run_ask_nobody_back(scene: FlowScene) -> None:
    """Attack on the queue: stop the deadline of a request by a question in a pipe or inside of a run.
    Answer: refused.
    """
    id = asked(scene)["request"]["id"]
    piped = scene.call("queue", "ask-back", id, "--question", "why?")
    assert piped.returncode == 2 and "cannot identify who wants to ask back" in piped.stderr
    scene.environment["HELIX_RUN"] = "1"
    inside = scene.call("queue", "ask-back", id, "--question", "why?")
    assert inside.returncode == 2 and "not allowed inside of a run" in inside.stderr


def test_only_deciders_ask_back_and_only_the_requester_speaks(scene: FlowScene) -> None:
    """Attack on the queue: withdraw the request of another person, or reply in their name.
    Answer: refused for a request of a login that GitHub confirmed.
    """
    scene.repository.git("remote", "add", "origin", "git@github.com:acme/decisions.git")
    with FakeGitHub(scene.repository.root) as github:
        github.people.update(alice="admin", max="maintain", eve="write")
        github.tokens.update({name: Token(name, READS) for name in github.people})
        scene.environment.update(GITHUB_API_URL=github.url, GITHUB_TOKEN="alice")
        id = asked(scene)["request"]["id"]
        calls = {
            "eve": ("ask-back", id, "--question", "why?"),
            "max": ("ask-back", id, "--question", "who is on call?"),
        }
        refused = as_user(scene, "eve", *calls["eve"])
        assert refused.returncode == 2 and "@eve has the role write" in refused.stderr
        own = as_user(scene, "alice", "ask-back", id, "--question", "why?")
        assert own.returncode == 2 and "@alice is the requester" in own.stderr
        assert as_user(scene, "max", *calls["max"]).returncode == 0
        mine = as_user(scene, "alice", "list", "--mine", "--format", "json")
        (entry,) = json.loads(mine.stdout)["entries"]
        assert (
            entry["id"] == id
            and entry["turn"] == "Waiting for the reply of @alice: who is on call?"
        )
        assert json.loads(as_user(scene, "max", "list", "--mine", "--format", "json").stdout)["entries"] == []  # fmt: skip
        for other in ("max", "eve", ""):
            for command in (("reply", id, "--text", "x"), ("withdraw", id, "--reason", "x")):
                done = as_user(scene, other, *command)
                assert done.returncode == 2, (other, command)
                assert "only @alice can speak for this request" in done.stderr
        done = as_user(scene, "alice", "reply", id, "--text", "ann")
        assert done.stdout == f"{id}: replied by @alice\n"
        assert as_user(scene, "alice", "withdraw", id, "--reason", "later").returncode == 0


def test_a_decider_hands_over_to_another_one(scene: FlowScene) -> None:
    scene.repository.git("remote", "add", "origin", "git@github.com:acme/decisions.git")
    with FakeGitHub(scene.repository.root) as github:
        github.people.update(alice="admin", max="maintain", anna="maintain", eve="write")
        github.tokens.update({name: Token(name, READS) for name in github.people})
        scene.environment.update(GITHUB_API_URL=github.url, GITHUB_TOKEN="alice")
        id = asked(scene)["request"]["id"]
        for by, to, words in (
            ("max", "eve", "@eve has the role write"),
            ("max", "alice", "@alice has asked for it"),
            ("max", "nobody-there", "there is no user @nobody-there"),
            ("max", "dependabot[bot]", "there is no user"),
            ("eve", "anna", "@eve has the role write"),
            ("alice", "anna", "@alice is the requester, and no decider"),
        ):
            refused = as_user(scene, by, "hand-over", id, "--to", to)
            assert refused.returncode == 2 and words in refused.stderr, refused.stderr
        done = as_user(scene, "max", "hand-over", id, "--to", "@anna", "--text", "you know it")
        assert done.stdout == f"{id[:8]}: handed over to @anna by @max\n", done.stderr
        (entry,) = mine(scene, "anna")
        assert (entry["id"], entry["handed_to"]) == (id, "anna")
        assert entry["turn"] == "Waiting for @anna, by a hand-over"
        assert entry["notes"] == ["@max: handed over to @anna: you know it"]
        assert mine(scene, "max") == []
        mark = as_user(scene, "max", "show", id).stdout.partition("queue approve ")[2].split()[0]
        assert as_user(scene, "max", "approve", mark).returncode == 0, "others may still decide"
        late = as_user(scene, "anna", "hand-over", id, "--to", "max")
        assert late.returncode == 2 and "was approved by @max" in late.stderr
        assert scene.call("queue", "verify").returncode == 0


def test_after_an_approval_that_is_not_enough_it_is_the_turn_of_all() -> None:
    max = Decider("max", verified=True)
    handed = noted(waiting.request(), HANDED_OVER, Note(max, "handed over to @ann", NOW), "ann")
    assert handed.handed_to == "ann"
    assert with_vote(handed, waiting.vote("ann"), waiting.policy(minimum=2)).handed_to == ""


def test_a_requester_without_github_hands_nothing_over(scene: FlowScene) -> None:
    id = asked(scene)["request"]["id"]
    code, text = scene.at_terminal("queue", "hand-over", id, "--to", "ann", typed=f"{id[:8]}\n")
    assert code == 2 and "test (not verified) has asked for it" in text


def mine(scene: FlowScene, login: str) -> list[dict[str, Any]]:
    done = as_user(scene, login, "list", "--mine", "--format", "json")
    found: list[dict[str, Any]] = json.loads(done.stdout)["entries"]
    return found


def test_nobody_hands_over_while_the_requester_must_reply() -> None:
    ann = Decider("Ann", verified=False)
    asked_back = noted(waiting.request(), ASKED_BACK, Note(ann, "why?", NOW))
    with pytest.raises(UsageError, match="must reply to another question first"):
        noted(asked_back, HANDED_OVER, Note(ann, "handed over to @max", NOW + 1), "max")


def as_user(scene: FlowScene, login: str, *arguments: str) -> Any:
    scene.environment["GITHUB_TOKEN"] = login
    return scene.call("queue", *arguments)


def test_the_deadline_stands_still_until_the_reply() -> None:
    ann = Decider("Ann", verified=False)
    request = waiting.request()._replace(expires_at=NOW + 100)
    asked_back = noted(request, ASKED_BACK, Note(ann, "why?", NOW + 90))
    assert asked_back.due_at == 0
    with pytest.raises(UsageError, match="must reply to another question first"):
        noted(asked_back, ASKED_BACK, Note(ann, "and how?", NOW + 95))
    replied = noted(asked_back, REPLIED, Note(ann, "so", NOW + 1090))
    assert replied.due_at == NOW + 1100, "ten seconds are left"
    assert [note.text for note in replied.notes] == ["why?", "so"]
    withdrawn = noted(replied, WITHDRAWN, Note(ann, "no", NOW + 1091))
    assert (withdrawn.status, withdrawn.due_at, withdrawn.comment) == ("withdrawn", 0, "no")
