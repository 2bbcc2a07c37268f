"""The engine of `approve` as a function: typed options in, a result and notices out, nothing printed."""

import pytest

from helix_hooks.errors import UsageError
from helix_hooks.judge.approve import approve
from helix_hooks.judge.options import ApproveOptions, Observer, Range, RunOptions
from helix_hooks.verdict.approval_result import SKIPPED
from tests.conftest import Repository
from tests.fakes.change import lay_out
from tests.stories.approve.scene import main_has

APPROVALS = "config/approvals.yaml"
WITHOUT_JUDGE = 'approvals: {adr: {semantic: "false"}}\n'


@pytest.fixture
def change(repository: Repository) -> Repository:
    lay_out(repository)
    main_has(repository, APPROVALS, WITHOUT_JUDGE)
    repository.stage("src/unused.py", "x = 1\n")
    repository.commit()
    return repository


@pytest.mark.slow
def test_a_call_returns_its_result_and_prints_nothing(
    change: Repository, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(change.root)
    notices: list[str] = []
    options = ApproveOptions(range=Range(base="main"))
    result = approve(options, str(change.root), Observer(notices.append))
    assert (result.decision.state, result.decision.exit_code) == ("approved", 0)
    assert [(item.approval_type, item.result) for item in result.unjudged] == [("adr", SKIPPED)]
    assert result.verdicts == () and result.report.adrs == 1
    assert result.base and result.head != result.base
    assert capfd.readouterr() == ("", "")


def test_notices_come_through_the_observer(
    change: Repository, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(change.root)
    change.stage(APPROVALS, f"{WITHOUT_JUDGE}policy: {{minimum_approvals: 1}}\n")
    change.commit()
    change.stage(APPROVALS, WITHOUT_JUDGE + "defaults: {required_confidence: 0.1}\n")
    change.commit()
    notices: list[str] = []
    options = ApproveOptions(range=Range(base="main"))
    approve(options, str(change.root), Observer(notices.append))
    assert any(line.startswith("relaxed or changed: ") for line in notices), notices
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (ApproveOptions(types=("none",)), "--type none: there is no such approval type"),
        (ApproveOptions(run=RunOptions(agent="none")), "--agent none: there is no such agent"),
        (ApproveOptions(range=Range(head="HEAD")), "--head requires --base"),
        (ApproveOptions(paths=("none.md",)), "none.md: no such file is reviewed by adr"),
    ],
)
@pytest.mark.slow
def test_options_that_name_nothing(
    options: ApproveOptions, words: str, change: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(change.root)
    with pytest.raises(UsageError, match=words):
        approve(options, str(change.root), Observer(lambda _: None))
