"""Real agents with their real stop hooks, registered by `init --agent`: they are stopped, told why, and end when the hook lets them."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Repository, Run
from tests.fakes import coding_agents, scripted_gemini, scripted_model
from tests.fakes.scripted_gemini import GeminiModel
from tests.fakes.scripted_model import Model

HOOK = Path(coding_agents.__file__).parent / "stop_hook.py"
MESSAGE = "a person must look at ADR-014"
Programs = Callable[[int], Path]


@pytest.fixture
def payloads(tmp_path: Path) -> Path:
    folder = tmp_path / "payloads"
    folder.mkdir()
    return folder


@pytest.fixture
def programs(tmp_path: Path, payloads: Path) -> Programs:
    """Return a folder with a `helix-hooks` that blocks some stops."""

    def made(stops: int) -> Path:
        command = (sys.executable, HOOK, str(stops), payloads)
        return coding_agents.on_path(tmp_path / "bin", "helix-hooks", *command)

    return made


@pytest.fixture
def gemini(for_all_workers: Path) -> str:
    program, reason = coding_agents.gemini_program(for_all_workers / "gemini")
    if not program:
        pytest.skip(reason)
    return program


def shown_to_claude(done: coding_agents.Done) -> list[str]:
    """Return what the Claude Code CLI tells its user."""
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return [event["content"] for event in events if event.get("subtype") == "informational"]


@pytest.mark.slow
@pytest.mark.real_cli
def test_claude_is_stopped_told_why_and_ends(
    repository: Repository, run: Run, programs: Programs, payloads: Path, tmp_path: Path
) -> None:
    run("init", "--agent", "claude", "--yes")
    script = scripted_model.in_turns(*map(scripted_model.say, ("Done.", "Done again.", "Really.")))
    with Model(script) as model:
        done = coding_agents.claude(model, repository.root, tmp_path / "home", programs(2))
    assert done.returncode == 0, done.stderr
    assert len(model.requests) == 3
    for number in (1, 2):
        told = json.dumps(model.requests[number]["messages"])
        assert f"Stop hook feedback:\\nsrc/orders.py is missing (attempt {number})" in told
    assert json.loads(done.stdout.splitlines()[-1])["result"] == "Really."
    assert shown_to_claude(done) == [f"Stop says: {MESSAGE}"]
    sessions = {json.loads(path.read_text())["session_id"] for path in payloads.iterdir()}
    assert len(sessions) == 1 and len(list(payloads.iterdir())) == 3


@pytest.mark.slow
@pytest.mark.real_cli
@pytest.mark.further
def test_claude_ends_where_the_program_is_not_installed(
    repository: Repository, run: Run, tmp_path: Path
) -> None:
    run("init", "--agent", "claude", "--yes")
    (tmp_path / "bin").mkdir()
    with Model(scripted_model.in_turns(scripted_model.say("Done."))) as model:
        done = coding_agents.claude(model, repository.root, tmp_path / "home", tmp_path / "bin")
    assert (done.returncode, len(model.requests)) == (0, 1)


@pytest.mark.slow
@pytest.mark.further
def test_gemini_is_stopped_told_why_and_ends(
    gemini: str,
    repository: Repository,
    run: Run,
    programs: Programs,
    payloads: Path,
    tmp_path: Path,
) -> None:
    run("init", "--agent", "gemini", "--yes")
    script = scripted_gemini.in_turns(
        *map(scripted_gemini.say, ("Done.", "Done again.", "Really."))
    )
    with GeminiModel(script) as model:
        home = tmp_path / "home"
        done = coding_agents.gemini(gemini, model, repository.root, home, programs(2))
    assert done.returncode == 0, done.stderr
    assert len(model.requests) == 3
    for number in (1, 2):
        last = model.requests[number]["contents"][-1]
        assert last["role"] == "user"
        assert last["parts"][0]["text"] == f"src/orders.py is missing (attempt {number})"
    assert json.loads(done.stdout)["response"].endswith("Really.")
    assert f"Hook system message: {MESSAGE}" in done.stderr
    assert len(list(payloads.iterdir())) == 3


@pytest.mark.slow
@pytest.mark.further
def test_gemini_ends_where_the_program_is_not_installed(
    gemini: str, repository: Repository, run: Run, tmp_path: Path
) -> None:
    """Gemini CLI takes the exit code 127 of a shell for a block, and would go on for a hundred turns."""
    run("init", "--agent", "gemini", "--yes")
    (tmp_path / "bin").mkdir()
    with GeminiModel(scripted_gemini.in_turns(scripted_gemini.say("Done."))) as model:
        home = tmp_path / "home"
        done = coding_agents.gemini(gemini, model, repository.root, home, tmp_path / "bin")
    assert (done.returncode, len(model.requests)) == (0, 1)
