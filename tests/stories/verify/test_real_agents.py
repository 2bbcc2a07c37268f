"""Real agents with the hook that `init --agent` registers: they say "done", are stopped, read the feedback, and finish or are given up.

Their model is scripted; the Claude Code CLI, the Gemini CLI, their hooks and `helix-hooks verify --hook` are the real ones.
"""

import json
import re
from pathlib import Path

import pytest

from tests.conftest import Repository, Run
from tests.fakes import coding_agents, scripted_gemini, scripted_model
from tests.fakes.coding_agents import Done
from tests.fakes.program import PROGRAM
from tests.fakes.scripted_gemini import GeminiModel
from tests.fakes.scripted_model import Model

ADR = """---
adr_id: "014"
title: Use Kafka
status: Accepted
files:
  create: [src/orders.py, src/worker.py]
---
# ADR-014: Use Kafka

## Context

Orders are lost when the queue restarts.

## Decision

Orders go through Kafka.
"""
MISSING = ("create src/orders.py", "create src/worker.py")
LOST = "014: Verification gave up after 3 attempts."


@pytest.fixture
def work(repository: Repository, run: Run) -> Path:
    """A branch that claims to implement an accepted ADR, which promises two files."""
    repository.stage("docs/adr/014-use-kafka.md", ADR)
    repository.commit("Accept ADR-014")
    repository.git("checkout", "--quiet", "-b", "work")
    for agent in ("claude", "gemini"):
        assert run("init", "--agent", agent, "--yes").code == 0
    repository.git("add", "--all")
    repository.commit("Begin\n\nImplements: ADR-014")
    return repository.root


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with `helix-hooks`, as it stands on the PATH of an agent."""
    return coding_agents.on_path(tmp_path / "bin", "helix-hooks", PROGRAM)


@pytest.fixture
def gemini(for_all_workers: Path) -> str:
    program, reason = coding_agents.gemini_program(for_all_workers / "gemini")
    if not program:
        pytest.skip(reason)
    return program


def written(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "src").iterdir())


def shown_to_claude(done: Done) -> list[str]:
    """Return what the Claude Code CLI tells its user about hooks."""
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return [event["content"] for event in events if event.get("subtype") == "informational"]


def feedback_of(text: str) -> tuple[str, list[str]]:
    """Return the attempt that a feedback counts, and the issues that it lists."""
    attempt = re.search(r"- Attempt: (\d of \d)", text)
    assert attempt, text
    return attempt[1], [issue for issue in MISSING if issue in text]


# Claude Code


def write(root: Path, path: str, text: str) -> scripted_model.Reply:
    return scripted_model.use("Write", file_path=str(root / path), content=text)


def claude_feedback(model: Model) -> list[tuple[str, list[str]]]:
    """Return each feedback that reached the model, in order."""
    messages = model.requests[-1]["messages"]
    texts = [message["content"] for message in messages if message["role"] == "user"]
    told = [text for text in texts if isinstance(text, str) and "Stop hook feedback" in text]
    return [feedback_of(text) for text in told]


@pytest.mark.slow
@pytest.mark.real_cli
def test_claude_is_stopped_reads_the_feedback_and_finishes(
    work: Path, run: Run, programs: Path, tmp_path: Path
) -> None:
    script = scripted_model.in_turns(
        write(work, "src/orders.py", "def send(): ...\n"),
        scripted_model.say("All of ADR-014 is done."),
        write(work, "src/worker.py", "def work(): ...\n"),
        scripted_model.say("Now it is."),
    )
    with Model(script) as model:
        done = coding_agents.claude(model, work, tmp_path / "home", programs)
    assert done.returncode == 0, done.stderr
    assert claude_feedback(model) == [("1 of 3", [MISSING[1]])]
    assert len(model.requests) == 4
    assert json.loads(done.stdout.splitlines()[-1])["result"] == "Now it is."
    assert shown_to_claude(done) == ["Stop says: helix-hooks: 014: verified"]
    assert written(work) == ["orders.py", "worker.py"]
    assert run("feedback").code == 0


@pytest.mark.slow
@pytest.mark.real_cli
def test_claude_is_given_up_after_three_attempts_and_a_person_is_asked(
    work: Path, run: Run, programs: Path, tmp_path: Path
) -> None:
    steps = [(write(work, f"src/{n}.py", "x = 1\n"), scripted_model.say("Done.")) for n in range(5)]
    script = scripted_model.in_turns(*(reply for step in steps for reply in step))
    with Model(script) as model:
        done = coding_agents.claude(model, work, tmp_path / "home", programs)
    assert done.returncode == 0, done.stderr
    assert claude_feedback(model) == [("1 of 3", [*MISSING]), ("2 of 3", [*MISSING])]
    assert written(work) == ["0.py", "1.py", "2.py"]
    (shown,) = shown_to_claude(done)
    assert LOST in shown
    asked = run("feedback")
    assert asked.code == 4
    assert "a person is asked to decide" in asked.out
    assert run("verify").code == 4


@pytest.mark.slow
@pytest.mark.real_cli
@pytest.mark.further
def test_claude_that_does_nothing_is_given_up_at_its_second_stop(
    work: Path, run: Run, programs: Path, tmp_path: Path
) -> None:
    with Model(scripted_model.in_turns(scripted_model.say("Done."))) as model:
        done = coding_agents.claude(model, work, tmp_path / "home", programs)
    assert (done.returncode, len(model.requests)) == (0, 2)
    assert "the last two left the same files" in "".join(shown_to_claude(done))
    assert run("feedback").code == 4


@pytest.mark.slow
@pytest.mark.real_cli
@pytest.mark.further
def test_claude_ends_where_the_program_is_not_installed(work: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    with Model(scripted_model.in_turns(scripted_model.say("Done."))) as model:
        done = coding_agents.claude(model, work, tmp_path / "home", tmp_path / "bin")
    assert (done.returncode, len(model.requests)) == (0, 1)


@pytest.mark.slow
@pytest.mark.real_cli
@pytest.mark.further
def test_claude_ends_where_the_program_does_not_know_an_option(
    work: Path, programs: Path, tmp_path: Path
) -> None:
    """The exit code 2 of a wrong option would be a block."""
    settings = work / ".claude/settings.json"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("--hook", "--later --hook"), encoding="utf-8")
    with Model(scripted_model.in_turns(scripted_model.say("Done."))) as model:
        done = coding_agents.claude(model, work, tmp_path / "home", programs)
    assert (done.returncode, len(model.requests)) == (0, 1)


# Gemini CLI


def gemini_write(path: str, text: str) -> scripted_gemini.Parts:
    return scripted_gemini.use("write_file", file_path=path, content=text)


def gemini_feedback(model: GeminiModel) -> list[tuple[str, list[str]]]:
    texts = [
        part.get("text", "")
        for content in model.requests[-1]["contents"]
        for part in content["parts"]
    ]
    return [feedback_of(text) for text in texts if text.startswith("# Verification feedback")]


@pytest.mark.slow
@pytest.mark.further
def test_gemini_is_stopped_reads_the_feedback_and_finishes(
    gemini: str, work: Path, run: Run, programs: Path, tmp_path: Path
) -> None:
    script = scripted_gemini.in_turns(
        gemini_write("src/orders.py", "def send(): ...\n"),
        scripted_gemini.say("All of ADR-014 is done."),
        gemini_write("src/worker.py", "def work(): ...\n"),
        scripted_gemini.say("Now it is."),
    )
    with GeminiModel(script) as model:
        done = coding_agents.gemini(gemini, model, work, tmp_path / "home", programs)
    assert done.returncode == 0, done.stderr
    assert gemini_feedback(model) == [("1 of 3", [MISSING[1]])]
    assert json.loads(done.stdout)["response"].endswith("Now it is.")
    assert "Hook system message: helix-hooks: 014: verified" in done.stderr
    assert written(work) == ["orders.py", "worker.py"]
    assert run("feedback").code == 0


@pytest.mark.slow
@pytest.mark.further
def test_gemini_is_given_up_after_three_attempts_and_a_person_is_asked(
    gemini: str, work: Path, run: Run, programs: Path, tmp_path: Path
) -> None:
    steps = [
        (gemini_write(f"src/{n}.py", "x = 1\n"), scripted_gemini.say(f"Done {n}."))
        for n in range(5)
    ]
    script = scripted_gemini.in_turns(*(reply for step in steps for reply in step))
    with GeminiModel(script) as model:
        done = coding_agents.gemini(gemini, model, work, tmp_path / "home", programs)
    assert done.returncode == 0, done.stderr
    assert gemini_feedback(model) == [("1 of 3", [*MISSING]), ("2 of 3", [*MISSING])]
    assert written(work) == ["0.py", "1.py", "2.py"]
    assert LOST in done.stderr
    assert run("feedback").code == 4


@pytest.mark.slow
@pytest.mark.further
def test_gemini_ends_where_the_program_is_not_installed(
    gemini: str, work: Path, tmp_path: Path
) -> None:
    """Gemini CLI takes the exit code 127 of a shell for a block, and would not end."""
    (tmp_path / "bin").mkdir()
    with GeminiModel(scripted_gemini.in_turns(scripted_gemini.say("Done."))) as model:
        done = coding_agents.gemini(gemini, model, work, tmp_path / "home", tmp_path / "bin")
    assert (done.returncode, len(model.requests)) == (0, 1)
