"""Measure the engine of flows: what it adds to each phase beside the phase's own steps, and launch.

A step is timed where it is asked for, so with its process. The rest is the engine: its records,
the events, and the wake-up of what comes next.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

Row = tuple[str, str, float, float]


class _Timed(NamedTuple):
    """Seconds from the first event to the last without those of the steps, and processor time."""

    engine: float
    cpu: float


PHASES, RUNS = 10, 5
PER_PHASE, BESIDE = 0.05, 0.75
"""Seconds."""
ALONE = """
import sys
from dbos import DBOS
DBOS(config={"name": "alone", "system_database_url": f"sqlite:///{sys.argv[1]}",
             "log_level": "CRITICAL", "enable_otlp": False})
@DBOS.step()
def step(): return 1
@DBOS.workflow()
def workflow(): return step()
DBOS.launch()
workflow()
DBOS.destroy()
"""
"""A program that runs one empty step."""
IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")


def rows(scratch: Path) -> list[Row]:
    """Return the rows. Runs of one phase and of eleven are timed in turn."""
    place = scratch / "flow"
    few, many = _repository(place / "few", 1), _repository(place / "many", PHASES + 1)
    pairs = [(_timed(few), _timed(many)) for _ in range(RUNS)]
    engine = [(long.engine - short.engine) / PHASES for short, long in pairs]
    cpu = [(long.cpu - short.cpu) / PHASES for short, long in pairs]
    start = [short.cpu for short, _ in pairs]
    alone = [_alone(place / f"{number}.sqlite") for number in range(RUNS)]
    beside = statistics.median(start) - statistics.median(alone)
    print(
        f"flow: the engine takes {statistics.median(engine) * 1000:.0f} ms a phase; a phase with "
        f"its processes {statistics.median(cpu) * 1000:.0f} ms of processor time; a whole run of "
        f"one phase {statistics.median(start):.2f} s of it, DBOS alone "
        f"{statistics.median(alone):.2f} s"
    )
    return [
        ("engine, each phase of a flow", "50 ms", statistics.median(engine) / PER_PHASE, 1.0),
        ("a run of one phase, beside DBOS alone", f"{BESIDE:g} s", beside / BESIDE, 1.0),
    ]


def _repository(place: Path, count: int) -> Path:
    """Write a flow of phases whose files are there, one after the other."""
    place.mkdir(parents=True)
    phases = [
        f"  - {{id: p{number}, type: x, run: [touch, out/{number}], output: [out/{number}]}}\n"
        for number in range(count)
    ]
    (place / "phases.yaml").write_text(f"phases:\n{''.join(phases)}", encoding="utf-8")
    (place / "out").mkdir()
    for number in range(count):
        (place / "out" / f"{number}").write_text("x\n", encoding="utf-8")
    for command in (
        ["init", "--quiet"], ["add", "."], [*IDENTITY, "commit", "--quiet", "--message", "x"],
    ):  # fmt: skip
        subprocess.run(["git", *command], cwd=place, check=True)
    return place


def _alone(database: Path) -> float:
    """Return the processor time of a program that only starts DBOS."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", ALONE, str(database)]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _timed(place: Path) -> _Timed:
    program = Path(sys.executable).parent / "helix-hooks"
    left_out = ("PYTHONDONTWRITEBYTECODE", "GITHUB_TOKEN", "GH_TOKEN", "HELIX_FLOW_DATABASE")
    environment = {name: text for name, text in os.environ.items() if name not in left_out}
    state = place.parent / f"{place.name}-state"
    environment["XDG_STATE_HOME"] = str(state)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [program, "run", "phases.yaml", "--quiet"],
        cwd=place, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"run ended with {done.returncode}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    newest = max(state.glob("helix-hooks/*/*"))
    events = [json.loads(line) for line in (newest / "events.jsonl").read_text().splitlines()]
    whole = events[-1]["time"] - events[0]["time"]
    return _Timed(
        engine=whole - events[-1]["seconds"],
        cpu=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    )
