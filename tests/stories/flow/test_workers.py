"""Runs in PostgreSQL, which several workers execute."""

import random
import sys
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from helix_hooks.flow import database
from helix_hooks.flow.storage import engine_of
from tests.conftest import Repository
from tests.fakes.postgres import PASSWORD, Postgres
from tests.stories.flow.killing import check, kill, undisturbed
from tests.stories.flow.scene import DIAMOND, ONE, Scene, until

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="elsewhere the children of a process are not listed",
)
KILLS = 5
SEEDS = [1, *(pytest.param(number, marks=pytest.mark.soak) for number in range(2, 12))]


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_workers(
    repository: Repository, tmp_path: Path, postgres: Postgres, seed: int
) -> None:
    chance = random.Random(seed)
    database = postgres.url()
    scene = Scene(repository, DIAMOND, tmp_path / "log", database)
    scene.env["AGENT_SECONDS"] = "0.3"
    workers = [scene.begin("run", "phases.yaml"), scene.begin("worker")]
    until(lambda: "helix-hooks: run " in workers[0].errors())
    run = workers[0].errors().split()[2]
    for _ in range(KILLS):
        time.sleep(chance.random() * 2)
        number = chance.randrange(2)
        kill(workers[number], chance)
        workers[number].end()
        workers[number] = scene.begin("worker")
    until(lambda: scene.outcome(run) == "approved", 60)
    for worker in workers:
        worker.kill(15)
        assert worker.end().returncode in (0, 3)
    check(scene, run, undisturbed(tmp_path, postgres.url()))


@pytest.mark.further
def test_workers_of_another_repository_leave_a_run_alone(
    tmp_path: Path, postgres: Postgres
) -> None:
    database = postgres.url()
    scenes = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        scenes.append(Scene(Repository(tmp_path / name), ONE, tmp_path / f"{name}.log", database))
    worker = scenes[1].begin("worker")
    done = scenes[0].run()
    assert done.returncode == 0, done.stdout + done.stderr
    worker.kill(15)
    said = worker.end()
    assert said.returncode == 3 and "| a:" not in said.stderr
    assert "stopped; nothing is lost, `helix-hooks worker` continues" in said.stderr
    assert scenes[1].said() == []


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (("secret", "wrong"), 3, "the server rejected the user or the password"),
        (("127.0.0.1:", "127.0.0.1:1"), 3, "the server can't be reached"),
        (("postgresql:", "mysql:"), 2, "must be like postgresql://USER:PASSWORD@HOST:5432/NAME"),
        (("postgresql://", "nonsense "), 2, "must be like postgresql://"),
        (("@127.0.0.1:", "@[::1/:"), 2, "must be like postgresql://"),
    ],
)
@pytest.mark.sampled
def test_a_wrong_url_is_one_line_without_the_password(
    repository: Repository, tmp_path: Path, postgres: Postgres,
    change: tuple[str, str], code: int, words: str,
) -> None:  # fmt: skip
    scene = Scene(repository, ONE, tmp_path / "log", postgres.url("flows").replace(*change))
    done = scene.run()
    assert done.returncode == code and words in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert PASSWORD not in done.stderr and PASSWORD.replace(" ", "%20") not in done.stderr
    assert scene.said() == []


@pytest.mark.further
def test_a_process_that_is_suspended_in_a_transaction_stops_no_other(
    repository: Repository, tmp_path: Path, postgres: Postgres
) -> None:
    scene = Scene(repository, ONE, tmp_path / "log", postgres.url())
    database.ready(scene.place)
    with engine_of(scene.place).connect() as suspended:
        suspended.execute(sa.text(database.LOCK))
        done = scene.run()
        assert done.returncode == 0, done.stderr
        suspended.invalidate()
