"""Measure the engine of flows: ten trivial phases, and what one of them adds to the start."""

import contextlib
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

Row = tuple[str, str, float, float]
PHASES, RUNS = 10, 5
PER_PHASE, LAUNCH = 0.05, 1.0
"""Seconds."""
IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")


def rows(scratch: Path) -> list[Row]:
    """Processor time of whole processes, and wall time of launching, with one phase and with ten.

    The phases have neither a command nor a gate that reads more than a file.
    """
    place = scratch / "flow"
    few, many = _repository(place / "few", 1), _repository(place / "many", PHASES + 1)
    pairs = [(_seconds(few), _seconds(many)) for _ in range(RUNS)]
    cpu = statistics.median(long[0] - short[0] for short, long in pairs) / PHASES
    wall = statistics.median(long[1] - short[1] for short, long in pairs) / PHASES
    start = statistics.median(short[0] for short, _ in pairs)
    print(
        f"flow: a phase costs {cpu * 1000:.0f} ms of processor time and {wall * 1000:.0f} ms of "
        f"wall time; a whole run of one phase {start:.2f} s of processor time"
    )
    return [
        ("a trivial phase of a flow, wall time", "50 ms", wall / PER_PHASE, 1.0),
        ("a run of one phase, processor time", "1 s", start / LAUNCH, 1.0),
    ]


def _repository(place: Path, count: int) -> Path:
    """Write a flow of phases whose files are there, one after the other."""
    place.mkdir(parents=True)
    phases = [
        f"  - {{id: p{number}, type: writer, run: ['true'], output: [out/{number}.txt]}}\n"
        for number in range(count)
    ]
    (place / "phases.yaml").write_text(f"phases:\n{''.join(phases)}", encoding="utf-8")
    (place / "out").mkdir()
    for number in range(count):
        (place / "out" / f"{number}.txt").write_text("x\n", encoding="utf-8")
    for command in (
        ["init", "--quiet"], ["add", "."], [*IDENTITY, "commit", "--quiet", "--message", "x"],
    ):  # fmt: skip
        subprocess.run(["git", *command], cwd=place, check=True)
    return place


def _seconds(place: Path) -> tuple[float, float]:
    """Return processor time and wall time of a run."""
    program = Path(sys.executable).parent / "helix-hooks"
    environment = dict(os.environ)
    for name in ("PYTHONDONTWRITEBYTECODE", "GITHUB_TOKEN", "GH_TOKEN", "HELIX_FLOW_DATABASE"):
        with contextlib.suppress(KeyError):
            del environment[name]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [program, "run", "phases.yaml", "--quiet"],
        cwd=place, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"run ended with {done.returncode}: {done.stderr}")
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall
