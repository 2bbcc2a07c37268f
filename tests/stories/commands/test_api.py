"""`helix_hooks.api` gives programs what the command line prints, as values."""

import json
import os
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
    assert (file.path, result.report.passed, result.incomplete, result.empty, result.notices) == (
        ADR,
        False,
        False,
        False,
        (),
    )


def test_check_says_as_values_that_there_is_nothing(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    result = api.check()
    assert (result.empty, result.report.files) == (True, ())
    assert result.notices[0].startswith(
        "no ADR in this repository; looked for "
    ) and capsys.readouterr() == ("", "")


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


def test_approve_needs_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="approve needs a git repository"):
        api.approve(ApproveOptions())
