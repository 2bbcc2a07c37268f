"""The release workflow: its own checks run here, and only trusted publishing has rights."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from helix_hooks import __version__
from tests.conftest import ROOT

WORKFLOW: dict[str, Any] = yaml.safe_load(
    (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
)
JOBS = WORKFLOW["jobs"]
CHECKS = {step["name"]: step["run"] for step in JOBS["build"]["steps"] if "name" in step}
NOTES = f"# Changes\n\n## [{__version__}] - 2026-12-01\n\nThe first release.\n"
RELEASED = {
    "the tag and the changelog": (f"v{__version__}", NOTES, {*CHECKS}),
    "a tag of another version": ("v9.9.9", NOTES, set()),
    "nothing in the changelog": (
        f"v{__version__}",
        "# Changes\n\n## [Unreleased]\n",
        {"the tag is the version"},
    ),
}


@pytest.mark.parametrize(("tag", "notes", "passing"), RELEASED.values(), ids=RELEASED)
def test_a_tag_must_be_the_version_and_in_the_changelog(
    tag: str, notes: str, passing: set[str], tmp_path: Path
) -> None:
    (tmp_path / "CHANGELOG.md").write_text(notes, encoding="utf-8")
    (tmp_path / "helix_hooks").symlink_to(ROOT / "helix_hooks")
    assert passing == {name for name, script in CHECKS.items() if _passes(script, tag, tmp_path)}
    assert len(CHECKS) == 2


def _passes(script: str, tag: str, folder: Path) -> bool:
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = {"PATH": path, "GITHUB_REF_NAME": tag}
    command = ["bash", "-e", "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode == 0


def test_only_the_job_that_publishes_gets_an_identity() -> None:
    assert WORKFLOW["permissions"] == {}
    rights = {name: job["permissions"] for name, job in JOBS.items()}
    assert rights == {
        "build": {"contents": "read"},
        "publish": {"id-token": "write"},
        "announce": {"contents": "write"},
    }
    assert JOBS["publish"]["environment"]["name"] == "pypi"
    actions = [step.get("uses", "") for step in JOBS["publish"]["steps"]]
    assert any(action.startswith("pypa/gh-action-pypi-publish@") for action in actions)
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
