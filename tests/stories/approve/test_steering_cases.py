"""Every folder in tests/cases/steering is a change: its `files`, the paths of `touched.txt` that it deletes, and the signs that `approve` reports."""

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository
from tests.fakes import judges
from tests.fakes.change import lay_out
from tests.fakes.program import approve

CASES = ROOT / "tests" / "cases" / "steering"
NO_JUDGE = "defaults: {semantic: false}\n"
"""The signs are found before a judge would be asked."""


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_each_sign_is_reported(name: str, repository: Repository, tmp_path: Path) -> None:
    lay_out(repository)
    repository.git("checkout", "--quiet", "main")
    touched = CASES / name / "touched.txt"
    deleted = touched.read_text(encoding="utf-8").split() if touched.exists() else []
    for path in deleted:
        repository.write(path, "text\n")
    repository.stage("config/approvals.yaml", NO_JUDGE)
    repository.git("add", "--all")
    repository.commit()
    repository.git("checkout", "--quiet", "change")
    repository.git("rebase", "--quiet", "main")
    for path in deleted:
        (repository.root / path).unlink()
    shutil.copytree(CASES / name / "files", repository.root, dirs_exist_ok=True)
    repository.git("add", "--all", "--force")
    repository.commit()
    programs = judges.programs(tmp_path / "programs", {"as": "claude", "absent": True})
    environment = judges.without_claude(judges.environment(None, programs))
    command = ("--base", "main", "--fail-on", "never", "--format", "json")
    done = approve(*command, env=environment)
    signs = json.loads(done.stdout)["indicators"]
    assert {sign["severity"] for sign in signs} <= {"warning"}, "a sign is a question to a person"
    lines = sorted(f"{sign['path']}:{sign['line']} {sign['check']}\n" for sign in signs)
    expected = (CASES / name / "expected.txt").read_text(encoding="utf-8")
    assert ("".join(lines) or "no sign\n") == expected
    assert done.returncode == (4 if lines else 0), done.stdout
    assert (expected == "no sign\n") == name.startswith(("honest-", "unseen-"))
