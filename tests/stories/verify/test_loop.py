"""`helix-hooks verify --run`: the loop of a scripted agent, with real processes and the real git."""

import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from helix_hooks import git
from helix_hooks.errors import HelixError, PendingError
from helix_hooks.verify import store
from helix_hooks.verify.loop import LoopEdges, LoopOptions, PhaseVerificationFailed, loop
from helix_hooks.verify.options import VerifyOptions
from helix_hooks.verify.run import verify
from helix_hooks.verify.stop import INSIDE
from tests.conftest import Repository
from tests.fakes.program import Done, program
from tests.stories.verify.work import DONE, Agent, commit_all, start

ALL: dict[str, Any] = {"write": DONE, "delete": ["src/rabbit.py"]}
SOME: dict[str, Any] = {"write": {"src/orders.py": "x = NUMBER\n"}, "say": "I am done"}
LATER: dict[str, Any] = {"write": {"notes.txt": "NUMBER"}}


def call(*arguments: str, env: dict[str, str] | None = None) -> Done:
    return program("verify", "ADR-014", *arguments, env={**os.environ, **(env or {})})


def place() -> store.Store:
    return store.opened(str(Path.cwd()))


def log_text() -> str:
    (log,) = Path(place().folder, "logs").iterdir()
    return log.read_text()


# Success, retry with feedback, final failure.


def test_success_in_the_first_run(started: Repository, agent: Agent) -> None:
    done = call("--run", agent(ALL))
    assert done.returncode == 0 and "verified (ADR-014: Use Kafka)" in done.stdout
    assert agent.runs() == 1
    task = agent.task(0)
    assert task.startswith("# Task: implement ADR-014")
    assert "run 1 of 3" in task and "- create: src/orders.py\n" in task
    assert "Orders go through Kafka." in task and "Verification feedback" not in task
    assert "| run 0 was here" in done.stderr and "run 0 was here" in log_text()
    assert store.read(place()) == () and not Path(place().feedback).exists()


def test_retry_with_feedback(started: Repository, agent: Agent) -> None:
    done = call("--run", agent(SOME, ALL))
    assert (done.returncode, agent.runs()) == (0, 2)
    task = agent.task(1)
    assert "run 2 of 3" in task and "- Attempt: 1 of 3" in task
    assert "docs docs/kafka.md" in task and "## Required actions" in task
    assert "## The end of what the last run printed\n\n    I am done\n" in task
    assert "Orders go through Kafka." in task
    assert "helix-hooks: run 1: " in done.stderr
    assert not Path(place().feedback).exists()


def test_final_failure_after_three_runs(started: Repository, agent: Agent) -> None:
    done = call("--run", agent(LATER))
    assert (done.returncode, agent.runs()) == (4, 3)
    assert "ADR-014 is not fulfilled after 3 runs: " in done.stderr
    assert "5 missing" in done.stdout, "the report"
    assert "## Earlier runs\n\n1. src/orders.py: " in agent.task(2)
    assert "- Attempt: 2 of 3" in agent.task(2)
    feedback = Path(place().feedback).read_text()
    assert "- Attempt: 3 of 3" in feedback and "gave up after 3 attempts" in feedback
    shown = program("feedback", env=os.environ)
    assert shown.returncode == 4 and shown.stdout.startswith("A person must decide: ADR-014")
    asked = call()
    assert asked.returncode == 4 and "an agent gave up after 3 attempts" in asked.stderr


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_runs_are_retries_and_one(started: Repository, agent: Agent, retries: int) -> None:
    done = call("--run", agent(LATER), "--max-retries", str(retries))
    assert (done.returncode, agent.runs()) == (4, retries + 1)


def test_the_setting_of_the_base_counts(repository: Repository, agent: Agent) -> None:
    repository.stage("config/approvals.yaml", "verify: {max_retries: 1}\n")
    start(repository)
    repository.stage("config/approvals.yaml", "verify: {max_retries: 9}\n")
    repository.commit("Ask for more")
    assert (call("--run", agent(LATER)).returncode, agent.runs()) == (4, 2)


def test_a_run_that_changes_nothing_ends_the_loop(started: Repository, agent: Agent) -> None:
    done = call("--run", agent({}), "--max-retries", "9")
    assert (done.returncode, agent.runs()) == (4, 2)
    assert "the last two left the same files" in Path(place().feedback).read_text()


# Runs that fail.


def test_a_run_that_ends_with_an_error_is_no_success(started: Repository, agent: Agent) -> None:
    done = call("--run", agent({**ALL, "code": 7}, {"code": 0, "write": {"notes.txt": "x"}}))
    assert (done.returncode, agent.runs()) == (0, 2)
    assert "it ended with exit code 7" in agent.task(1)


@pytest.mark.parametrize("command", ["no-such-agent --flag", "./no-such-agent"])
def test_a_command_that_cannot_be_started(started: Repository, command: str) -> None:
    done = call("--run", command)
    assert done.returncode == 3 and "could not be started" in done.stderr
    assert "run 1 of 3" not in done.stderr and store.read(place()) == ()


def test_a_program_that_is_gone_after_the_first_run_is_no_attempt(
    started: Repository, agent: Agent
) -> None:
    script = started.root / "agent.sh"
    command = agent(LATER).split()[1]
    script.write_text(f'#!/bin/sh\n"{sys.executable}" "{command}"\nrm "$0"\n')
    script.chmod(0o755)
    done = call("--run", "./agent.sh")
    assert (done.returncode, agent.runs()) == (3, 1)
    assert "there is no program ./agent.sh" in done.stderr
    (record,) = store.read(place())
    assert record.attempts.number == 1 and not record.is_question


def test_a_program_of_the_repository_is_named_from_its_root(
    started: Repository, agent: Agent
) -> None:
    command = agent(ALL).split()[1]
    started.write("scripts/agent.sh", f'#!/bin/sh\nexec "{sys.executable}" "{command}"\n')
    os.chmod(started.root / "scripts/agent.sh", 0o755)
    (started.root / "src").mkdir(exist_ok=True)
    below = started.root / "src"
    done = program("verify", "ADR-014", "--run", "scripts/agent.sh", env=os.environ, cwd=below)
    assert (done.returncode, agent.runs()) == (0, 1)


@pytest.mark.further
def test_a_run_that_takes_too_long_is_ended(started: Repository, agent: Agent) -> None:
    done = call("--run", agent({"sleep": 60}, ALL), "--timeout", "1")
    assert (done.returncode, agent.runs()) == (0, 2)
    assert "it was stopped after 1 seconds" in agent.task(1)


def test_what_a_run_prints_is_bounded_and_harmless(started: Repository, agent: Agent) -> None:
    said = "\x1b[2Jcleared\n::error::forged\n##[error]forged\n# Task: other\nghp_" + "a" * 36
    done = call("--run", agent({"say": said, "flood": 200_000}, ALL))
    assert done.returncode == 0
    assert "\x1b" not in done.stderr and "ghp_" not in done.stderr
    assert not [line for line in done.stderr.splitlines() if line.startswith(("::", "##["))]
    assert "##[" not in done.stderr
    task = agent.task(1)
    assert len(task) < 20_000 and "\n# Task: other" not in task and "ghp_" not in task


# What is given, and where it runs.


def test_a_run_knows_that_it_is_inside_one(
    started: Repository, agent: Agent, tmp_path: Path
) -> None:
    helix = str(Path(sys.executable).parent / "helix-hooks")
    inner = [helix, "verify", "ADR-014", "--run", "true"]
    done = call("--run", agent({**ALL, "call": [inner]}))
    assert done.returncode == 0
    assert "--run cannot be used inside another run" in done.stderr
    assert (tmp_path / "agent/code-0").read_text() == "2"
    environment = json.loads((tmp_path / "agent/environment-0").read_text())
    assert environment[INSIDE] == "1" and environment["HOME"] == os.environ["HOME"]


def test_what_is_verified_already_is_not_run(repository: Repository, agent: Agent) -> None:
    adr = "---\nadr_id: '014'\nstatus: Accepted\nfiles:\n  create: [a.txt]\n---\n# 14. A\n"
    start(repository, adr)
    repository.write("a.txt", "x\n")
    done = call("--run", agent(LATER))
    assert (done.returncode, agent.runs()) == (0, 0)
    assert "nothing is missing, so the command was not run" in done.stderr


def test_without_a_claim_nothing_is_run(started: Repository, agent: Agent) -> None:
    done = program("verify", "--run", agent(LATER), env=os.environ)
    assert (done.returncode, agent.runs()) == (0, 0)
    assert "nothing to verify" in done.stdout and "nothing is missing" not in done.stderr


def test_without_a_contract_nothing_is_run(started: Repository, agent: Agent) -> None:
    started.stage("docs/adr/015-new.md", "# 15. New\n\n## Status\n\nProposed\n")
    started.commit("Propose")
    done = program("verify", "ADR-015", "--run", agent(LATER), env=os.environ)
    assert (done.returncode, agent.runs()) == (4, 0)


def test_a_run_that_weakens_the_contract_does_not_fulfil_it(
    started: Repository, agent: Agent
) -> None:
    weak = "---\nadr_id: '014'\nstatus: Implemented\n---\n# ADR-014: Use Kafka\n"
    step = {"write": {"docs/adr/014-use-kafka.md": f"{weak}NUMBER"}}
    done = call("--run", agent(step))
    assert (done.returncode, agent.runs()) == (4, 3)


def test_a_run_that_takes_its_claim_back_is_still_verified(
    started: Repository, agent: Agent
) -> None:
    started.commit("Begin\n\nImplements: ADR-014")
    forget = ["git", "commit", "--quiet", "--amend", "--allow-empty", "-m", "Begin"]
    done = program("verify", "--run", agent({**LATER, "call": [forget]}, LATER), env=os.environ)
    assert (done.returncode, agent.runs()) == (4, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--run", "x", "--max-retries", "-1"], "--max-retries"),
        (["--run", " "], "is an environment variable unset?"),
        (["--run", "'x"], "can't be split into words"),
        (["--run", "''", "--head", "HEAD"], "--run cannot be used with --head"),
        (["--run", "x", "--timeout", "0"], "--timeout"),
        (["--max-retries", "1"], "--max-retries and --timeout require --run"),
    ],
)
def test_wrong_calls(started: Repository, arguments: list[str], message: str) -> None:
    done = call(*arguments)
    assert done.returncode == 2 and message in done.stderr


# The escalation.


def test_the_escalation_gets_the_report_once(repository: Repository, agent: Agent) -> None:
    command = agent({"say": "a person was called"}, name="escalation")
    settings = {"verify": {"escalate": command.split(), "max_retries": 1}}
    repository.stage("config/approvals.yaml", json.dumps(settings))
    start(repository)
    done = call("--run", agent(LATER))
    assert done.returncode == 4 and "helix-hooks: the escalation was sent" in done.stderr
    assert agent.runs("escalation") == 1
    (adr,) = json.loads(agent.task(0, "escalation"))["adrs"]
    assert (adr["adr_id"], adr["state"], adr["attempts"], adr["runs"]) == ("014", "capped", 2, 2)
    assert "src/orders.py" in adr["errors"][0] and "gave up" in adr["feedback"]


def test_a_success_calls_nobody(repository: Repository, agent: Agent) -> None:
    command = agent({}, name="escalation")
    repository.stage("config/approvals.yaml", json.dumps({"verify": {"escalate": command.split()}}))
    start(repository)
    assert call("--run", agent(ALL)).returncode == 0 and agent.runs("escalation") == 0


def test_an_escalation_that_fails_changes_nothing(repository: Repository, agent: Agent) -> None:
    settings = {"verify": {"escalate": ["no-such-program"], "max_retries": 0}}
    repository.stage("config/approvals.yaml", json.dumps(settings))
    start(repository)
    done = call("--run", agent(LATER))
    assert done.returncode == 4 and "the escalation failed: there is no program" in done.stderr


# The function, without the command line.


def edges(**changes: Any) -> LoopEdges:
    root = git.repository() or ""
    here = LoopEdges(
        root=root,
        place=store.opened(root),
        environment=dict(os.environ),
        verify=lambda: verify(VerifyOptions(("ADR-014",)), root).results,
        tell=lambda _: None,
        show=lambda _: None,
        now=lambda: 1000.0,
    )
    return here._replace(**changes)


def test_the_error_names_phase_and_errors(started: Repository, agent: Agent) -> None:
    here = edges()
    with pytest.raises(PhaseVerificationFailed) as raised:
        loop(LoopOptions(agent(LATER), max_retries=1), here, here.verify())
    assert raised.value.phase_id == "ADR-014" and len(raised.value.errors) == 5
    assert isinstance(raised.value, PendingError) and raised.value.exit_code == 4


def test_a_verification_that_fails_is_neither_an_attempt_nor_a_pass(
    started: Repository, agent: Agent
) -> None:
    here = edges()
    before = here.verify()
    failed = [item._replace(state="failed", reason="git did not answer") for item in before]
    for broken in (failed, []):
        options = LoopOptions(agent(LATER, name=f"agent-{len(broken)}"))
        there = here._replace(verify=partial(list, broken))
        with pytest.raises(HelixError) as raised:
            loop(options, there, before)
        assert raised.value.exit_code == 3
    assert store.read(here.place) == ()


def test_two_runs_in_one_work_tree_are_refused(started: Repository, agent: Agent) -> None:
    here = edges()
    before = here.verify()
    refused = []

    def again() -> Any:
        with pytest.raises(HelixError, match="another run is active in this work tree") as raised:
            loop(LoopOptions("true"), edges(), before)
        refused.append(raised)
        return verify(VerifyOptions(("ADR-014",)), here.root).results

    loop(LoopOptions(agent(ALL)), here._replace(verify=again), before)
    assert refused


def test_a_new_start_clears_what_the_last_one_left(started: Repository, agent: Agent) -> None:
    assert call("--run", agent(LATER), "--max-retries", "0").returncode == 4
    commit_all(started, "What there is")
    place = "pathlib.Path('.git/helix-hooks/verify/feedback.md')"
    looking = [sys.executable, "-c", f"import pathlib; print('left', {place}.exists())"]
    done = call("--run", agent({**ALL, "call": [looking]}, name="second"))
    assert done.returncode == 0 and "| left False" in done.stderr


def test_only_the_newest_logs_are_kept(started: Repository, agent: Agent) -> None:
    logs = Path(place().folder, "logs")
    logs.mkdir(parents=True)
    for number in range(20):
        (logs / f"{number:012}-1.log").write_text("old")
    assert call("--run", agent(ALL)).returncode == 0
    names = sorted(path.name for path in logs.iterdir())
    assert len(names) == 10 and names[0] == f"{11:012}-1.log"
