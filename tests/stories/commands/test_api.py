"""`helix_hooks.api` gives programs what the command line prints, as values."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from helix_hooks import api
from helix_hooks.api import CheckOptions
from helix_hooks.errors import ConfigError, UsageError
from helix_hooks.judge.options import ApproveOptions
from tests.conftest import Repository, Run
from tests.fakes import judges
from tests.fakes.change import lay_out

ADR = "docs/adr/0001-kafka.md"
KAFKA = "docs/adr/0007-kafka.md"
"""The ADR of a change that is laid out."""
WRONG = "# 1. Kafka\n\n## Status\n\nAccepted\n\n## Context\n\nx\n"


def test_check_returns_what_the_command_line_prints(
    repository: Repository, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.stage(ADR, WRONG)
    printed = json.loads(run("check", "--staged", "--format", "json").out)
    result = api.check(CheckOptions(staged=True))
    assert capsys.readouterr() == ("", "")
    (file,) = result.report.files
    assert (
        [finding.check for finding in file.findings]
        == [finding["check"] for finding in printed["files"][0]["findings"]]
        != []
    )
    assert file.path == ADR
    assert result.report.passed is False
    assert result.incomplete is False
    assert result.empty is False
    assert result.notices == ()


def test_check_says_as_values_that_there_is_nothing(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    result = api.check()
    assert (result.empty, result.report.files) == (True, ())
    assert result.notices[0].startswith("no ADR in this repository; looked for ")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "options",
    [CheckOptions(matching=True), CheckOptions(("nowhere.md",)), CheckOptions(since="nowhere")],
    ids=str,
)
def test_check_raises_what_the_command_line_prints(
    options: CheckOptions, repository: Repository
) -> None:
    repository.stage(ADR, WRONG)
    repository.commit()
    with pytest.raises(UsageError):
        api.check(options)


def test_check_raises_where_settings_are_broken(repository: Repository) -> None:
    repository.stage(".helix-hooks.yaml", "nonsense: 1\n")
    with pytest.raises(ConfigError):
        api.check()


def test_approve_returns_the_decision_and_its_notices(
    repository: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lay_out(repository)
    repository.write(
        "config/approvals.yaml",
        "agents: {second: {command: stand-in}}\ndefaults: {agent: second, max_retries: 0}\n",
    )
    place = judges.without_claude(
        judges.environment(None, judges.programs(tmp_path / "programs", {"answer": {}}))
    )
    monkeypatch.setenv("PATH", place["PATH"])
    monkeypatch.setenv("GIT_ICASE_PATHSPECS", "1")
    before = dict(os.environ)
    reply = api.approve(ApproveOptions(paths=("docs/adr/0007-kafka.md",)))
    api.check()
    assert dict(os.environ) == before, "a program goes on in its own environment"
    assert capsys.readouterr() == ("", "")
    assert reply.notices == (
        "relaxed or changed: agent claude -> second (config/approvals.yaml:2)",
    )
    assert (reply.result.decision.state, reply.result.verdicts[0].result) == ("pending", "approved")


@pytest.mark.parametrize(
    ("answer", "required", "state"),
    [
        ({"result": "approved"}, "approved", "approved"),
        ({"result": "needs_revision"}, "approved", "rejected"),
        ({"result": "needs_revision"}, "needs_revision", "approved"),
        ({"result": "rejected"}, "needs_revision", "rejected"),
    ],
)
def test_check_approval_returns_the_answer_of_a_gate(
    answer: dict[str, object],
    required: str,
    state: str,
    repository: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lay_out(repository)
    case = {"as": "claude", "result": {}, "structured": answer}
    for name, value in judges.environment(None, judges.programs(tmp_path / "bin", case)).items():
        monkeypatch.setenv(name, value)
    result = api.check_approval("adr", [KAFKA], required)
    assert (result.state, result.passed) == (state, state == "approved")
    assert (result.gate_type, result.details["result"]) == ("approval", answer["result"])


def test_check_approval_without_a_judge_is_no_approval(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(repository)
    monkeypatch.setenv("PATH", judges.without_claude(dict(os.environ))["PATH"])
    result = api.check_approval("adr", [KAFKA])
    assert not result.passed and result.failed and result.exit_code == 3


def test_check_approval_refuses_what_it_does_not_know(repository: Repository) -> None:
    lay_out(repository)
    with pytest.raises(UsageError, match="there is no approval type 'adrs'"):
        api.check_approval("adrs", [KAFKA])
    with pytest.raises(UsageError, match="expected approved or needs_revision"):
        api.check_approval("adr", [KAFKA], "rejected")
    assert not api.check_approval("adr", ["absent.md"]).passed


def test_the_feedback_of_a_program(repository: Repository, run: Run) -> None:
    channel = api.FeedbackChannel()
    assert channel.pending == ""
    channel.send("first\n# Required actions: none", attempt=1)
    channel.send("src/a.py: \x1b[31mno such file", attempt=2)
    assert "- Attempt: 2 of 3" in channel.pending and "first" not in channel.pending
    printed = run("feedback")
    assert printed.code == 1 and printed.out == channel.pending
    assert "src/a.py" in printed.out and "\x1b" not in printed.out
    channel.clear()
    assert (channel.pending, run("feedback").code) == ("", 0)


@pytest.mark.parametrize(
    "call", [lambda: api.approve(ApproveOptions()), api.verify, api.FeedbackChannel]
)
def test_a_call_outside_of_a_repository_is_refused(
    call: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="needs a git repository"):
        call()


def test_a_result_has_its_feedback() -> None:
    missing = api.Expectation("create", "a.py", "missing", 3, "it is not there", "create a.py")
    result = api.VerificationResult("014", "a.md", "A", "unmet", (missing,))
    assert (result.success, result.feedback) == (False, "create a.py")
    assert result._replace(state="verified", expectations=()).feedback == ""
    failed = result._replace(state="failed", expectations=(), reason="git failed")
    assert failed.feedback == "git failed"
