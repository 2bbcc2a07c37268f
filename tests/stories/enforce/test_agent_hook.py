"""`helix-hooks decisions --hook`: an agent gets the accepted decisions before it edits, once, and no tool is ever permitted."""

import json
import re
import subprocess
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from helix_hooks.agents.file_use import HOOKS
from tests.conftest import Repository, Run
from tests.fakes import coding_agents
from tests.fakes.coding_agents import AnyModel, Scene
from tests.fakes.loopback_model import Step
from tests.fakes.program import PROGRAM

KAFKA = """# 14. Use Kafka for events

Status: Accepted

## Decision

We use Kafka, because events must be kept and read again later. Both `src/orders.py` and `src/worker.py` use it.
"""
TEXT = """ADR-014: Use Kafka for events (docs/adr/0014-use-kafka.md)
  We use Kafka, because events must be kept and read again later. … Both src/orders.py and src/worker.py use it.
  governs src/orders.py (text: src/orders.py)
"""
Hook = Callable[..., str]


@pytest.fixture
def accepted(repository: Repository) -> Repository:
    repository.stage("docs/adr/0014-use-kafka.md", KAFKA)
    repository.commit("Accept ADR-014")
    repository.git("checkout", "--quiet", "-b", "work")
    return repository


@pytest.fixture
def ask(run: Run, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run the hook with a payload."""
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)

    def call(payload: bytes, agent: str = "claude") -> Any:
        monkeypatch.chdir(repository.root)
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(payload)))
        return run("decisions", "--hook", agent)

    return call


@pytest.fixture
def hook(ask: Callable[..., Any], repository: Repository) -> Hook:
    """Let an agent use a tool, or start; return the text that reaches its model, with `denied: ` before one for which the tool does not run."""

    def call(
        tool: str = "Edit", file: str | Path = "src/orders.py", session: str = "s", **more: str
    ) -> str:
        event = "PreToolUse" if tool else "SessionStart"
        values: dict[str, Any] = {
            "session_id": session, "cwd": str(repository.root), "hook_event_name": event,
        }  # fmt: skip
        if tool:
            path = {"file_path": str(repository.root / file)}
            values |= {"tool_name": tool, "tool_input": path}
        done = ask(json.dumps({**values, **more}).encode())
        assert (done.code, done.err) == (0, "")
        if not done.out:
            return ""
        output: dict[str, str] = json.loads(done.out)["hookSpecificOutput"]
        assert output.pop("hookEventName") == event
        decision = output.pop("permissionDecision", "")
        assert decision in ("", "deny")
        (text,) = output.values()
        return f"denied: {text}" if decision else text

    return call


EDIT = {
    "session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse",
    "tool_name": "Edit", "tool_input": {"file_path": "/x"},
}  # fmt: skip
BROKEN = {
    "nothing": b"",
    "cut off": b'{"session_id": "s"',
    "no object": b"[]",
    "no session": json.dumps({**EDIT, "session_id": None}).encode(),
    "a session on two lines": json.dumps({**EDIT, "session_id": "a\nb"}).encode(),
    "no tool and no start": json.dumps({"session_id": "s", "cwd": "/", "hook_event_name": "Stop"}).encode(),
    "no input": json.dumps({**EDIT, "tool_input": "x"}).encode(),
    "no path": json.dumps({**EDIT, "tool_input": {"file_path": 1}}).encode(),
    "NUL in a path": json.dumps({**EDIT, "tool_input": {"file_path": "a\0b"}}).encode(),
    "no such folder": json.dumps({**EDIT, "cwd": "/no/such/folder"}).encode(),
    "not UTF-8": b'{"session_id": "\xff"}',
}  # fmt: skip


@pytest.mark.parametrize("payload", BROKEN.values(), ids=BROKEN)
def test_a_broken_payload_is_one_line_and_blocks_nothing(
    payload: bytes, accepted: Repository, ask: Callable[..., Any]
) -> None:
    done = ask(payload)
    assert (done.code, done.out) == (3, "")
    assert done.err.count("\n") == 1 and "Error" not in done.err


@pytest.mark.parametrize("arguments", [["--later"], ["src/orders.py"], ["--base", "no-such"]])
def test_a_wrong_option_blocks_nothing(
    arguments: list[str], accepted: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit code 2 of a hook would block each tool."""
    payload = {**EDIT, "cwd": str(accepted.root)}
    payload["tool_input"] = {"file_path": str(accepted.root / "src/orders.py")}
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(json.dumps(payload).encode())))
    done = run("decisions", "--hook", "claude", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)


def test_a_memory_that_can_not_be_written_denies_nothing(
    accepted: Repository, ask: Callable[..., Any]
) -> None:
    """Otherwise the same edit would be denied for ever."""
    (accepted.root / ".git/helix-hooks").write_text("a file", encoding="utf-8")
    payload = {**EDIT, "cwd": str(accepted.root)}
    payload["tool_input"] = {"file_path": str(accepted.root / "src/orders.py")}
    done = ask(json.dumps(payload).encode())
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)


def test_another_repository_does_not_speak_for_the_team(
    accepted: Repository, hook: Hook, tmp_path: Path
) -> None:
    """Attack on a rule of a decision: a foreign repository whose ADRs an agent would obey.
    Answer: only the repository of the session is asked.
    """
    for place in (tmp_path / "clone", accepted.root / "vendor"):
        place.mkdir()
        other = Repository(place)
        other.stage("docs/adr/0001-x.md", KAFKA)
        other.commit()
        assert hook("Read", place / "src/orders.py") == ""
    assert hook("Edit", tmp_path / "src/orders.py") == ""


def test_nothing_is_given_without_a_governing_decision(accepted: Repository, hook: Hook) -> None:
    assert hook("Edit", "lib/other.py") == ""
    assert hook("Bash") == ""
    accepted.git("checkout", "--quiet", "--orphan", "new")
    accepted.git("branch", "--quiet", "--delete", "--force", "main")
    assert hook() == hook("", source="startup") == ""


def test_a_folder_without_a_repository_gets_nothing(
    ask: Callable[..., Any], tmp_path: Path
) -> None:
    payload = {**EDIT, "cwd": str(tmp_path), "tool_input": {"file_path": "x.py"}}
    done = ask(json.dumps(payload).encode())
    assert (done.code, done.out, done.err) == (0, "", "")


def test_an_edit_waits_until_the_decision_was_given_once(accepted: Repository, hook: Hook) -> None:
    first = hook()
    assert first.startswith(
        "denied: Accepted architecture decisions (ADRs) of this repository, read from main:\n\n"
    )
    assert TEXT in first and "The edit did not run. Repeat it if it agrees" in first
    assert hook() == hook("Write") == hook("Read") == ""


def test_reading_gives_the_decision_and_the_edit_runs(accepted: Repository, hook: Hook) -> None:
    read = hook("Read")
    assert TEXT in read and "denied" not in read and "did not run" not in read
    assert hook() == ""


def test_it_is_the_text_of_the_command(accepted: Repository, hook: Hook, run: Run) -> None:
    assert run("decisions", "src/orders.py").out == TEXT
    assert hook("Read").endswith(f"\n\n{TEXT}")


def test_each_context_gets_it_once(accepted: Repository, hook: Hook) -> None:
    assert hook() and not hook()
    assert hook(session="t") and not hook(session="t")
    assert hook(agent_id="sub") and not hook(agent_id="sub")
    assert "has 1 accepted ADR (architecture decisions) on main." in hook("", source="resume")
    assert not hook()
    assert hook("", source="compact")
    assert hook() and not hook() and not hook(session="t")


def test_a_changed_decision_is_given_again(accepted: Repository, hook: Hook) -> None:
    assert hook() and not hook()
    accepted.git("checkout", "--quiet", "main")
    accepted.stage(
        "docs/adr/0014-use-kafka.md", KAFKA.replace("read again later", "never lost, not even one")
    )
    accepted.commit()
    accepted.git("checkout", "--quiet", "work")
    assert "never lost" in hook() and not hook()


def test_a_second_decision_comes_alone(accepted: Repository, hook: Hook) -> None:
    accepted.git("checkout", "--quiet", "main")
    only_worker = KAFKA.replace("14", "15").replace("src/orders.py", "lib/x.py")
    accepted.stage("docs/adr/0015-use-one-worker.md", only_worker)
    accepted.commit()
    accepted.git("checkout", "--quiet", "work")
    assert TEXT in hook("Read")
    second = hook("Edit", "src/worker.py")
    assert second.startswith("denied: ") and "ADR-015" in second and "ADR-014" not in second


def test_an_adr_that_can_not_be_read_is_named(accepted: Repository, hook: Hook) -> None:
    accepted.git("checkout", "--quiet", "main")
    accepted.stage("docs/adr/0016-broken.md", b"# 16. \xff\xfe\x00")
    accepted.commit()
    accepted.git("checkout", "--quiet", "work")
    warning = "docs/adr/0016-broken.md can't be read at main, so decisions may be missing"
    assert warning in hook("", source="startup") and warning in hook("Read")


def test_what_the_budget_leaves_out_comes_with_the_next_edit(
    accepted: Repository, hook: Hook
) -> None:
    accepted.git("checkout", "--quiet", "main")
    for number in range(15, 60):
        accepted.stage(f"docs/adr/00{number}-x.md", KAFKA.replace("14", str(number)))
    accepted.commit()
    accepted.git("checkout", "--quiet", "work")
    texts = [hook(), hook(), hook()]
    shown = [re.findall(r"^(ADR-\d+): ", text.replace("\\n", "\n"), re.MULTILINE) for text in texts]
    assert "not shown: ADR-0" in texts[0]
    assert all(shown)
    assert len({name for names in shown for name in names}) == sum(map(len, shown))


@pytest.mark.parametrize("session", ["../../x", "/tmp/x", "..", "a" * 300, "\u202e-x"[1:]])
def test_the_name_of_a_session_is_no_path(
    session: str, accepted: Repository, hook: Hook, tmp_path: Path
) -> None:
    assert hook(session=session) and not hook(session=session)
    memory = accepted.root / ".git/helix-hooks/decisions"
    assert [path.name for path in memory.parent.iterdir()] == ["decisions"]
    (folder,) = memory.iterdir()
    assert len(folder.name) == 64


def test_signs_in_an_adr_have_no_effect(repository: Repository, hook: Hook) -> None:
    hostile = KAFKA.replace("Kafka for", "\x1b[2J\u202eKafka ghp_0123456789abcdefghij for")
    repository.stage("docs/adr/0014-use-kafka.md", hostile)
    repository.commit()
    text = hook()
    assert "\x1b" not in text and "\u202e" not in text and "ghp_" not in text
    assert "(a secret)" in text


def test_a_linked_work_tree_is_the_same_repository(
    accepted: Repository, hook: Hook, tmp_path: Path
) -> None:
    accepted.git("worktree", "add", "--quiet", "../tree")
    assert TEXT in hook("Edit", tmp_path / "tree/src/orders.py")
    assert not hook()


def test_hooks_that_run_at_once_give_it_once(accepted: Repository) -> None:
    payload = {**EDIT, "cwd": str(accepted.root)}
    payload["tool_input"] = {"file_path": str(accepted.root / "src/orders.py")}
    command = [str(PROGRAM), "decisions", "--hook", "claude"]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=accepted.root)
        for _ in range(4)
    ]
    for process in running:
        assert process.stdin
        process.stdin.write(json.dumps(payload))
        process.stdin.close()
    given = [process.stdout.read() for process in running if process.stdout]
    for process in running:
        assert process.wait() == 0
        assert process.stdout
        process.stdout.close()
    assert len([text for text in given if text]) == 1


def test_init_adds_the_hooks_beside_the_stop_hook(accepted: Repository, run: Run) -> None:
    place = accepted.root / ".claude/settings.json"
    assert run("init", "--agent", "claude", "--yes").code == 0
    assert [*json.loads(place.read_text())["hooks"]] == ["Stop"]
    done = run("init", "--agent", "claude", "--decisions", "--yes")
    assert done.code == 0
    hooks = json.loads(place.read_text())["hooks"]
    assert [*hooks] == ["Stop", "SessionStart", "PreToolUse"]
    assert hooks["PreToolUse"][0]["matcher"] == "Edit|MultiEdit|NotebookEdit|Read|Write"
    again = run("init", "--agent", "claude", "--decisions", "--yes")
    assert again.out == "kept  .claude/settings.json: it has the hook already\n"


@pytest.mark.parametrize("arguments", [["--agent", "codex"], ["--agent", "cursor"], []])
def test_init_refuses_decisions_for_other_agents(
    arguments: list[str], accepted: Repository, run: Run
) -> None:
    done = run("init", *arguments, "--decisions", "--yes")
    assert done.code == 2 and "--decisions" in done.err
    assert not (accepted.root / ".codex").exists()


# The real programs.

TOOLS = {
    "claude": ("Read", "file_path"),
    "gemini": ("read_file", "file_path"),
    "copilot": ("view", "path"),
}
MARKS = {
    "claude": (pytest.mark.real_cli,),
    "gemini": (pytest.mark.further,),
    "copilot": (pytest.mark.soak,),
}
REAL = [pytest.param(name, marks=MARKS[name], id=name) for name in HOOKS]
Play = Callable[[list[Step]], AnyModel]


@pytest.fixture
def play(agent: str, accepted: Repository, run: Run, tmp_path: Path, for_all_workers: Path) -> Play:
    """Run an agent with the hooks that `init` writes, and a model that takes some steps."""
    assert run("init", "--agent", agent, "--decisions", "--yes").code == 0
    programs = coding_agents.on_path(tmp_path / "bin", "helix-hooks", PROGRAM)
    real = coding_agents.AGENTS[agent]
    program, reason = coding_agents.program_of(real, for_all_workers)
    if not program:
        pytest.skip(reason)

    def played(steps: list[Step]) -> AnyModel:
        with real.model(steps) as model:
            scene = Scene(accepted.root, tmp_path / "home", programs)
            done = coding_agents.run(real, program, model, scene)
        assert done.returncode == 0, done.stderr
        return model

    return played


def given(model: AnyModel) -> list[int]:
    """Return how often each request to the model has the decision."""
    title = "ADR-014: Use Kafka for events (docs"
    return [json.dumps(request, ensure_ascii=False).count(title) for request in model.requests]


@pytest.mark.slow
@pytest.mark.parametrize("agent", REAL)
def test_a_real_agent_gets_it_before_it_writes(
    agent: str, accepted: Repository, play: Play
) -> None:
    """The first attempt writes nothing; the request after it has the decision; the second attempt writes."""
    place = accepted.root / "src/orders.py"
    place.parent.mkdir()
    real = coding_agents.AGENTS[agent]
    model = play([real.write(place, "x = 1\n"), Step("I have read it.")])
    assert not place.exists()
    assert given(model)[:2] == [0, 1]
    assert "has 1 accepted ADR" in json.dumps(model.requests[0])
    again = play([*[real.write(place, "x = 1\n")] * 2, Step("Done.")])
    assert place.exists()
    assert given(again)[:3] == [0, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("agent", REAL)
def test_a_real_agent_that_has_read_the_file_edits_it_at_once(
    agent: str, accepted: Repository, play: Play
) -> None:
    place = accepted.write("src/orders.py", "x = 1\n")
    tool, key = TOOLS[agent]
    other = accepted.root / "src/worker.py"
    steps = [Step(tool=tool, arguments={key: str(place)})]
    model = play([*steps, coding_agents.AGENTS[agent].write(other, "y = 1\n"), Step("Done.")])
    assert given(model)[:3] == [0, 1, 1]
    assert other.exists()


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("agent", ["copilot"])
def test_two_hooks_of_a_real_agent_give_it_once(
    agent: str, accepted: Repository, play: Play, run: Run
) -> None:
    """Copilot CLI runs the hooks in .claude/settings.json too."""
    assert run("init", "--agent", "claude", "--decisions", "--yes").code == 0
    place = accepted.root / "src/orders.py"
    place.parent.mkdir()
    write = coding_agents.AGENTS[agent].write(place, "x = 1\n")
    assert given(play([write, write, Step("Done.")]))[:3] == [0, 1, 1]
    assert place.exists()


@pytest.mark.slow
@pytest.mark.parametrize("agent", REAL)
@pytest.mark.parametrize("code", [2, 127])
def test_a_program_that_fails_blocks_no_real_agent(
    agent: str, code: int, accepted: Repository, play: Play, tmp_path: Path
) -> None:
    """An older program, which does not know the option, exits with 2."""
    (tmp_path / "bin/helix-hooks").write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")
    place = accepted.root / "src/orders.py"
    place.parent.mkdir()
    play([coding_agents.AGENTS[agent].write(place, "x = 1\n"), Step("Done.")])
    assert place.exists()
