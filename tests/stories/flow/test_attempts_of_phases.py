"""What is an attempt of a phase, and what the default gate asks."""

import json
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.stories.flow.scene import Scene

PHASE = "phases:\n  - {{id: a, type: writer, {}}}\n"


def scene(repository: Repository, log: Path, keys: str) -> Scene:
    return Scene(repository, PHASE.format(keys), log)


def result(flow: Scene) -> str:
    """Return the last answer of the gate of the phase, with its findings."""
    answer = flow.state().phases["a"].result
    assert answer
    return "; ".join([answer.message, *(item.message for item in answer.findings)])


# A program that can't be started.


@pytest.mark.parametrize(
    "keys",
    [
        "run: [no-such-program], output: [out/a.txt]",
        "run: [sh, writer.sh], prompt: {command: [no-such-program]}, output: [out/a.txt]",
        "run: [sh, writer.sh], quality_gate: {type: command, command: [no-such-program]}",
    ],
)
def test_a_flow_with_a_missing_program_is_not_started(
    repository: Repository, tmp_path: Path, keys: str
) -> None:
    flow = scene(repository, tmp_path / "log", keys)
    done = flow.run()
    assert done.returncode == 2
    assert "phases.yaml:2: a: there is no program no-such-program" in done.stderr
    assert flow.said() == []


@pytest.mark.parametrize(
    ("keys", "begun"),
    [
        ("run: [./absent.sh], output: [out/a.txt]", 0),
        ("run: [sh, writer.sh], prompt: {command: [./absent.sh]}, output: [out/a.txt]", 0),
        (
            "run: [sh, writer.sh], quality_gate: {type: command, command: [./absent.sh]}",
            1,
        ),
    ],
)
def test_a_program_that_cannot_be_started_is_no_attempt(
    repository: Repository, tmp_path: Path, keys: str, begun: int
) -> None:
    flow = scene(repository, tmp_path / "log", f"{keys}, max_retries: 3")
    done = flow.run()
    assert done.returncode == 4, done.stderr
    progress = flow.state().phases["a"]
    assert (progress.attempt, progress.number, progress.pause) == (1, 1, "review")
    assert "there is no program ./absent.sh" in progress.question
    assert len(flow.begun("a")) == begun


# The default gate.


def test_an_output_from_before_that_nobody_wrote_is_rejected(
    repository: Repository, tmp_path: Path
) -> None:
    repository.stage("old.txt", "from before\n")
    flow = scene(repository, tmp_path / "log", "run: [sh, writer.sh], output: [old.txt]")
    assert flow.run().returncode == 1
    assert "it was there before, and this attempt has not written it" in result(flow)


def test_the_same_text_written_again_is_written(repository: Repository, tmp_path: Path) -> None:
    repository.stage("out/a.txt", "by a\n")
    flow = scene(repository, tmp_path / "log", "run: [sh, writer.sh], output: [out/a.txt]")
    assert flow.run().returncode == 0
    assert result(flow) == "1 file there"


def test_an_empty_output_is_rejected(repository: Repository, tmp_path: Path) -> None:
    repository.stage("empty.sh", 'printf " \\n" > out.txt; : > __init__.py\n')
    flow = scene(
        repository, tmp_path / "log", 'run: [sh, empty.sh], output: [out.txt, "__init__.py"]'
    )
    assert flow.run().returncode == 1
    assert result(flow) == "1 output not written; the file is empty"


def test_a_retry_writes_only_what_was_missing(repository: Repository, tmp_path: Path) -> None:
    repository.stage(
        "halves.sh", 'if [ "$HELIX_ATTEMPT" = 1 ]; then echo 1 > a.txt; else echo 2 > b.txt; fi\n'
    )
    keys = "run: [sh, halves.sh], output: [a.txt, b.txt], max_retries: 1"
    flow = scene(repository, tmp_path / "log", keys)
    assert flow.run().returncode == 0
    assert flow.state().phases["a"].attempt == 2


def test_a_retry_that_writes_nothing_is_rejected(repository: Repository, tmp_path: Path) -> None:
    repository.stage("once.sh", 'if [ "$HELIX_ATTEMPT" = 1 ]; then echo 1 > a.txt; exit 1; fi\n')
    keys = "run: [sh, once.sh], output: [a.txt], max_retries: 1"
    flow = scene(repository, tmp_path / "log", keys)
    assert flow.run().returncode == 4
    assert "this attempt has not written it" in result(flow)


def test_an_explicit_gate_takes_the_files_as_they_are(
    repository: Repository, tmp_path: Path
) -> None:
    repository.stage("old.txt", "from before\n")
    keys = "run: [sh, writer.sh], output: [old.txt], quality_gate: {type: files_exist}"
    flow = scene(repository, tmp_path / "log", keys)
    assert flow.run().returncode == 0


def test_a_phase_without_output_is_not_called_made(repository: Repository, tmp_path: Path) -> None:
    flow = scene(repository, tmp_path / "log", 'run: [sh, -c, "true"]')
    assert flow.run().returncode == 0
    assert result(flow) == "the command succeeded; the phase has no output and no gate"


# Verified without an ADR.


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("x = 1", 0, "no ADR is declared; 1 expected file there, and without syntax errors"),
        ("def f(:", 1, "1 expected file, 1 error; invalid syntax"),
        ("", 1, "1 expected file, 1 error; the file is empty"),
    ],
)
def test_without_an_adr_the_expected_files_are_verified(
    repository: Repository, tmp_path: Path, text: str, code: int, words: str
) -> None:
    repository.stage("make.sh", f"printf '%s' '{text}' > a.py\n")
    keys = (
        "run: [sh, make.sh], output: [a.py], verify_agent: true, quality_gate: {type: files_exist}"
    )
    flow = scene(repository, tmp_path / "log", keys)
    assert flow.run().returncode == code
    folder = flow.files() / "a" / "1-response"
    answer = json.loads((folder / "gate.json").read_text())
    if code:
        assert result(flow) == words
    else:
        assert answer["message"] == "1 file there", "the gate of the phase comes last"
