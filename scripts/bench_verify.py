"""Measure a verification without a judge: an ADR that promises 50 files, and an agent's stop."""

import json
import os
import statistics
import subprocess
import time
from functools import partial
from pathlib import Path

Row = tuple[str, str, float, float]
FILES, COMMITS, RUNS = 50, 200, 9
SECONDS = 0.3
PATH = "docs/adr/014-use-kafka.md"
PAYLOAD = {
    "session_id": "bench",
    "transcript_path": "/dev/null",
    "permission_mode": "default",
    "hook_event_name": "Stop",
    "stop_hook_active": False,
    "last_assistant_message": "Done.",
}
IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")


def rows(scratch: Path, programs: Path) -> list[Row]:
    """Processor time and waiting count: these are times of whole processes."""
    root = scratch / "verify"
    root.mkdir()
    _lay_out(root)
    payload = json.dumps({**PAYLOAD, "cwd": str(root)})
    program = str(programs / "helix-hooks")
    verify = partial(_seconds, [program, "verify", "ADR-014"], root)
    claimed = partial(_seconds, [program, "verify", "--hook", "claude"], root, payload)
    _git(root, "checkout", "--quiet", "--detach", "HEAD^")
    unclaimed = partial(_seconds, [program, "verify", "--hook", "claude"], root, payload)
    nothing = _median(unclaimed)
    _git(root, "checkout", "--quiet", "work")
    whole, stop = _median(verify), _median(claimed)
    print(
        f"verify: {FILES} files {whole:.3f} s, stop {stop:.3f} s, nothing claimed {nothing:.3f} s"
    )
    return [
        (f"verify, {FILES} files, no judge", "0.3 s", whole / SECONDS, 1.0),
        ("a stop of an agent, work claimed", "verify", stop / whole, 1.4),
        ("a stop of an agent, nothing claimed", "0.3 s", nothing / SECONDS, 1.0),
    ]


def _lay_out(root: Path) -> None:
    """Write a repository with a history, an accepted ADR, and a branch that implements it."""
    created = [f"src/part{number}.py" for number in range(FILES)]
    listed = "".join(f"    - {path}\n" for path in created)
    criteria = "".join(f"- [ ] `{path}` is there\n" for path in created[:10])
    head = (
        f'---\nadr_id: "014"\ntitle: Use Kafka\nstatus: Accepted\nfiles:\n  create:\n{listed}---\n'
    )
    body = f"# ADR-014: Use Kafka\n\n## Decision\n\nKafka.\n\n## Acceptance Criteria\n\n{criteria}"
    _git(root, "init", "--quiet", "--initial-branch", "main")
    for number in range(COMMITS):
        _write(root / "src" / f"old{number}.py", "x = 1\n")
        _commit(root, f"Change {number}")
    _write(root / PATH, head + body)
    _commit(root, "Accept")
    _git(root, "checkout", "--quiet", "-b", "work")
    _commit(root, "Begin")
    for path in created:
        _write(root / path, "def part(value):\n    return [item for item in value if item]\n" * 40)
    _commit(root, "Use Kafka\n\nImplements: ADR-014")


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def _commit(root: Path, message: str) -> None:
    _git(root, "add", "--all")
    _git(root, *IDENTITY, "commit", "--quiet", "--allow-empty", "--message", message)


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True)


def _median(run: partial[float]) -> float:
    run()
    return statistics.median(run() for _ in range(RUNS))


def _seconds(command: list[str], root: Path, stdin: str = "") -> float:
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=root, env=variables, input=stdin, capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return seconds
