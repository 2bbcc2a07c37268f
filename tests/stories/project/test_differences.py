"""`make differences`: a change of the program is shown, and a version that can't run is no equal one."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

ADR = "# 1. Use Kafka\n\n## Status\n\nAccepted\n\n## Decision\n\nWe will use Kafka between the services.\n"
OWN = ("helix_hooks", "approvals", "config", "scripts", "docs/adr", "pyproject.toml")
MESSAGE = "helix_hooks/adr/rules/structure/section_missing.py"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The program in a repository of its own, with a corpus of one repository beside it."""
    root = tmp_path / "checkout"
    for name in OWN:
        place = ROOT / name
        copy = shutil.copytree if place.is_dir() else shutil.copy
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        copy(place, root / name)
    shutil.rmtree(root / "docs" / "adr")
    (root / "docs" / "adr").mkdir()
    (root / "docs" / "adr" / "0001-kafka.md").write_text(ADR, encoding="utf-8")
    corpus = tmp_path / "corpus" / "acme+shop" / "docs" / "adr"
    corpus.mkdir(parents=True)
    (corpus / "0001-kafka.md").write_text(ADR, encoding="utf-8")
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "all")
    return root


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True)


def differences(root: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    script = [sys.executable, "scripts/differences.py", "--no-pages", *arguments]
    return subprocess.run(
        [*script, "--corpus", str(root.parent / "corpus")],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.further
def test_a_change_of_a_message_is_shown(checkout: Path) -> None:
    same = differences(checkout, "main")
    assert (same.returncode, same.stderr) == (0, "")
    assert "repositories compared: no differences\n" in same.stdout
    place = checkout / MESSAGE
    text = place.read_text(encoding="utf-8")
    assert "is missing" in text
    place.write_text(text.replace("is missing", "is absent"), encoding="utf-8")
    done = differences(checkout, "main")
    assert done.returncode == 1
    for repository in ("own", "acme+shop"):
        assert f"after/repositories/{repository}/whole" in done.stdout
    assert "is absent" in done.stdout


@pytest.mark.slow
@pytest.mark.further
def test_a_version_that_can_not_run_is_not_compared(checkout: Path) -> None:
    (checkout / "helix_hooks" / "errors.py").write_text("1 +\n", encoding="utf-8")
    done = differences(checkout, "main")
    assert done.returncode == 3 and done.stderr.startswith("not compared: the version in ")
