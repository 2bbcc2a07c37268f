"""Real agents with the hook that `init --agent` registers: they say "done", are stopped, read the feedback, and finish or are given up.

Their model is scripted; the programs of the agents, their hooks and `helix-hooks verify --hook` are the real ones. `make test` runs Claude Code,
`make rest` Gemini CLI too, and `make soak` Codex and Copilot CLI, which are 600 MB from the npm registry.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Repository, Run
from tests.fakes import coding_agents
from tests.fakes.coding_agents import AnyModel, CodingAgent, Done, Scene
from tests.fakes.loopback_model import Step
from tests.fakes.program import PROGRAM

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
MARKS = {"claude": (pytest.mark.real_cli,), "gemini": (pytest.mark.further,)}
AGENTS = [
    pytest.param(name, marks=MARKS.get(name, (pytest.mark.soak,)), id=name)
    for name in coding_agents.AGENTS
]
LATER = [
    pytest.param(name, marks=(*MARKS.get(name, ()), further), id=name)
    for name in coding_agents.AGENTS
    for further in (pytest.mark.further if name in MARKS else pytest.mark.soak,)
]
Play = Callable[[list[Step]], tuple[Done, AnyModel]]


@pytest.fixture
def work(repository: Repository, run: Run, agent: str) -> Path:
    """A branch that claims to implement an accepted ADR, which promises two files."""
    repository.stage("docs/adr/014-use-kafka.md", ADR)
    repository.commit("Accept ADR-014")
    repository.git("checkout", "--quiet", "-b", "work")
    assert run("init", "--agent", agent, "--yes").code == 0
    repository.stage("src/__init__.py", "")
    repository.git("add", "--all")
    repository.commit("Begin\n\nImplements: ADR-014")
    return repository.root


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with `helix-hooks`, as it stands on the PATH of an agent."""
    return coding_agents.on_path(tmp_path / "bin", "helix-hooks", PROGRAM)


@pytest.fixture
def play(agent: str, work: Path, programs: Path, tmp_path: Path, for_all_workers: Path) -> Play:
    """Run the agent with a model that takes some steps; its program is skipped where it can't be installed."""
    found = coding_agents.AGENTS[agent]
    program, reason = coding_agents.program_of(found, for_all_workers)
    if not program:
        pytest.skip(reason)

    def played(steps: list[Step]) -> tuple[Done, AnyModel]:
        with found.model(steps) as model:
            done = coding_agents.run(
                found, program, model, Scene(work, tmp_path / "home", programs)
            )
        assert done.returncode == 0, done.stderr
        return done, model

    return played


def files(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "src").iterdir() if path.stat().st_size)


def feedback(agent: CodingAgent, model: AnyModel) -> list[tuple[str, list[str]]]:
    """Return each feedback that reached the model: the attempt that it counts, and the issues that it lists."""
    texts = [text for text in agent.told(model.requests[-1]) if "# Verification feedback" in text]
    attempts = [re.findall(r"- Attempt: (\d of \d)", text) for text in texts]
    return [
        (attempt, [issue for issue in MISSING if issue in text])
        for text, (attempt,) in zip(texts, attempts, strict=True)
    ]


def shows(agent: CodingAgent, done: Done, pattern: str) -> bool:
    """Return whether the user sees a message, of an agent that shows any."""
    return agent.shown is None or bool(re.search(pattern, agent.shown(done)))


@pytest.mark.slow
@pytest.mark.parametrize("agent", AGENTS)
def test_it_is_stopped_reads_the_feedback_and_finishes(
    agent: str, work: Path, play: Play, run: Run
) -> None:
    real = coding_agents.AGENTS[agent]
    done, model = play(
        [
            real.write(work / "src/orders.py", "def send(): return 1\n"),
            Step("All of ADR-014 is done."),
            real.write(work / "src/worker.py", "def work(): return 1\n"),
            Step("Now it is."),
        ]
    )
    assert feedback(real, model) == [("1 of 3", [MISSING[1]])]
    assert len(model.requests) == 4
    assert files(work) == ["orders.py", "worker.py"]
    assert shows(real, done, r"helix-hooks: .*014.*: verified")
    assert run("feedback").code == 0


@pytest.mark.slow
@pytest.mark.real_cli
@pytest.mark.parametrize("agent", ["claude"])
def test_a_named_test_that_fails_stops_it_until_it_passes(
    agent: str, repository: Repository, work: Path, play: Play, run: Run
) -> None:
    repository.git("checkout", "--quiet", "main")
    criteria = f"{ADR}\n## Acceptance Criteria\n\n- [ ] `tests/test_work.py::test_one` passes\n"
    repository.stage("docs/adr/014-use-kafka.md", criteria)
    runner = f"{sys.executable} -m pytest -o junit_family=xunit1 --junit-xml={{junit}} {{tests}}"
    repository.stage("config/approvals.yaml", f"verify:\n  tests: {runner}\n")
    repository.commit("Promise a test")
    repository.git("checkout", "--quiet", "work")
    repository.git("rebase", "--quiet", "main")
    real = coding_agents.AGENTS[agent]
    test = "import sys\nsys.path.insert(0, 'src')\nfrom worker import work\ndef test_one(): assert work() == 1\n"
    done, model = play(
        [
            real.write(work / "src/orders.py", "def send(): return 1\n"),
            real.write(work / "src/worker.py", "def work(): return 2\n"),
            real.write(work / "tests/test_work.py", test),
            Step("All of ADR-014 is done, and its test passes."),
            real.write(work / "src/worker.py", "def work(): return 1\n"),
            Step("Now it is."),
        ]
    )
    (told,) = [text for text in real.told(model.requests[-1]) if "# Verification feedback" in text]
    assert "tests/test_work.py::test_one passes: the test failed: assert 2 == 1" in told
    assert "make the test test_one in tests/test_work.py pass" in told
    assert shows(real, done, r"helix-hooks: .*014.*: verified")
    assert "3 shown of 3" in run("verify").out


@pytest.mark.slow
@pytest.mark.parametrize("agent", AGENTS)
def test_it_is_given_up_after_three_attempts_and_a_person_is_asked(
    agent: str, work: Path, play: Play, run: Run
) -> None:
    real = coding_agents.AGENTS[agent]
    steps = [(real.write(work / f"src/{n}.py", "x = 1\n"), Step(f"Done {n}.")) for n in range(5)]
    done, model = play([step for pair in steps for step in pair])
    assert feedback(real, model) == [("1 of 3", [*MISSING]), ("2 of 3", [*MISSING])]
    assert files(work) == ["0.py", "1.py", "2.py"]
    assert shows(real, done, r"The agent gave up after 3 attempts\.")
    asked = run("feedback")
    assert (asked.code, "a person is asked to decide" in asked.out) == (4, True)
    assert run("verify").code == 4


@pytest.mark.slow
@pytest.mark.parametrize("agent", AGENTS)
def test_it_knows_the_skill(agent: str, work: Path, play: Play, run: Run) -> None:
    """The description of the skill is in what the model reads."""
    assert run("init", "--agent", agent, "--instructions", "--yes").code == 0
    (skill,) = work.glob(".*/skills/*/SKILL.md")
    (described,) = re.findall(r"^description: ([^.]+)\.", skill.read_text(), re.MULTILINE)
    read = str(play([Step("Done.")])[1].requests[0])
    assert described in read
    assert "claim it: end the message of its last commit" in " ".join(
        read.replace("\\n", " ").split()
    )


@pytest.mark.slow
@pytest.mark.parametrize("agent", LATER)
def test_one_that_does_nothing_is_given_up_at_its_second_stop(
    agent: str, play: Play, run: Run
) -> None:
    done, model = play([Step("Done.")])
    assert len(model.requests) == 2
    assert shows(coding_agents.AGENTS[agent], done, "the last two left the same files")
    assert run("feedback").code == 4


@pytest.mark.slow
@pytest.mark.parametrize("agent", LATER)
def test_it_ends_where_the_program_is_not_installed(agent: str, play: Play, programs: Path) -> None:
    """Gemini CLI takes the exit code 127 of a shell for a block, and would not end."""
    (programs / "helix-hooks").unlink()
    assert len(play([Step("Done.")])[1].requests) == 1


@pytest.mark.slow
@pytest.mark.parametrize("agent", LATER)
def test_it_ends_where_the_program_does_not_know_an_option(
    agent: str, work: Path, play: Play
) -> None:
    """The exit code 2 of a wrong option would be a block."""
    changed = [path for path in work.glob(".*/**/*.json") if ".git/" not in str(path)]
    for path in changed:
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("--hook", "--later --hook"), encoding="utf-8")
        assert "--later" in json.dumps(json.loads(path.read_text(encoding="utf-8")))
    assert changed
    assert len(play([Step("Done.")])[1].requests) == 1


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("agent", ["copilot"])
def test_each_of_two_hooks_of_one_agent_counts_its_own_attempts(play: Play, run: Run) -> None:
    """Copilot CLI runs the hook in .claude/settings.json too: it is not the second attempt of one stop."""
    run("init", "--agent", "claude", "--yes")
    assert len(play([Step("Done.")])[1].requests) == 2
    assert run("feedback").code == 4
