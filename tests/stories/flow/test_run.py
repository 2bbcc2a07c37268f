"""`helix-hooks run` from start to end, and all that is kept of it."""

import stat
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.fakes.program import PROGRAM
from tests.stories.flow.scene import DIAMOND, ONE, Scene, shape


def test_phases_depend_on_each_other_and_are_retried(
    repository: Repository, tmp_path: Path
) -> None:
    scene = Scene(repository, DIAMOND, tmp_path / "log")
    done = scene.run("--task", "write it")
    assert done.returncode == 0, done.stderr
    assert "| c: here is c" in done.stderr
    state = scene.state()
    assert [progress.state for progress in state.phases.values()] == ["approved"] * 4
    assert {id: progress.attempt for id, progress in state.phases.items()} == {
        "a": 1,
        "b": 1,
        "c": 2,
        "d": 1,
    }
    begun = [words[1] for words in scene.said() if words[0] == "begin"]
    assert begun[0] == "a" and begun[-1] == "d" and sorted(begun) == ["a", "b", "c", "c", "d"]
    events = scene.events()
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert (events[-1]["phase"], events[-1]["state"]) == ("", "approved")
    folder = scene.files()
    assert "write it" in (folder / "a" / "1-response" / "prompt.md").read_text()
    assert "missing file: out/c.txt" in (folder / "c" / "2-response" / "feedback.md").read_text()
    assert (scene.folder() / "flow.yaml").read_text() == DIAMOND
    assert scene.repository.git("status", "--porcelain").stdout == ""
    kept = scene.root / ".git" / "helix-hooks"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert stat.S_IMODE((kept / "flows.sqlite").stat().st_mode) == 0o600
    assert scene.processes() == []


@pytest.mark.further
def test_exhausted_tries_pause_the_run(repository: Repository, tmp_path: Path) -> None:
    flow = DIAMOND.replace("max_retries: 1", "max_retries: 0, on_rejection: {action: escalate}")
    scene = Scene(repository, flow, tmp_path / "log")
    done = scene.run()
    assert done.returncode == 4, done.stderr
    assert "helix-hooks flow approve" in done.stdout
    assert (scene.outcome(), len(scene.begun("d"))) == ("paused", 0)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--phase", "x"], "has no phase 'x'"),
        (["--from", "a", "--phase", "a"], "can't be used together"),
        (["--task", "@absent.md"], "--task @absent.md: No such file"),
    ],
)
def test_a_wrong_call_starts_nothing(
    repository: Repository, tmp_path: Path, more: list[str], words: str
) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    done = scene.run(*more)
    assert done.returncode == 2 and words in done.stderr
    assert scene.said() == [] and not (scene.root / ".git" / "helix-hooks").exists()


def test_a_missing_input_starts_nothing(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE.replace("type: writer,", "type: writer, input: [x.md],"), tmp_path / "log")  # fmt: skip
    done = scene.run()
    assert done.returncode == 2 and done.stderr.startswith("helix-hooks: phases.yaml:3: a.input: x.md is not there")  # fmt: skip
    assert scene.said() == []


@pytest.mark.further
def test_one_phase_after_those_of_the_last_run(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, DIAMOND, tmp_path / "log")
    assert "no earlier run approved it" in scene.run("--from", "d").stderr
    assert scene.run().returncode == 0
    first = shape(scene.state())
    done = scene.run("--from", "d")
    assert done.returncode == 0, done.stderr
    assert (len(scene.begun("a")), len(scene.begun("d"))) == (1, 2)
    assert shape(scene.state()) != first


def test_the_newest_run_after_the_clock_went_back(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    command = [str(PROGRAM), "run", "phases.yaml"]
    subprocess.run(command, env={**scene.env, "TZ": "UTC-9"}, cwd=scene.root, check=True)
    (scene.root / "writer.sh").write_text("exit 1\n")
    done = subprocess.run(command, env={**scene.env, "TZ": "UTC"}, cwd=scene.root, check=False)
    assert (done.returncode, scene.outcome()) == (4, "paused")


def test_a_run_inside_of_a_run_is_refused(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    done = scene.run(HELIX_RUN="x")
    assert done.returncode == 2 and "inside of a run" in done.stderr


def test_an_agent_does_not_see_the_database(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    repository.stage("writer.sh", 'mkdir out; env > out/a.txt; echo \'{"cost_usd": 0.25}\' > "$HELIX_COST_FILE"\n')  # fmt: skip
    done = scene.run()
    assert done.returncode == 0, done.stderr
    seen = dict(line.split("=", 1) for line in (scene.tree() / "out" / "a.txt").read_text().splitlines() if "=" in line)  # fmt: skip
    assert "HELIX_FLOW_DATABASE" not in seen
    assert (seen["HELIX_PHASE"], seen["HELIX_ATTEMPT"]) == ("a", "1")
    assert Path(seen["HELIX_FEEDBACK_FILE"]).read_text() == ""
    assert scene.state().phases["a"].cost_usd == 0.25
