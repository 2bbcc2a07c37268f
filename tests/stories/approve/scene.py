"""A change that a judge is asked about, and what is left of it."""

import contextlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema

from tests.conftest import ROOT, Repository

ADR = "docs/adr/0007-kafka.md"
SECOND = "agents: {second: {command: stand-in}}\ndefaults: {agent: second, max_retries: 0}\n"
AT_ONCE = "defaults: {retry_delay: 0}\n"
"""Settings by which a judge that failed is asked again without a pause."""
APPROVES: dict[str, Any] = {"as": "claude", "result": {}}
"""What a stand-in does that approves as the claude CLI does."""

Place = Callable[..., dict[str, str]]


def main_has(repository: Repository, path: str, text: str) -> None:
    """Put a file into what the change is measured by."""
    repository.git("checkout", "--quiet", "main")
    repository.stage(path, text)
    repository.commit()
    repository.git("checkout", "--quiet", "change")
    repository.git("rebase", "--quiet", "main")


def outcome(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    schema = json.loads((ROOT / "helix_hooks/schemas/approval-result.json").read_text())
    for verdict in found["approvals"]:
        jsonschema.validate(verdict, schema)
    return found


def left_behind() -> list[str]:
    """Return the judges of this very test that run, with what they started.

    Tests beside this one, on the same machine, have judges too: ours are known by the test's folder.
    """
    assert Path.cwd().name == "repository", "which lies in the folder of its test"
    ours = str(Path.cwd().parent)
    return [line for line in _processes() if ours in line and str(os.getpid()) != line.split()[0]]


def _processes() -> list[str]:
    """Return number, folder and command of each process; the folder only where /proc has it."""
    if not os.path.isdir("/proc/self/task"):
        command = ["ps", "-eo", "pid=,args="]
        return subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.splitlines()
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile, or is somebody else's
            command_line = (place / "cmdline").read_bytes().replace(b"\0", b" ")
            found.append(f"{place.name} {os.readlink(place / 'cwd')} {os.fsdecode(command_line)}")
    return found
