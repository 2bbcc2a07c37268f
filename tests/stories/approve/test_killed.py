"""`approve` and the Action's step of the judges killed with SIGKILL: no judge goes on, and the next run removes what was left behind.

Attack on the judge: SIGKILL of `approve`, of the step of the judges in the Action, or of the process it works in.
Answer: the process that is left ends the judges (POSIX; orphans of a judge on Linux); the next run removes folders that no living run has locked.
Shown by: `tests/stories/approve/test_killed.py`.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from helix_hooks.judge import store, workspace
from tests.conftest import Repository
from tests.fakes.program import PROGRAM, approve
from tests.fakes.runner import READER, WRITER, Job, hub, served, stand_in
from tests.stories.approve.scene import SECOND, Place, left_behind, main_has

only_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="elsewhere the children of a process are not listed",
)
HANGING = {"left": "group", "hang": 60}

MOMENTS = [0.0, *(pytest.param(number / 20, marks=pytest.mark.soak) for number in range(1, 11))]
"""Seconds after a judge has begun."""


def _until(done: Callable[[], object], seconds: float) -> None:
    """Wait for something to become true, looked at again and again."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not done():
        time.sleep(0.05)


def _begun() -> None:
    """Wait for the judge, which starts a program called so."""

    def is_there() -> bool:
        return any("left-behind" in line for line in left_behind())

    _until(is_there, 30)
    assert is_there(), "the judge has begun"


def _judging(change: Repository, env: dict[str, str]) -> "subprocess.Popen[str]":
    main_has(change, "config/approvals.yaml", SECOND)
    program = str(Path(sys.executable).parent / "helix-hooks")
    process = subprocess.Popen(
        [program, "approve", "--base", "main", "--timeout", "60"],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    _begun()
    return process


@only_linux
@pytest.mark.parametrize("where", ["group", "session"])
@pytest.mark.parametrize("whom", ["run", "worker"])
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.sampled
def test_no_judge_outlives_a_run_that_was_killed(
    change: Repository, place: Place, tmp_path: Path, where: str, whom: str, moment: float
) -> None:
    process = _judging(change, place({"left": where, "hang": 60}))
    time.sleep(moment)
    (worker,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(process.pid if whom == "run" else int(worker), signal.SIGKILL)
    code = process.wait(20)
    assert code == (-signal.SIGKILL if whom == "run" else 3)
    _until(lambda: not left_behind(), 20)
    assert not left_behind()
    if whom == "run":
        _until(lambda: not list((tmp_path / "tmp").iterdir()), 10)
        assert not list((tmp_path / "tmp").iterdir()), "it was stopped in order"


@only_linux
@pytest.mark.parametrize("whom", ["run", "worker"])
@pytest.mark.further
def test_no_judge_outlives_a_step_that_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whom: str
) -> None:
    repository = served(tmp_path)
    (tmp_path / "repository").mkdir()
    monkeypatch.chdir(tmp_path / "repository")
    with hub(repository) as github:
        github.open_pull(1)
        job = Job(github, repository, tmp_path / "job")
        assert [job.step("snapshot", GITHUB_TOKEN=READER).code, job.step("check").code] == [0, 0]
        env = {
            **job.environment,
            **stand_in(tmp_path / "programs", left="group", sleep=60),
            "RUNNER_TEMP": str(job.folder),
        }
        process = subprocess.Popen(
            [PROGRAM, "github", "--mode", "judge"],
            cwd=job.folder,
            env=env,
            stdout=subprocess.DEVNULL,
        )
        _begun()
        (worker,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(process.pid if whom == "run" else int(worker), signal.SIGKILL)
        assert process.wait(20) == (-signal.SIGKILL if whom == "run" else 3)
        _until(lambda: not left_behind(), 20)
        assert not left_behind()
        assert job.step("publish", GITHUB_TOKEN=WRITER).code == 3, (
            "a judge that was not heard is no approval"
        )


@only_linux
@pytest.mark.further
def test_the_next_run_removes_what_was_left(
    change: Repository, place: Place, tmp_path: Path
) -> None:
    process = _judging(change, place(HANGING))
    (worker,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(worker), signal.SIGKILL)
    process.wait(20)
    assert list((tmp_path / "tmp").glob("helix-judge-*")), "nobody could remove them"
    cache = Path(store.folder(str(change.root))) / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    for name, age in (("old.new", 7200), ("young.new", 0), ("old.json", 7200)):
        (cache / name).write_text("{}")
        os.utime(cache / name, (time.time() - age,) * 2)
    assert approve("--base", "main", env=place({"answer": {}})).returncode == 0
    assert not list((tmp_path / "tmp").iterdir())
    assert not (cache / "old.new").exists()
    assert (cache / "young.new").exists()
    assert (cache / "old.json").exists()


def test_what_is_alive_or_kept_or_not_ours_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    root = tmp_path / "repository"
    root.mkdir()
    alive, kept, other = (Path(workspace.fresh(str(root))) for _ in range(3))
    workspace.keep(str(kept))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "alive").write_text("")
    (tmp_path / "helix-judge-link").symlink_to(elsewhere)
    (tmp_path / "helix-judge-file").write_text("")
    (tmp_path / "unrelated").mkdir()
    os.close(workspace._HELD.pop(str(other)))  # as its process has ended
    workspace.sweep()
    assert (
        alive.exists() and kept.exists() and elsewhere.exists() and (elsewhere / "alive").exists()
    )
    assert (tmp_path / "helix-judge-link").is_symlink()
    assert (tmp_path / "helix-judge-file").exists()
    assert (tmp_path / "unrelated").exists()
    assert not other.exists()
    workspace.Workspace(str(alive)).remove()
    shutil.rmtree(kept)
