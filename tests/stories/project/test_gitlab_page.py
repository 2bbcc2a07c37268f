"""docs/gitlab.md: its pipeline is parsed, and its lines run in a clone with the variables that GitLab sets."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.conftest import ROOT, Repository
from tests.fakes.runner import stand_in
from tests.stories.check.samples import GOOD

PAGE = (ROOT / "docs" / "gitlab.md").read_text(encoding="utf-8")
REPORT = "gl-code-quality-report.json"
ADR, OTHER = "docs/adr/0007-kafka.md", "docs/adr/0008-rest.md"
OLD_ERROR = GOOD.replace("# 7. Use Kafka", "# 8. Use REST").replace("Kafka.", "")


def blocks(language: str) -> list[str]:
    """Return the code blocks of a language, without the indentation of a list."""
    return [dedent(text) for text in re.findall(rf"``` *{language}\n(.*?)```", PAGE, re.DOTALL)]


def pipelines() -> list[dict[str, Any]]:
    """Return the jobs of each block: the first checks, the second adds to it, the third is a judge."""
    return [yaml.safe_load(text) for text in blocks("yaml")]


def job(name: str = "adr") -> dict[str, Any]:
    found: dict[str, Any] = next(pipeline[name] for pipeline in pipelines() if name in pipeline)
    return found


def run(place: Path, name: str = "adr", **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run the script as a runner does: all lines in one shell, which stops at the first failure."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-e", "-c", "\n".join(job(name)["script"])],
        cwd=place,
        env={**os.environ, "CI": "true", "GITLAB_CI": "true", "PATH": path, **variables},
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


def test_a_shallow_clone_is_not_green(repository: Repository, base: str, tmp_path: Path) -> None:
    repository.stage("src/x.py", "pass\n")
    repository.commit()
    clone = tmp_path / "clone"
    url = f"file://{repository.root}"
    subprocess.run(["git", "clone", "-q", "--depth=1", url, str(clone)], check=True)
    done = run(clone, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert done.returncode == 2 and "this clone is shallow" in done.stderr, done.stdout


def test_a_question_is_a_warning_and_an_error_is_not(repository: Repository, base: str) -> None:
    assert pipelines()[1] == {"adr": {"allow_failure": {"exit_codes": [4]}}}
    relaxed = GOOD.replace(
        "## Context", "<!-- helix-disable section-missing - later -->\n\n## Context"
    )
    repository.stage(ADR, relaxed.replace("# 7. Use Kafka", "# 7. Use Kafka now"))
    repository.commit()
    done = run(repository.root, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert done.returncode in pipelines()[1]["adr"]["allow_failure"]["exit_codes"], done.stdout
    repository.stage(ADR, GOOD.replace("Kafka.", ""))
    repository.commit()
    assert run(repository.root, CI_MERGE_REQUEST_DIFF_BASE_SHA=base).returncode == 1


@pytest.mark.parametrize(
    "path",
    [
        *(ADR, ".helix-hooks.yaml", "pyproject.toml", "config/approvals.yaml", "CODEOWNERS"),
        *("config/adr-completeness-rules.yaml", "approvals/adr/CLAUDE.md", ".gitlab-ci.yml"),
    ],
)
def test_a_file_that_can_raise_a_question_has_an_owner(path: str) -> None:
    section, *patterns = blocks("text")[0].splitlines()
    assert section == "[Decisions] @acme/architects"
    assert any(f"/{path}".startswith(pattern) for pattern in patterns)


@pytest.mark.parametrize(("confidence", "code"), [(0.95, 0), (0.5, 4)])
def test_the_job_of_a_judge(
    repository: Repository, base: str, tmp_path: Path, confidence: float, code: int
) -> None:
    repository.git("update-ref", "refs/remotes/origin/main", base)
    repository.stage("docs/adr/0009-nats.md", GOOD.replace("# 7. Use Kafka", "# 9. Use NATS"))
    repository.commit()
    programs = stand_in(tmp_path / "programs", structured={"confidence": confidence})
    programs["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{programs['PATH']}"
    done = run(repository.root, "adr-judge", CI_DEFAULT_BRANCH="main", **programs)
    assert done.returncode == code, done.stdout + done.stderr
    assert f"confidence {confidence:.2f}" in done.stdout
