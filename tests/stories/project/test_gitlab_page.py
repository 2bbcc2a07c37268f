"""docs/gitlab.md: its pipeline is parsed, and its lines run in a clone with the variables that GitLab sets."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.conftest import ROOT, Repository
from tests.stories.check.samples import GOOD

PAGE = (ROOT / "docs" / "gitlab.md").read_text(encoding="utf-8")
REPORT = "gl-code-quality-report.json"
ADR, OTHER = "docs/adr/0007-kafka.md", "docs/adr/0008-rest.md"
OLD_ERROR = GOOD.replace("# 7. Use Kafka", "# 8. Use REST").replace("Kafka.", "")


def job() -> dict[str, Any]:
    (text,) = re.findall("```yaml\n(.*?)```", PAGE, re.DOTALL)
    pipeline: dict[str, Any] = yaml.safe_load(text)["adr"]
    return pipeline


def run(place: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run the script as a runner does: all lines in one shell, which stops at the first failure."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-e", "-c", "\n".join(job()["script"])],
        cwd=place,
        env={**os.environ, "PATH": path, "CI": "true", "GITLAB_CI": "true", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def issues(place: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((place / REPORT).read_text(encoding="utf-8"))
    return found


@pytest.fixture
def base(repository: Repository) -> str:
    """The target branch, which has an ADR with an old error."""
    repository.stage(ADR, GOOD)
    repository.stage(OTHER, OLD_ERROR)
    repository.commit()
    return repository.git("rev-parse", "HEAD").stdout.strip()


def test_the_job_keeps_what_it_writes() -> None:
    written = job()["artifacts"]
    assert written["when"] == "always" and job()["variables"] == {"GIT_DEPTH": "0"}
    for name in written["reports"].values():
        assert any(f"--output {name} " in line for line in job()["script"])
    assert "allow_failure" not in job()


def test_a_merge_request_fails_for_what_it_changes(repository: Repository, base: str) -> None:
    repository.stage(ADR, GOOD.replace("Kafka.", ""))
    repository.commit()
    done = run(repository.root, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert done.returncode == 1 and f"{ADR}:" in done.stdout, done.stderr
    assert {issue["location"]["path"] for issue in issues(repository.root)} == {ADR, OTHER}
    (suite,) = ET.parse(repository.root / "helix.xml").getroot()
    assert [case.get("name") for case in suite if case.find("failure") is not None] == [ADR]


def test_a_merge_request_passes_beside_old_errors(repository: Repository, base: str) -> None:
    repository.stage("src/x.py", "pass\n")
    repository.commit()
    done = run(repository.root, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [issue["location"]["path"] for issue in issues(repository.root)] == [OTHER]


def test_merged_results_are_compared_with_the_target(repository: Repository, base: str) -> None:
    repository.stage(ADR, GOOD.replace("Kafka.", ""))
    repository.commit("another one, on the target branch meanwhile")
    target = repository.git("rev-parse", "HEAD").stdout.strip()
    repository.stage("src/x.py", "pass\n")
    repository.commit()
    variables = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    assert run(repository.root, **variables).returncode == 1
    variables["CI_MERGE_REQUEST_TARGET_BRANCH_SHA"] = target
    assert run(repository.root, **variables).returncode == 0


def test_the_default_branch_is_checked_as_a_whole(repository: Repository, base: str) -> None:
    done = run(repository.root)
    assert done.returncode == 1 and f"{OTHER}:" in done.stdout
    repository.stage(OTHER, GOOD.replace("# 7. Use Kafka", "# 8. Use REST"))
    repository.commit()
    assert run(repository.root).returncode == 0 and issues(repository.root) == []
