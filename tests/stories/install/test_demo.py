"""The demo's parts that need no installation, played as `make demo` plays them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository

HOUSE = ROOT / "scripts" / "demo" / "house"
BIN = Path(sys.executable).parent
ADR = "docs/adr/0007-couriers-take-a-photo.md"


@pytest.fixture
def team(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The team's six ADRs, and a judge that stands in for one."""
    programs = tmp_path / "bin"
    programs.mkdir()
    shutil.copy(ROOT / "scripts" / "stand_in_judge.py", programs / "stand-in-judge")
    path = [str(BIN), str(programs), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(path))
    shutil.copytree(HOUSE / "accepted", repository.root / "docs" / "adr")
    (repository.root / "config").mkdir()
    shutil.copy(HOUSE / "approvals.yaml", repository.root / "config")
    repository.git("add", "--all")
    return repository


def play(*command: str | Path) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def write(repository: Repository, version: str) -> None:
    repository.stage(ADR, (HOUSE / "new" / version).read_text(encoding="utf-8"))


def test_a_missing_section_of_an_own_style_is_caught(team: Repository) -> None:
    code, out = play("helix-hooks", "init")
    assert code == 0 and "6 ADRs in docs/adr, a style of their own; a new ADR must have" in out
    team.write(".helix-hooks.yaml", (HOUSE / "helix-hooks.yaml").read_text(encoding="utf-8"))
    assert play("helix-hooks", "check", "--fail-on", "warning")[0] == 0
    write(team, "1-lacks-a-section.md")
    code, out = play("helix-hooks", "check")
    assert code == 1 and out.count("error:") == 1
    assert "the section 'What we gave up' is missing [section-missing]" in out


VERSIONS = {
    "2-keeps-photos.md": (1, "failure", "nothing says for how long"),
    "3-deletes-photos.md": (4, "action_required", "Waiting for a maintainer"),
}


def test_the_script_expects_these_exit_codes() -> None:
    expected = {"refused": 1, "pending": 4, "run": 0}
    script = (ROOT / "scripts" / "demo.sh").read_text(encoding="utf-8")
    codes = [
        expected[line.split()[0]]
        for line in script.splitlines()
        if line.endswith(" helix-hooks approve --base main")
    ]
    assert codes == [code for code, _, _ in VERSIONS.values()]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.further
def test_the_stand_in_answers_and_the_page_shows_it(team: Repository, version: str) -> None:
    code, conclusion, said = VERSIONS[version]
    play("helix-hooks", "init")
    team.git("add", "--all")
    team.commit()
    team.git("switch", "--quiet", "--create", "photos")
    write(team, version)
    team.commit()
    ended, out = play("helix-hooks", "approve", "--base", "main")
    assert ended == code and "(stand-in, no model)" in out, out
    page = ROOT / "scripts" / "demo_page.py"
    ended, out = play(sys.executable, page, ".", "main", "photos")
    assert ended == 0 and out.startswith(f"The check `helix`: {conclusion}."), out
    assert said in out and "(stand-in, no model)" in out
    assert not [mark for mark in ("<!--", "<sub>", "<br>", "|---") if mark in out]
