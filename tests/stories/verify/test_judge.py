"""A judge of the criteria that nothing else shows, played by a real program.

Attack on a verification: a judge that prints garbage, "false" as text, or nothing.
Answer: not verified.
Shown by: `tests/stories/verify/test_judge.py`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Repository
from tests.fakes import judges
from tests.fakes.program import program
from tests.stories.verify.work import ADR, START, commit_all, deliver, start

SETTINGS = "agents: {second: {command: stand-in}}\nverify: {judge: {agent: second}}\n"
CRITERION = "an order arrives within five milliseconds"
QUOTE = {
    "severity": "info",
    "check": "criterion-6",
    "message": "it is asynchronous",
    "path": "src/main.py",
    "line": 1,
    "evidence": "queue = 'kafka'",
    "help": "",
}


def ask(
    repository: Repository, folder: Path, case: dict[str, Any], *without: str
) -> tuple[int, Any]:
    """Verify work, without some files, with a judge that follows a case; return code and result."""
    adr = f"{ADR}\n## Acceptance Criteria\n\n- [ ] {CRITERION}\n"
    start(repository, adr, files={**START, "config/approvals.yaml": SETTINGS})
    deliver(repository, *without)
    commit_all(repository, "All")
    env = judges.environment(None, judges.programs(folder / "programs", case))
    done = program("verify", "ADR-014", "--judge", "--format", "json", env=env)
    (result,) = json.loads(done.stdout)["results"]
    return done.returncode, result


def criterion(result: Any) -> tuple[str, str]:
    """Return state and reason of the criterion that only a judge can see."""
    (found,) = (item for item in result["expectations"] if item["subject"] == CRITERION)
    return found["state"], found["reason"]


def test_an_answer_with_evidence_is_judged(repository: Repository, tmp_path: Path) -> None:
    code, result = ask(repository, tmp_path, {"answer": {"findings": [QUOTE]}})
    assert (code, result["state"]) == (0, "verified")
    assert criterion(result) == (
        "judged",
        "the judge says yes: it is asynchronous (src/main.py:1)",
    )


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("answer", "code", "state", "reason"),
    [
        ({}, 4, "unchecked", "the judge says yes, without evidence"),
        ({"checks": {"criterion-6": "not_applicable"}}, 4, "unchecked", "the judge found no evidence that could show it"),
        ({"checks": {"criterion-6": "failed"}}, 1, "missing", "the judge says no"),
        (
            {"findings": [{**QUOTE, "severity": "error", "message": "no order is sent"}]},
            1, "missing", "the judge says no: no order is sent (src/main.py:1)",
        ),
    ],
)  # fmt: skip
def test_any_other_answer(
    answer: dict[str, Any],
    code: int,
    state: str,
    reason: str,
    repository: Repository,
    tmp_path: Path,
) -> None:
    exit_code, result = ask(repository, tmp_path, {"answer": answer})
    assert (exit_code, criterion(result)) == (code, (state, reason))


@pytest.mark.sampled
@pytest.mark.parametrize(
    "case",
    [
        {"print": ["fine, it is all there"]},
        {"print": ['{"success": "false"}']},
        {"print": []},
        {"answer": {}, "exit": 1},
        {"answer": {"findings": [{**QUOTE, "evidence": "this is nowhere"}]}},
        {"answer": {"checks": {}}},
    ],
    ids=["garbage", "false-as-text", "nothing", "failed", "invented-evidence", "no-answer"],
)
def test_no_verdict_is_no_verification(
    case: dict[str, Any], repository: Repository, tmp_path: Path
) -> None:
    code, result = ask(repository, tmp_path, case)
    assert (code, result["state"], result["success"]) == (3, "failed", False)
    assert "the judge gave no verdict" in result["reason"]


def test_a_judge_cannot_make_a_missing_file_good(repository: Repository, tmp_path: Path) -> None:
    case = {"answer": {"findings": [QUOTE]}}
    code, result = ask(repository, tmp_path, case, "src/orders.py")
    assert (code, result["state"]) == (1, "unmet")
    (lost,) = [item for item in result["expectations"] if item["state"] == "missing"]
    assert (lost["subject"], lost["reason"]) == ("src/orders.py", "the file does not exist")
