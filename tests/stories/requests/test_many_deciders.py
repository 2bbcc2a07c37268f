"""Many deciders at once, some of whom are killed: each request is decided once, none is lost, and nobody is told a thing that is not so."""

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from helix_hooks.errors import HelixError
from helix_hooks.flow.place import FlowPlace
from helix_hooks.waiting.request import APPROVED, REJECTED
from tests.conftest import ROOT
from tests.fakes.trail import events
from tests.stories.requests.stored import asked, execute, faults, store

linux = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
SCRIPT = ROOT / "tests" / "fakes" / "deciders.py"


def decide(place: FlowPlace, log: Path, *, deciders: int, kills: int, pause: float, seed: int) -> None:  # fmt: skip
    given = {
        "place": [*place],
        "deciders": deciders,
        "kills": kills,
        "pause": pause,
        "seed": seed,
        "log": str(log),
    }
    done = subprocess.run(
        [sys.executable, str(SCRIPT), json.dumps(given)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def check(place: FlowPlace, log: Path, number: int, kills: int) -> None:
    assert faults(place) == ()
    told = [json.loads(line) for line in log.read_text().splitlines()]
    with store(place) as db:
        requests = db.requests(limit=10_000)
        trail = events(db)
    assert Counter(item.status in (APPROVED, REJECTED) for item in requests) == {True: number}
    ends = defaultdict(list)
    for event in trail:
        ends[event.request].append((event.kind, event.fields.get("by", "")))
    assert all(len(kinds) == 2 for kinds in ends.values()), "each was opened, and decided once"
    for line in told:
        status, winner = ends[line["id"]][1]
        mine = (APPROVED if line["approves"] else REJECTED, line["by"])
        if line["told"] in (APPROVED, REJECTED):
            assert (line["told"], line["by"]) == (status, winner) == mine
        else:
            assert f"was {status} by @{winner} on" in line["told"]
            assert mine != (status, winner)
    untold = {item.id for item in requests} - {line["id"] for line in told}
    assert len(untold) <= kills, "whoever decided was killed after the commit, before it was told"


def run(place: FlowPlace, log: Path, *, requests: int, deciders: int, kills: int, pause: float, seed: int) -> None:  # fmt: skip
    with store(place) as db:
        for number in range(requests):
            db.add(asked(f"Request {number}"))
    decide(place, log, deciders=deciders, kills=kills, pause=pause, seed=seed)
    check(place, log, requests, kills)


@linux
def test_four_deciders_at_once(place: FlowPlace, tmp_path: Path) -> None:
    run(place, tmp_path / "log", requests=30, deciders=4, kills=4, pause=0.15, seed=1)


@linux
@pytest.mark.further
def test_twenty_deciders_at_once(place: FlowPlace, tmp_path: Path) -> None:
    run(place, tmp_path / "log", requests=200, deciders=20, kills=25, pause=0.3, seed=2)


@linux
@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3, 13))
def test_many_kills(place: FlowPlace, tmp_path: Path, seed: int) -> None:
    run(place, tmp_path / "log", requests=200, deciders=20, kills=120, pause=0.1, seed=seed)


@linux
def test_several_processes_make_the_tables_at_once(place: FlowPlace, tmp_path: Path) -> None:
    if not place.is_shared:
        os.makedirs(place.folder)
    decide(place, tmp_path / "log", deciders=4, kills=0, pause=0, seed=1)
    with store(place) as db:
        assert db.requests() == ()
    with pytest.raises(HelixError, match="no events and no requests, so nothing was verified"):
        faults(place)


@linux
@pytest.mark.further
def test_tables_that_a_killed_process_has_begun(place: FlowPlace, tmp_path: Path) -> None:
    for seed in range(4):
        decide(place, tmp_path / "log", deciders=3, kills=3, pause=0.05, seed=seed)
    with store(place) as db:
        db.add(asked())
    assert faults(place) == ()
    execute(place, "DROP VIEW helix_decided", "DROP TABLE helix_requests")
