"""`make demo`, played with the environment of the tests."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

BIN = Path(sys.executable).parent


def test_the_demo_tells_its_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_ENVIRONMENT", str(tmp_path))
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    done = subprocess.run(
        [ROOT / "scripts" / "demo.sh"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    said = iter(re.sub(r"\x1b\[[\d;]*m", "", done.stdout).splitlines())
    for line in (
        "error: 6 of 6 ADRs here have `## Consequences`, this one does not [unlike-siblings]",
        "helix-adr................................................................Passed",
        "The check `helix`: failure. Author to fix: 1 error",
        "The check `helix`: action_required. Waiting for a maintainer: approve adr",
        "The check `helix`: success. Approved by",
        "| agent: All of ADR-7 is done.",
        "| agent: I have written the test. ADR-7 is done.",
        "verified (7. Couriers take a photo of each parcel): 1 shown of 1 promise",
        "1 decision waits, 1 of them for you (demo)",
    ):
        assert any(line in one for one in said), line
    page = (tmp_path / "queue.html").read_text(encoding="utf-8")
    assert "Deploy the courier app 2.0" in page and "<script" not in page and "<style>" in page


def test_the_last_command_of_the_demo_works_as_printed(tmp_path: Path) -> None:
    script = (ROOT / "scripts" / "demo.sh").read_text(encoding="utf-8")
    (command,) = re.findall(r'^echo "  \$installed/(bin/helix-hooks .*)"$', script, re.MULTILINE)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    adr = next((ROOT / "scripts" / "demo" / "accepted").iterdir())
    (tmp_path / "docs" / "adr").mkdir(parents=True)
    (tmp_path / "docs" / "adr" / adr.name).write_bytes(adr.read_bytes())
    path, *words = command.split()
    done = subprocess.run(
        [BIN.parent / path, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "1 ADR checked: no findings\n")
    left = {item.name for item in tmp_path.iterdir()}
    assert left == {".git", "docs"}
