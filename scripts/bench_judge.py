"""Measure the cost of a judge beside its own time: the real claude CLI alone and under `approve`,
on one scripted conversation.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.fakes.scripted_model import Model, Reply, Request, answer, tool_use, turn

TURNS, TYPES, CACHED = 9, 3, 15
HOLD = 5.0
"""Seconds for which the model holds each answer, where several types run at once."""
FILES = 200
"""Of the repository: half of them ADRs."""

SHARED_MEMORY = "/dev/shm"
"""Where the folders of the runs lie, if the system has it. ext4 looks for a place past every inode
that was deleted in the last minutes: runs right after one another cost up to 0.2 s more there,
which a run on its own does not.
"""

CONFIG = """\
approvals:
  adr: {}
  code: {paths: ["src/**"], checks: [tests]}
  security: {paths: ["src/**"], checks: [secrets]}
"""
ADR = """\
# {0}. Decision {0}

## Status

Accepted

## Context

Three services exchange orders over HTTP, and orders are lost when one of them is down for a while.

## Decision

We will send orders of kind {0} over a broker, since it keeps them until each service has read them.

## Consequences

Orders survive a service that is down; somebody has to run the broker, and pays for it every month.
"""
Row = tuple[str, str, float, float]


def rows(scratch: Path, programs: Path) -> list[Row]:
    """The rows of the judge; none where no claude CLI is at hand."""
    claude = _claude()
    if not claude:
        print(
            "the judge was not measured: there is no claude CLI (pip install "
            "claude-agent-sdk brings one)"
        )
        return []
    place = _repository(scratch / "judged")
    with tempfile.TemporaryDirectory(
        dir=SHARED_MEMORY if os.path.isdir(SHARED_MEMORY) else None
    ) as folders:
        os.environ["TMPDIR"] = folders
        return [
            _beside(scratch, programs, place, claude),
            _at_once(programs, place, claude),
            _cached(programs, place, claude),
        ]


def _claude() -> str:
    try:
        import claude_agent_sdk
    except ImportError:
        return shutil.which("claude") or ""
    bundled = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
    return str(bundled) if bundled.exists() else ""


def _repository(place: Path) -> Path:
    for folder in ("docs/adr", "src", "config"):
        (place / folder).mkdir(parents=True)
    for number in range(1, FILES // 2 + 1):
        (place / f"docs/adr/{number:04}-decision.md").write_text(
            ADR.format(number), encoding="utf-8"
        )
        (place / f"src/part_{number}.py").write_text(f"PART = {number}\n", encoding="utf-8")
    (place / "config/approvals.yaml").write_text(CONFIG, encoding="utf-8")
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for command in (
        ["init", "--quiet", "--initial-branch", "main"],
        ["add", "."],
        [*identity, "commit", "--quiet", "--message", "all"],
        ["checkout", "--quiet", "-b", "change"],
    ):
        subprocess.run(["git", *command], cwd=place, check=True)
    (place / "docs/adr/0201-new.md").write_text(
        ADR.format(201).replace("Accepted", "Proposed"), encoding="utf-8"
    )
    (place / "src/part_1.py").write_text("PART = 201\n", encoding="utf-8")
    for command in (["add", "."], [*identity, "commit", "--quiet", "--message", "change"]):
        subprocess.run(["git", *command], cwd=place, check=True)
    return place


def _conversation(hold: float = 0) -> Callable[[Request], Reply]:
    """Four turns with twelve calls of tools; held, two turns with one."""

    def script(request: Request) -> Reply:
        (tool,) = (tool for tool in request["tools"] if tool["name"] == "StructuredOutput")
        properties = tool["input_schema"]["properties"]
        files = properties["files"]["items"]["enum"]
        step = turn(request) + (2 if hold else 0)
        if step < 3:
            reads = [
                tool_use("Read", {"file_path": path})
                for path in (*files, "docs/adr/0001-decision.md", "docs/adr/0002-decision.md")
            ]
            return Reply(
                (tool_use("Grep", {"pattern": "broker", "path": "docs"}), *reads), hold=hold
            )
        checks = dict.fromkeys(properties["checks"]["required"], "passed")
        plain = {
            "result": "approved",
            "confidence": 0.95,
            "summary": "Sound.",
            "findings": [],
            "recommendations": [],
        }
        return answer({**plain, "checks": checks, "files": files})._replace(hold=hold)

    return script


def _environment(claude: Path, model: Model) -> dict[str, str]:
    """With a claude in a folder, and a model."""
    ours = {
        "PATH": f"{claude}{os.pathsep}{os.environ['PATH']}",
        "ANTHROPIC_API_KEY": "sk-bench",
        "ANTHROPIC_BASE_URL": model.url,
    }
    return {
        key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"
    } | ours


def _approve(programs: Path, place: Path, claude: str, model: Model, *more: str) -> float:
    environment = _environment(Path(claude).parent, model)
    start = time.perf_counter()
    done = subprocess.run(
        [programs / "helix-hooks", "approve", "--base", "main", *more],
        cwd=place,
        env=environment,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(
            f"approve ended with {done.returncode}: {done.stdout.decode()}{done.stderr.decode()}"
        )
    return time.perf_counter() - start


def _beside(scratch: Path, programs: Path, place: Path, claude: str) -> Row:
    """`approve` against the CLI alone, with the same flags, in a folder that a run has left."""
    with Model(_conversation()) as model:
        bare = _bare(scratch, programs, place, claude, model)
        times = [
            (bare(), _approve(programs, place, claude, model, "--type", "adr", "--no-cache"))
            for _ in range(TURNS + 1)
        ][1:]
    alone, ours = (statistics.median(kept) for kept in zip(*times, strict=True))
    print(
        f"a judge: claude alone {alone:.2f} s, approve {ours:.2f} s, "
        f"{ours - alone:.2f} s more (medians of {TURNS}; {FILES} files)"
    )
    return (
        "approve, beside its judge",
        "0.3 s, or 15 % of the bare CLI run",
        (ours - alone) / max(0.3, 0.15 * alone),
        1.0,
    )


def _bare(
    scratch: Path, programs: Path, place: Path, claude: str, model: Model
) -> Callable[[], float]:
    """The very command and environment of a run, taken from a stand-in that writes them down; with
    a new home each time, as a judge has.
    """
    stand_in, seen = scratch / "stand-in", scratch / "seen.json"
    stand_in.mkdir()
    lines = [
        f"#!{sys.executable}", "import json, os, sys",
        "if '--version' in sys.argv: print('2.1.330'); raise SystemExit",
        f"json.dump([sys.argv[1:], dict(os.environ), os.getcwd()], open({str(seen)!r}, 'w'))",
    ]  # fmt: skip
    (stand_in / "claude").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (stand_in / "claude").chmod(0o755)
    environment = _environment(stand_in, model)
    command = [
        programs / "helix-hooks",
        "approve",
        "--base",
        "main",
        "--type",
        "adr",
        "--no-cache",
        "--keep-workspace",
    ]
    subprocess.run(command, cwd=place, env=environment, capture_output=True, check=False)
    arguments, given, folder = json.loads(seen.read_text())

    def run() -> float:
        words = [
            re.sub(
                r"^[0-9a-f-]{36}$",
                f"{time.time_ns():032x}"[-32:-24]
                + "-0000-4000-8000-"
                + f"{time.time_ns():012x}"[-12:],
                word,
            )
            for word in arguments
        ]
        shutil.rmtree(given["HOME"])
        Path(given["HOME"]).mkdir()
        start = time.perf_counter()
        with Path(folder, "../judge/prompt.md").open("rb") as prompt:
            subprocess.run(
                [claude, *words],
                cwd=folder,
                env=given,
                stdin=prompt,
                capture_output=True,
                check=True,
            )
        return time.perf_counter() - start

    return run


def _at_once(programs: Path, place: Path, claude: str) -> Row:
    with Model(_conversation(HOLD)) as model:
        one = [
            _approve(programs, place, claude, model, "--type", "adr", "--no-cache")
            for _ in range(TYPES)
        ]
        three = [_approve(programs, place, claude, model, "--no-cache") for _ in range(TYPES)]
    alone, together = statistics.median(one), statistics.median(three)
    print(
        f"three types at once, {HOLD:.0f} s for each answer: one {alone:.2f} s, three "
        f"{together:.2f} s (medians of {TYPES})"
    )
    return "three approval types at once", "one", together / alone, 1.3


def _cached(programs: Path, place: Path, claude: str) -> Row:
    with Model(_conversation()) as model:
        check = [programs / "helix-hooks", "check", "docs/adr/0201-new.md"]
        environment = {
            key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"
        }
        plain, kept = [], []
        for _ in range(CACHED + 1):
            start = time.perf_counter()
            subprocess.run(check, cwd=place, env=environment, capture_output=True, check=True)
            plain.append(time.perf_counter() - start)
            kept.append(_approve(programs, place, claude, model, "--type", "adr"))
        asked = len(model.requests)
    one, cached = statistics.median(plain[1:]), statistics.median(kept[1:])
    print(
        f"cached verdict: check {one * 1000:.0f} ms, approve {cached * 1000:.0f} ms, "
        f"{asked} requests in {CACHED + 1} runs (medians of {CACHED})"
    )
    return "a cached verdict", "check of the same ADR", cached / one, 3.0
