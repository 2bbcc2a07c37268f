"""Workers with clones of their own: a shared database, a bare remote, no shared disk, no common path."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from helix_hooks.flow import client
from helix_hooks.flow.place import FlowPlace, approvals_here, place_of
from helix_hooks.flow.storage import engine_of
from helix_hooks.phases.run_state import RETRY, Decider, PersonDecided
from tests.conftest import Repository
from tests.fakes.postgres import Postgres
from tests.fakes.program import Begun
from tests.stories.flow.killing import kill
from tests.stories.flow.scene import DIAMOND, Scene, descendants, shape, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not sys.platform.startswith("linux"),
        reason="elsewhere the children of a process are not listed",
    ),
]
SETTINGS = "flow: {name: shop, remote: origin}\n"
PATIENCE = 90
_QUERIES = (
    "SELECT workflow_uuid, status, executor_id, queue_name FROM dbos.workflow_status",
    "SELECT pid, state, wait_event, now() - xact_start, left(query, 200) FROM pg_stat_activity",
    "SELECT name, now() - seen FROM helix_workers",
)
"""What a test says that waits in vain: where its workflows are, and who holds what in the database."""


class Machine(Scene):
    """A clone with a home of its own, as on another machine."""

    def __init__(self, clone: Path, home: Path, log: Path, database: str) -> None:
        self.root, self.log, self.repository = clone, log, Repository(clone)
        home.mkdir()
        shutil.copy(Path(os.environ["HOME"]) / ".gitconfig", home)
        own = {"HOME": str(home), "AGENT_LOG": str(log), "HELIX_FLOW_DATABASE": database}
        self.env = {**os.environ, **own}

    @property
    def place(self) -> FlowPlace:
        return place_of(str(self.root), self.env, approvals_here(str(self.root)).flow)


class Team:
    """A bare repository and two machines, whose clones are on two file systems."""

    def __init__(self, folder: Path, other: Path, flow: str, postgres: Postgres) -> None:
        (folder / "first").mkdir()
        scene = Scene(Repository(folder / "first"), flow, folder / "log")
        scene.repository.stage("config/approvals.yaml", SETTINGS)
        scene.repository.commit()
        self.bare = folder / "bare.git"
        git("clone", "--quiet", "--bare", str(scene.root), str(self.bare))
        database = postgres.url()
        self.machines = []
        for place in (folder / "one", other / "another"):
            place.mkdir()
            git("clone", "--quiet", str(self.bare), str(place / "clone"))
            machine = Machine(place / "clone", place / "home", folder / "log", database)
            self.machines.append(machine)

    def at_remote(self, *arguments: str) -> str:
        return git("--git-dir", str(self.bare), *arguments)


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def other() -> Iterator[Path]:
    """A folder on another file system, where there is one."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        yield Path(folder)


def ends(machines: list[Machine], workers: list[Begun]) -> None:
    for worker in workers:
        worker.kill(signal.SIGTERM)
        assert worker.end().returncode in (0, 3)
    for machine in machines:
        until(partial(is_left_alone, machine))


def signal_all(pids: list[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def is_left_alone(machine: Machine) -> bool:
    return not machine.processes()


def until_approved(team: Team, machine: Machine, run: str, worker: Begun) -> None:
    try:
        until(lambda: machine.outcome(run) == "approved", PATIENCE)
    except AssertionError:
        lines = [
            machine.call("flow", "status", run).stdout,
            f"worker {worker.pid}: {worker.errors()}",
        ]
        for number, one in enumerate(team.machines):
            for line in one.processes():
                stat = Path(f"/proc/{line.split()[0]}/stat").read_text()
                lines.append(f"machine {number}: {line} {stat.rpartition(')')[2].split()[:2]}")
        with contextlib.closing(engine_of(machine.place).connect()) as connection:
            for query in _QUERIES:
                lines += [str(row) for row in connection.execute(sa.text(query))]
        raise AssertionError("\n".join(lines)) from None


def subjects(team: Team, run: str) -> list[str]:
    """Return the subjects of a run's commits at the remote, oldest first."""
    log = team.at_remote(
        "log", "--reverse", "--format=%s", f"refs/heads/main..refs/helix/runs/{run}"
    )
    return log.splitlines()


def test_a_worker_with_another_clone_takes_over(
    tmp_path: Path, other: Path, postgres: Postgres
) -> None:
    team = Team(tmp_path, other, DIAMOND, postgres)
    here, there = team.machines
    here.env["AGENT_SECONDS"] = "1"
    process = here.begin("run", "phases.yaml")
    until(lambda: here.begun("b"))
    run = here.newest()
    status = here.call("flow", "status").stdout
    assert "executed by " in status
    pids = descendants(process.pid)
    process.kill()
    signal_all(pids, signal.SIGKILL)
    process.end()
    worker = there.begin("worker")
    until_approved(team, here, run, worker)
    assert len(here.begun("a")) == 1, "an approved phase runs once"
    done = here.call("flow", "apply")
    assert done.returncode == 0, done.stderr
    for phase in "abcd":
        assert (here.root / "out" / f"{phase}.txt").read_text() == f"by {phase}\n"
    assert team.at_remote("branch", "--format=%(refname)") == "refs/heads/main\n"
    names = [line for line in subjects(team, run) if line.endswith(": approved")]
    assert sorted(name.split()[0] for name in names) == ["a", "b", "c", "d"], "each once"
    ends([here, there], [worker])


def test_a_process_that_slept_too_long_ends_without_effect(
    tmp_path: Path, other: Path, postgres: Postgres
) -> None:
    """Its runs belong to another process, which continued them."""
    team = Team(tmp_path, other, DIAMOND, postgres)
    here, there = team.machines
    here.env["AGENT_SECONDS"] = "1"
    process = here.begin("run", "phases.yaml")
    until(lambda: here.begun("b"))
    run = here.newest()
    pids = [process.pid, *descendants(process.pid)]
    signal_all(pids, signal.SIGSTOP)
    worker = there.begin("worker")
    until_approved(team, there, run, worker)
    at_remote = team.at_remote("rev-parse", f"refs/helix/runs/{run}")
    signal_all(pids, signal.SIGCONT)
    done = process.end()
    assert done.returncode in (0, 3), done.stderr
    assert "Traceback" not in done.stderr
    assert team.at_remote("rev-parse", f"refs/helix/runs/{run}") == at_remote
    assert len(here.begun("a")) == 1 and len(here.begun("d")) == 1
    ends([here, there], [worker])


def test_a_run_goes_from_machine_to_machine_and_back(
    tmp_path: Path, other: Path, postgres: Postgres
) -> None:
    """Each continues with the files of the other, and leaves nothing of its own behind."""
    phases = "".join(
        f'  - {{id: p{n}, type: writer, run: [sh, -c, "mkdir -p out; cat out/*.txt | sort > seen-{n}; echo {n} > out/{n}.txt; test -f go-{n} -o -n \\"$GO\\""], output: [out/{n}.txt, seen-{n}]}}\n'
        for n in range(3)
    )
    team = Team(tmp_path, other, f"phases:\n{phases}", postgres)
    here, there = team.machines
    assert here.run().returncode == 4, "p0 fails, and a person must decide"
    run = here.newest()

    def retry(machine: Machine, phase: str) -> None:
        number = machine.state(run).phases[phase].number
        ann = Decider("Ann", verified=False)
        client.send(machine.place, run, PersonDecided(RETRY, phase, number, ann))

    (here.tree(run) / "left-over.txt").write_text("of an earlier try\n")
    retry(there, "p0")
    done = there.call("worker", "--until-idle", "--quiet", GO="1")
    assert done.returncode == 0, done.stderr
    assert there.outcome(run) == "approved"
    state = json.loads(here.call("flow", "status", "--format", "json").stdout)
    seen = team.at_remote("show", f"{state['commit']}:seen-2")
    assert seen == "0\n1\n"
    assert here.call("flow", "apply").returncode == 0
    assert (here.root / "out" / "2.txt").read_text() == "2\n"
    assert not (here.root / "left-over.txt").exists(), "it was in no task of the run"


def test_uncommitted_changes_stay_on_the_machine(
    tmp_path: Path, other: Path, postgres: Postgres
) -> None:
    team = Team(tmp_path, other, DIAMOND, postgres)
    here = team.machines[0]
    here.repository.write("writer.sh", (here.root / "writer.sh").read_text() + "# a secret\n")
    done = here.run()
    assert done.returncode == 2, done.stderr
    assert "writer.sh is not committed" in done.stderr and "--push-uncommitted" in done.stderr
    assert team.at_remote("for-each-ref", "refs/helix") == ""
    done = here.run("--push-uncommitted", "--apply")
    assert done.returncode == 0, done.stderr
    assert "with your uncommitted changes of writer.sh" in done.stderr


def test_what_is_at_the_remote_does_not_count(
    tmp_path: Path, other: Path, postgres: Postgres
) -> None:
    """Attack in a flow: push something else to the ref of the run, for the next machine to continue with.
    Answer: a machine takes the commit whose id the run has stored, and the next push replaces the other.
    """
    flow = """phases:
  - {id: a, type: writer, run: [sh, writer.sh], output: [out/a.txt]}
  - {id: b, type: writer, run: [sh, -c, "git push -q -f origin HEAD:refs/helix/runs/$HELIX_RUN; echo b > out/b.txt"], output: [out/b.txt]}
  - {id: c, type: writer, run: [sh, writer.sh], output: [out/c.txt]}
"""
    team = Team(tmp_path, other, flow, postgres)
    here = team.machines[0]
    done = here.run("--apply")
    assert done.returncode == 0, done.stderr
    run = here.newest()
    assert subjects(team, run) == ["a 1: approved", "b 1: approved", "c 1: approved"]
    assert (here.root / "out" / "b.txt").read_text() == "b\n"


@pytest.mark.further
def test_a_remote_that_is_away(tmp_path: Path, other: Path, postgres: Postgres) -> None:
    team = Team(tmp_path, other, DIAMOND, postgres)
    here = team.machines[0]
    team.bare.rename(tmp_path / "away.git")
    done = here.run()
    assert done.returncode == 3, done.stderr
    assert "git push to origin failed" in done.stderr and here.said() == []


@pytest.mark.parametrize(
    ("seed", "kills"),
    [(1, 4), *(pytest.param(seed, 20, marks=pytest.mark.soak) for seed in (2, 3))],
)
def test_killed_workers_on_two_machines(
    tmp_path: Path, other: Path, postgres: Postgres, seed: int, kills: int
) -> None:
    chance = random.Random(seed)
    team = Team(tmp_path, other, DIAMOND, postgres)
    here, there = team.machines
    for machine in team.machines:
        machine.env["AGENT_SECONDS"] = "0.3"
    workers = [here.begin("run", "phases.yaml"), there.begin("worker")]
    until(lambda: "helix-hooks: run " in workers[0].errors())
    run = workers[0].errors().split()[2]
    for _ in range(kills):
        time.sleep(chance.random() * 2)
        number = chance.randrange(2)
        kill(workers[number], chance)
        workers[number].end()
        workers[number] = team.machines[number].begin("worker")
    until(lambda: here.outcome(run) == "approved", 120)
    ends(team.machines, workers)
    commit = here.call("flow", "status", run, "--format", "json").stdout
    last = json.loads(commit)["commit"]
    assert team.at_remote("rev-parse", f"refs/helix/runs/{run}").strip() == last
    names = [line for line in subjects(team, run) if line.endswith(": approved")]
    assert sorted(name.split()[0] for name in names) == ["a", "b", "c", "d"], "each phase once"
    (tmp_path / "calm").mkdir()
    calm = Scene(Repository(tmp_path / "calm"), DIAMOND, tmp_path / "calm.log")
    assert calm.run().returncode == 0
    assert shape(here.state(run)) == shape(calm.state())
    paths = ["out/a.txt", "out/b.txt", "out/c.txt", "out/d.txt"]
    files = team.at_remote("ls-tree", "-r", "--name-only", last, "--", "out").split()
    assert files == paths
    for path in paths:
        assert team.at_remote("show", f"{last}:{path}") == (calm.tree() / path).read_text()


@pytest.mark.further
def test_a_worker_tries_again_when_the_remote_is_back(
    tmp_path: Path,
    other: Path,
    postgres: Postgres,
) -> None:
    team = Team(tmp_path, other, DIAMOND, postgres)
    here = team.machines[0]
    here.env["AGENT_SECONDS"] = "1"
    worker = here.begin("worker")
    run = here.run("--detach").stdout.strip()
    until(lambda: here.begun("a"))
    away = tmp_path / "away.git"
    team.bare.rename(away)
    until(lambda: "git push to origin failed" in worker.errors(), 60)
    away.rename(team.bare)
    until(lambda: here.outcome(run) == "approved", 90)
    assert len(here.begun("a")) == 1
    ends([here], [worker])
