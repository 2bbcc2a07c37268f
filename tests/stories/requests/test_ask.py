"""`helix-hooks ask`: what is asked, by whom, and how the asker learns the decision."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from helix_hooks.config.policy import MATRIX, Policy
from helix_hooks.flow.place import FlowPlace, place_of
from helix_hooks.queue import store
from helix_hooks.waiting.request import ApprovalRequest
from tests.conftest import Repository, Run
from tests.fakes.github.server import FakeGitHub, Token
from tests.fakes.postgres import Postgres
from tests.fakes.program import PROGRAM, Begun
from tests.fakes.receivers import webhook
from tests.stories.flow.scene import until
from tests.stories.requests.stored import faults
from tests.unit.waiting.asked import vote

ASK = ("ask", "Deploy 1.2", "--action", "production_deployment")
NOT_TOLD = "nobody gets a message: there is no notification file (docs/notifications.md)"


def place() -> FlowPlace:
    return place_of(os.getcwd(), os.environ)


def stored() -> tuple[ApprovalRequest, ...]:
    with store.opened(place()) as db:
        return db.requests()


def level(repository: Repository, text: str) -> None:
    repository.stage("config/approvals.yaml", f"policy:\n  {text}\n")
    repository.commit()


@pytest.fixture
def github(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    repository.commit()
    repository.git("remote", "add", "origin", "https://github.com/acme/shop.git")
    with FakeGitHub(repository.root) as fake:
        fake.people.update(alice="admin", max="maintain")
        for login in ("alice", "github-actions[bot]"):
            fake.tokens[f"of-{login}"] = Token(login, {})
        monkeypatch.setenv("GITHUB_API_URL", fake.url)
        yield fake


def test_the_answer_names_the_request_and_how_it_is_decided(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit()
    monkeypatch.setenv("HELIX_DASHBOARD_URL", "https://queue.example.org/helix/")
    done = run(*ASK)
    (request,) = stored()
    assert (done.code, done.err) == (4, f"helix-hooks: {NOT_TOLD}\n")
    assert done.out.splitlines() == [
        "pending  Deploy 1.2",
        f"  id        {request.id}",
        "  category  critical: a person always decides about production_deployment",
        f"  approve   helix-hooks queue approve {request.id[:8]}",
        f"  reject    helix-hooks queue reject {request.id[:8]} --reason TEXT",
        f"  page      https://queue.example.org/helix/entry?id={request.id}",
    ]
    assert (request.project, request.requested_by.verified) == ("repository", False)


def test_all_that_a_decider_reads(repository: Repository, run: Run) -> None:
    repository.commit()
    context = "# What changes\n\nA lot."
    repository.write("context.md", context)
    repository.write("why.md", "The tests pass.\n")
    done = run(
        *ASK, "--context", "context.md", "--file", "a.py", "--file", "b.py", "--agent", "deployer",
        "--description", "the whole of it", "--confidence", "0.7", "--recommendation", "approve",
        "--reasoning", "@why.md", "--impact", "two services", "--format", "json",
    )  # fmt: skip
    answer = json.loads(done.out)
    found = answer["request"]
    assert (done.code, answer["decision"], answer["version"]) == (4, "pending", 1)
    assert found["context"] == {"files": ["a.py", "b.py"], "impact": "two services", "text": context}  # fmt: skip
    assert (found["description"], found["reasoning"]) == ("the whole of it", "The tests pass.\n")
    assert (found["confidence"], found["recommendation"]) == (0.7, "approve")
    assert found["requested_by"]["agent"] == "deployer"
    assert answer["approve"] == f"helix-hooks queue approve {found['id'][:8]}"


@pytest.mark.parametrize("action", MATRIX)
def test_every_action_can_be_asked_for(repository: Repository, run: Run, action: str) -> None:
    level(repository, "autonomy: autonomous")
    done = run("ask", "A title", "--action", action)
    is_asked = MATRIX[action][2]
    assert done.code == (4 if is_asked else 0), done.err
    if not is_asked:
        assert done.out.startswith("approved  A title\n")
        assert f"autonomy autonomous does not require a person for {action}" in done.out
        assert "by      nobody" in done.out
    assert [request.action for request in stored()] == [action], "it is recorded in each case"


def test_doubt_and_expertise_ask_a_person(repository: Repository, run: Run) -> None:
    level(repository, "autonomy: autonomous")
    ask = ("ask", "Merge it", "--action", "pr_merge")
    assert run(*ask, "--confidence", "0.84").code == 4
    assert run(*ask, "--expertise", "a lawyer should read it").code == 4
    assert run(*ask, "--confidence", "0.85").code == 0
    assert [request.category for request in stored()] == ["uncertainty", "expertise", "routine"]


def test_a_retried_script_asks_once(repository: Repository, run: Run) -> None:
    repository.commit()
    first = run(*ASK)
    again = run(*ASK)
    assert (again.code, again.out) == (4, first.out)
    assert "the request exists already:" in again.err and len(stored()) == 1
    with store.opened(place()) as db:
        db.answer(stored()[0].id, vote("max", verified=False, at=int(time.time())), Policy())
    assert run(*ASK).code == 4, "a decided question can be asked again"
    keyed = (*ASK, "--key", "release-1.2")
    assert run(*keyed).code == 4
    with store.opened(place()) as db:
        db.answer(stored()[-1].id, vote("max", verified=False, at=int(time.time())), Policy())
    assert run(*keyed).code == 0, "and with a key it is answered"
    other = run("ask", "Deploy 9", "--action", "production_deployment", "--key", "release-1.2")
    assert other.code == 2 and "use another key" in other.err
    assert len(stored()) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--confidence", "1.2"], "invalid confidence 1.2 (expected a number from 0 to 1)"),
        (["--confidence", "nan"], "invalid confidence nan"),
        (["--timeout", "0s"], "invalid time '0s'"),
        (["--context", "nowhere.md"], "--context @nowhere.md: No such file"),
        (["--context", "long.md"], "maximum 200000); name files instead"),
        (["--impact", "x" * 3000], "the impact is too long (3000 characters, maximum 2000)"),
        (["--key", ""], "the value is empty (is an environment variable unset?)"),
    ],
)
def test_a_wrong_call_asks_nothing(
    repository: Repository, run: Run, arguments: list[str], words: str
) -> None:
    repository.commit()
    repository.write("long.md", "x" * 200_001)
    done = run(*ASK, *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert words in done.err
    assert not os.path.exists(place().database)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes on Windows")
def test_a_pipe_is_not_waited_for(repository: Repository, run: Run) -> None:
    """Attack on the queue: a pipe instead of a context.
    Answer: refused.
    """
    repository.commit()
    os.mkfifo("pipe.md")
    done = run(*ASK, "--context", "pipe.md")
    assert (done.code, done.out) == (2, "")
    assert "--context @pipe.md: it is a pipe" in done.err


def test_a_title_of_others_stays_one_harmless_line(repository: Repository, run: Run) -> None:
    """Attack on the queue: markup, escape sequences, turned letters, header lines and links in titles, reasons and contexts.
    Answer: inert in terminal, page, mail, chat and issue.
    Shown by: `test_a_title_of_others_stays_one_harmless_line`, `test_a_hostile_title_does_nothing`, `tests/stories/dashboard/test_browser.py`.
    """
    repository.commit()
    token = "ghp_" + "a1B2" * 9
    title = f"::error::Deploy\x1b[2J\n## [group]\u202e{token} {'y' * 100}"
    done = run("ask", title, "--action", "pr_merge", "--description", f"use {token}")
    assert done.code == 4 and "\x1b" not in done.out and "\n::" not in f"\n{done.out}"
    (request,) = stored()
    assert token not in repr(request) and "\u202e" not in request.title
    assert "\n" not in request.title
    too_long = run("ask", "y" * 501, "--action", "pr_merge")
    assert too_long.code == 2 and "the title is too long (501 characters" in too_long.err


def test_a_secret_of_the_environment_is_masked(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit()
    monkeypatch.setenv("DEPLOY_TOKEN", "wq8Zk2Vt5Xp1")
    assert run(*ASK, "--description", "with wq8Zk2Vt5Xp1 as the token").code == 4
    assert "wq8Zk2Vt5Xp1" not in repr(stored())


def test_inside_of_a_run_asking_is_allowed(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit()
    monkeypatch.setenv("HELIX_RUN", "critical-8f3a")
    assert run(*ASK).code == 4


# Who asks.


def test_the_user_of_a_token_asks(
    repository: Repository, run: Run, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "of-alice")
    assert run(*ASK, "--agent", "claude").code == 4
    (request,) = stored()
    assert request.project == "acme/shop"
    assert request.requested_by == ("alice", True, "claude", "")


def test_a_bot_asks_on_behalf_of_who_started_its_job(
    repository: Repository, run: Run, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "of-github-actions[bot]")
    monkeypatch.setenv("GITHUB_ACTOR", "max")
    done = run(*ASK)
    assert (done.code, done.err) == (4, f"helix-hooks: {NOT_TOLD}\n")
    (request,) = stored()
    assert request.requested_by == ("github-actions[bot]", True, "", "max")


def test_an_asker_whom_github_does_not_know_is_not_verified(
    repository: Repository, run: Run, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "of-nobody")
    done = run(*ASK)
    assert (
        done.code == 4
        and "not verified, so the request cannot be approved with a token" in done.err
    )
    assert stored()[0].requested_by == ("test", False, "", "")


def test_without_a_token_it_is_said_what_follows(
    repository: Repository, run: Run, github: FakeGitHub
) -> None:
    done = run(*ASK)
    assert (
        done.code == 4
        and "not verified, so the request cannot be approved with a token: set GITHUB" in done.err
    )


# Waiting.


@pytest.fixture(params=["sqlite", "postgres"])
def waiting(request: pytest.FixtureRequest, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """Wait on each of the two databases."""
    repository.commit()
    if request.param == "postgres":
        monkeypatch.setenv("HELIX_FLOW_DATABASE", request.getfixturevalue("postgres").url())


def begun(*arguments: str) -> tuple[Begun, str]:
    """Return a process that waits, and the id of its request."""
    process = Begun(*ASK, "--wait", "--format", "json", *arguments, env=os.environ)
    until(lambda: "waits for a person" in process.errors())
    found = re.search(r"[0-9a-f-]{36}", process.errors())
    assert found
    return process, found[0]


def answer(id: str, *, approves: bool) -> None:
    with store.opened(place()) as db:
        given = vote("max", verified=False, at=db.now(), approves=approves, reason="because")
        db.answer(id, given, Policy())


@pytest.mark.usefixtures("waiting")
@pytest.mark.parametrize(("approves", "decision", "code"), [(True, "approved", 0), (False, "rejected", 1)])  # fmt: skip
def test_who_waits_gets_the_decision(approves: bool, decision: str, code: int) -> None:
    process, id = begun()
    answer(id, approves=approves)
    done = process.end()
    assert f"approve it: helix-hooks queue approve {id[:8]}\n" in done.stderr
    result = json.loads(done.stdout)
    assert (done.returncode, result["decision"], result["request"]["comment"]) == (code, decision, "because")  # fmt: skip


@pytest.mark.usefixtures("waiting")
def test_who_waits_past_the_deadline_is_blocked(repository: Repository) -> None:
    level(repository, "deadlines: {critical: 1m}")
    process, _ = begun()
    with store.opened(place()) as db:
        db.sweep(db.now() + 60)
    done = process.end()
    assert (done.returncode, json.loads(done.stdout)["decision"]) == (1, "blocked")
    assert json.loads(done.stdout)["request"]["comment"] == "blocked: it was not answered within 1m"


@pytest.mark.further
@pytest.mark.usefixtures("waiting")
def test_who_has_no_more_patience_gets_4(run: Run) -> None:
    done = run(*ASK, "--wait", "--timeout", "1s")
    assert done.code == 4 and done.out.startswith("pending  Deploy 1.2")


@pytest.mark.further
@pytest.mark.usefixtures("waiting")
@pytest.mark.skipif(sys.platform == "win32", reason="a signal of POSIX")
def test_who_was_killed_waits_for_the_same_request() -> None:
    process, id = begun()
    process.kill()
    process.end()
    again, same = begun()
    assert same == id
    answer(id, approves=True)
    assert again.end().returncode == 0


def test_waiting_outlasts_a_restart_of_the_server(
    repository: Repository, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit()
    monkeypatch.setenv("HELIX_FLOW_DATABASE", postgres.url())
    waiters = [begun("--key", f"{number}") for number in range(3)]
    postgres.stop()
    time.sleep(1)
    postgres.start()
    assert not any(process.is_over() for process, _ in waiters)
    for number, (_, id) in enumerate(waiters):
        answer(id, approves=number != 1)
    assert [process.end().returncode for process, _ in waiters] == [0, 1, 0]
    assert faults(place()) == ()


@pytest.mark.further
@pytest.mark.skipif(sys.platform == "win32", reason="a signal of POSIX")
def test_control_c_leaves_the_request_open(repository: Repository) -> None:
    repository.commit()
    with subprocess.Popen([str(PROGRAM), *ASK, "--wait"], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # fmt: skip
        assert process.stderr
        assert process.stderr.readline() == f"helix-hooks: {NOT_TOLD}\n"
        assert "waits for a person" in process.stderr.readline()
        process.send_signal(2)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "stays open; the same command waits for it again" in said and "Traceback" not in said
    assert Path(place().database).exists() and stored()[0].status == "pending"


# Telling people.


@pytest.fixture
def told(tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the file of notifications."""
    repository.commit()
    file = tmp_path / "notify.yaml"
    monkeypatch.setenv("HELIX_NOTIFY", str(file))
    return file


def attempted(run: Run) -> str:
    """Wait until the process in the background has failed, and return the list of channels."""
    for _ in range(100):
        listed = run("queue", "notify", "--list").out
        if "next attempt" in listed:
            break
        time.sleep(0.1)
    return listed


def test_people_are_told_once_when_their_turn_begins(run: Run, told: Path) -> None:
    with webhook() as chat:
        told.write_text(f"batch: 0s\nprojects:\n  repository:\n    channels:\n      team: {chat.url()}\n")  # fmt: skip
        assert (run(*ASK).code, run(*ASK).code) == (4, 4)
        assert chat.began.wait(60)  # it is sent when the command is over
    (post,) = chat.posts
    assert "Deploy 1.2" in json.dumps(post.body)


@pytest.mark.further
def test_a_channel_that_fails_changes_nothing(run: Run, told: Path) -> None:
    told.write_text("batch: 0s\nprojects:\n  repository:\n    channels:\n      team: json://127.0.0.1:9/s3cret-path\n")  # fmt: skip
    done = run(*ASK)
    assert done.code == 4 and done.out.startswith("pending  Deploy 1.2\n")
    assert "told" not in done.err  # nobody has waited for the channel
    listed = attempted(run)
    assert "next attempt" in listed and "s3cret" not in listed
    told.write_text("{")
    again = run(*ASK, "--key", "2")
    assert again.code == 4 and "notifications failed" in again.err
