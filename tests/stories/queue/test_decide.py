"""The queue of a repository without GitHub: list, show, and decide at a terminal."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from helix_hooks.cli.queue import entry_named, read_queue
from helix_hooks.errors import HelixError, UsageError
from helix_hooks.flow import answering
from helix_hooks.flow import place as flow_place
from helix_hooks.flow.answering import RunAnswer
from helix_hooks.flow.place import FlowPlace
from helix_hooks.phases.run_state import Decider
from helix_hooks.queue import requests
from helix_hooks.queue.collect import collect
from helix_hooks.queue.deciding import DecidingPlace, answer_one
from helix_hooks.queue.deciding_person import DecidingPerson, QueueAnswer
from helix_hooks.queue.place import QueuePlace, Wanted, place_of, policy_of
from helix_hooks.waiting.entry import FLOW as FLOW_SOURCE
from tests.fakes.program import PROGRAM, Done
from tests.stories.enforce.samples import PATH, adr
from tests.stories.flow.examples import FlowScene
from tests.stories.requests.stored import execute

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows"),
]
CRITICAL = "production_deployment"
FLOW = """name: cache
phases:
  - {id: write, type: development, run: [sh, -c, "mkdir -p out; echo $HELIX_ATTEMPT >> out/a.md"], output: [out/a.md]}
  - {id: release, type: approval, approver: manual, input: [out/a.md], on_rejection: {action: retry_phase, target_phase: write}}
"""


def begin(scene: FlowScene) -> str:
    """Begin a run, and return the id of its question."""
    assert scene.run_text(FLOW).returncode == 4
    return f"{scene.status()['run']}/release"


def here_of(scene: FlowScene) -> QueuePlace:
    return place_of(str(scene.repository.root), {})


def ask(scene: FlowScene, title: str, action: str = "production_deployment", *more: str) -> str:
    """Ask for an approval, and return the id of the request."""
    done = scene.call("ask", title, "--action", action, "--format", "json", *more)
    assert done.returncode == 4, done.stderr
    return str(json.loads(done.stdout)["request"]["id"])


def listed(scene: FlowScene, *arguments: str) -> dict[str, Any]:
    done = scene.call("queue", "list", "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def ids(scene: FlowScene, *arguments: str) -> list[str]:
    return [entry["id"] for entry in listed(scene, *arguments)["entries"]]


def said(done: Done) -> tuple[int, str]:
    return done.returncode, done.stdout + done.stderr


def test_what_waits_is_listed_shown_and_decided(scene: FlowScene) -> None:
    assert said(scene.call("queue", "list")) == (0, "no pending entries\n")
    question = begin(scene)
    request = ask(scene, "Deploy v1.2")
    assert set(ids(scene, "--mine")) == {question, request}
    assert ids(scene, "--source", "flow") == [question]
    assert ids(scene, "--category", "critical") == [request]
    assert ids(scene, "--older-than", "1d") == []
    old = "nothing is shown\n2 decisions do not match these options\n"
    assert said(scene.call("queue", "list", "--older-than", "1d")) == (0, old)
    shown = scene.call("queue", "show", request[:8]).stdout
    assert "it is your turn" in shown and f"helix-hooks queue approve {request[:8]}@" in shown
    code, text = scene.at_terminal("queue", "approve", question, typed="release\n")
    assert code == 0 and f"{question}: approved by test (not verified)" in text, text
    code, text = scene.at_terminal("queue", "approve", request, typed=f"{request[:8]}\n")
    assert code == 0 and f"{request[:8]}: approved by test (not verified)" in text, text
    again = scene.call("queue", "approve", request)
    assert (
        said(again)[0] == 2 and f"{request} was approved by test (not verified) on" in again.stderr
    )
    scene.call("worker", "--until-idle")
    assert scene.states()["release"] == "approved" and ids(scene) == []


def test_a_critical_entry_is_opened_first(scene: FlowScene) -> None:
    """Attack on the queue: have a critical entry approved among others, or without a look at it.
    Answer: a terminal shows it first, and a program must have what was shown.
    """
    request, other = ask(scene, "Deploy v1.2", CRITICAL, "--impact", "all shops"), ask(scene, "x")
    together = scene.call("queue", "approve", request, other)
    assert together.returncode == 2
    assert (
        f"{request} is critical, and only routine entries can be decided together; nothing was "
        f"decided. Open it: helix-hooks queue show {request}" in together.stderr
    )
    for answer in (["approve", request], ["reject", request, "--reason", "no"]):
        piped = scene.call("queue", *answer)
        assert piped.returncode == 2 and "is critical, so open it first" in piped.stderr
    twice = scene.call("queue", "approve", request, request[:8])
    assert twice.returncode == 2 and "is critical, so open it first" in twice.stderr
    code, text = scene.at_terminal("queue", "approve", request, typed="\n")
    assert code == 2 and "\n  all shops\n" in text.replace("\r", "")
    assert text.index("all shops") < text.index("To approve")
    shown = scene.call("queue", "show", request).stdout
    marked = shown.partition("queue approve ")[2].split()[0]
    assert f"helix-hooks queue reject {marked} --reason TEXT" in shown
    code, text = scene.at_terminal("queue", "approve", f"{marked[:-1]}x", typed="\n")
    assert code == 2
    code, text = scene.at_terminal("queue", "approve", marked, typed=f"{request[:8]}\n")
    assert code == 0 and "all shops" not in text, "it was shown before"


def test_routine_entries_are_decided_together(scene: FlowScene) -> None:
    one, other = (ask(scene, title, "pr_merge") for title in ("Merge a", "Merge b"))
    code, text = scene.at_terminal("queue", "approve", one, other, typed="approve 2\n")
    assert code == 0 and text.count("approved by test (not verified)") == 2, text


@pytest.mark.further
def test_a_rejection_is_the_feedback_of_the_next_try(scene: FlowScene) -> None:
    question = begin(scene)
    assert said(scene.call("queue", "reject", question))[0] == 2
    code, text = scene.at_terminal(
        "queue", "reject", question, "--reason", "say who owns it", typed="release\n"
    )
    assert code == 0, text
    assert f"To reject {question} (" in text
    scene.call("worker", "--until-idle")
    (phase,) = [item for item in scene.status()["phases"] if item["id"] == "write"]
    assert phase["task"] == 2 and ids(scene) == [question]


def test_what_is_asked_again_is_not_approved_by_the_line_that_was_shown_before(
    scene: FlowScene,
) -> None:
    """Attack on the queue: push, or ask again, between the look and the approval.
    Answer: refused with the line that `queue show` and the page give.
    Shown by: `test_what_is_asked_again_is_not_approved_by_the_line_that_was_shown_before`, `test_an_entry_that_changed_is_not_approved_unseen`.
    """
    question = begin(scene)
    shown = scene.call("queue", "show", question).stdout
    line = next(line.split() for line in shown.splitlines() if "queue approve" in line)
    assert line[3].startswith(f"{question}@")
    found = collect(here_of(scene), Wanted((FLOW_SOURCE,)), {}, 0).entries
    scene.at_terminal("queue", "reject", question, "--reason", "no owner", typed="release\n")
    scene.call("worker", "--until-idle")
    assert ids(scene) == [question]
    code, text = scene.at_terminal(*line[1:], typed="release\n")
    assert code == 2 and "has changed since" in text and "look at it again" in text
    where = DecidingPlace(here_of(scene), policy_of(here_of(scene)), {})
    with pytest.raises(UsageError, match="has changed since it was shown; look at it again"):
        answer_one(where, found[0], QueueAnswer(approves=True), DecidingPerson("test"))
    again = scene.call("queue", "show", question).stdout
    line = next(line.split() for line in again.splitlines() if "queue approve" in line)
    code, text = scene.at_terminal(*line[1:], typed="release\n")
    assert code == 0, text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["approve"], "name the entries to approve (`helix-hooks queue list` shows them)"),
        (["reject"], "name the entries to reject"),
        (["approve", "--all-routine"], "name the entries instead: helix-hooks queue approve ID"),
        (["approve", "nothing"], "no pending entry 'nothing': the queue is empty"),
        (["show", "12"], "no pending entry '12': the queue is empty"),
        (["approve", "x", "--override"], "--override requires --reason TEXT"),
        (["reject", "x"], "a rejection requires --reason TEXT for the requester"),
        (["list", "--older-than", "x"], "invalid time 'x' (expected e.g. 30s"),
        (["list", "--repository", "x"], "invalid repository 'x' (expected OWNER/NAME)"),
    ],
)
def test_a_refusal_says_what_can_be_written(
    arguments: list[str], words: str, scene: FlowScene
) -> None:
    done = scene.call("queue", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr


def test_a_request_that_is_not_listed_any_more_is_shown_and_decided(
    scene: FlowScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attack on the queue: so many requests that the important one is not listed.
    Answer: it is said, and each can be shown and decided by its id.
    """
    ask(scene, "Deploy v1.1")
    last = ask(scene, "Deploy v1.2")
    monkeypatch.setattr(requests, "_MOST", 1)
    monkeypatch.chdir(scene.repository.root)
    found = read_queue(Wanted())
    assert found.queue.partial == ("1 more requests are pending; the oldest 1 are shown",)
    assert entry_named(found, last[:8]).title == "Deploy v1.2"
    with pytest.raises(HelixError, match="no pending entry '12'"):
        entry_named(found, "12")


def test_all_work_trees_of_a_clone_have_one_queue(scene: FlowScene, tmp_path: Path) -> None:
    scene.repository.commit()
    scene.repository.git("worktree", "add", "-q", "-b", "work", str(tmp_path / "elsewhere"))
    done = subprocess.run(
        [str(PROGRAM), "ask", "Deploy v1.2", "--action", "production_deployment"],
        cwd=tmp_path / "elsewhere",
        env=scene.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4, done.stderr
    assert [item["title"] for item in listed(scene)["entries"]] == ["Deploy v1.2"]


def test_in_a_shared_database_a_folder_of_the_same_name_is_another_project() -> None:
    one, other = (FlowPlace(f"/{name}/shop", f"/{name}/shop/.git/helix-hooks") for name in "ab")
    assert QueuePlace(one).project == QueuePlace(other).project == "shop"
    shared = {QueuePlace(place._replace(url="postgresql://x/y")).key for place in (one, other)}
    assert len(shared) == 2 and all(name.startswith("shop-") for name in shared)


def test_a_token_in_a_reason_is_not_recorded(scene: FlowScene) -> None:
    request, token = ask(scene, "Deploy v1.2"), "ghp_" + "a1B2" * 9
    word = f"{request[:8]}\n"
    code, text = scene.at_terminal("queue", "reject", request, "--reason", f"not {token}", typed=word)  # fmt: skip
    assert code == 0, text
    told = scene.call("queue", "show", request)
    assert "was rejected by test (not verified) on" in told.stderr and token not in told.stderr
    folder = scene.repository.root / ".git" / "helix-hooks"
    assert not [
        file for file in folder.glob("flows.sqlite*") if token.encode() in file.read_bytes()
    ]


def test_in_a_pipe_and_inside_of_a_run_nobody_decides(scene: FlowScene) -> None:
    """Attack on the queue: decide in a pipe, in CI, inside of a run, or by a server that a run starts.
    Answer: refused.
    """
    request = ask(scene, "Deploy v1.2", "pr_merge")
    piped = scene.call("queue", "approve", request)
    assert piped.returncode == 2 and "cannot identify who wants to approve" in piped.stderr
    for name in ("HELIX_RUN", "HELIX_HOOKS_INSIDE"):
        scene.environment[name] = "1"
        for command in (
            ["approve", request],
            ["reject", request, "--reason", "x"],
            ["sweep"],
            ["serve"],
        ):
            inside = scene.call("queue", *command)
            assert inside.returncode == 2 and "not allowed inside of a run" in inside.stderr
        assert ids(scene) == [request]
        del scene.environment[name]


def test_a_source_that_can_not_be_read_loses_nothing_of_the_others(scene: FlowScene) -> None:
    place = scene.repository.root / ".git" / "helix-hooks" / "verify" / "state.json"
    request = ask(scene, "Deploy v1.2")
    place.parent.mkdir(parents=True)
    place.write_text("{")
    done = scene.call("queue", "list")
    assert done.returncode == 3 and request[:8] in done.stdout
    assert "the verifications could not be read: " in done.stderr
    unknown = scene.call("queue", "show", "verify:x")
    assert unknown.returncode == 3 and "not everything could be read" in unknown.stderr


@pytest.mark.further
def test_a_damaged_request_hides_no_other(scene: FlowScene) -> None:
    damaged, whole = ask(scene, "Deploy v1.2"), ask(scene, "Deploy v1.3")
    execute(
        here_of(scene).flow, f"UPDATE helix_requests SET document = '{{}}' WHERE id = '{damaged}'"
    )
    done = scene.call("queue", "list")
    assert done.returncode == 3 and f"{whole[:8]}" in done.stdout
    assert f"request {damaged} was changed in the database" in done.stderr
    assert "2 questions waiting" in scene.call("queue", "figures").stdout


def test_of_two_answers_at_the_same_time_one_wins_and_the_other_is_told(scene: FlowScene) -> None:
    run, _, phase = begin(scene).partition("/")
    place = flow_place.place_of(str(scene.repository.root), scene.environment)
    wishes = [RunAnswer(action, run, phase, "no owner") for action in ("approve", "reject")]
    first, second = (answering.checked(place, wish, 1_767_600_000) for wish in wishes)
    answering.send(place, first, Decider("Mona", verified=False))
    with pytest.raises(UsageError, match=r"Mona \(not verified\) decided first: approve release"):
        answering.send(place, second, Decider("Max", verified=False))
    scene.call("worker", "--until-idle")
    assert scene.states()["release"] == "approved"


def test_sources_that_are_left_out_are_named(scene: FlowScene) -> None:
    ask(scene, "Deploy v1.2")
    text = scene.call("queue", "list", "--source", "flow").stdout
    assert "not read, since --source leaves them out: pull-request, verification, request" in text


@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_nobody_approves_the_review_of_a_decision(answer: str, scene: FlowScene) -> None:
    text = adr().replace("date: 2026-01-10", "date: 2026-01-10\nreview_by: 2026-02-01")
    scene.repository.stage(PATH, text)
    scene.repository.commit()
    id = f"review:{PATH}"
    assert ids(scene) == [id]
    command = ("queue", answer, id, "--reason", "still fine")
    code, shown = scene.at_terminal(*command, typed="0007-use-httpx.md\n")
    assert code == 2
    assert "a review cannot be approved or rejected: it ends when the ADR says so" in shown
