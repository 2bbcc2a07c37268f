"""`stats --repo`: figures of the gate from the records of many pull requests on the fake GitHub."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from helix_hooks.audit import collect
from helix_hooks.config.workflows import CHECK
from helix_hooks.decision import chain
from helix_hooks.decision.chain import Chain
from helix_hooks.pull.check_run import EXTERNAL
from tests.conftest import Repository, Result, Run
from tests.fakes.github.server import DROPPED, FakeGitHub, Fault
from tests.fakes.github.state import Run as CheckRun
from tests.fakes.runner import READER
from tests.stories.pull_request.scene import REPOSITORY, People, push

JUNE, JULY = 1_780_300_000, 1_783_000_000
ADR_PATH = "docs/adr/0007-use-kafka.md"
JUDGE: dict[str, Any] = {
    "approval_id": "adr-1", "approval_type": "adr", "result": "approved", "failed": False, "confidence": 0.9, "required_confidence": 0.8,
    "agent": "claude", "model": "m", "duration_seconds": 40.0, "cost_usd": 0.2, "cached": False, "timestamp": "2026-06-01T00:00:00Z",
}  # fmt: skip
OVERRIDE: dict[str, Any] = {
    "by": "max", "by_id": 7, "role": "maintain", "as": "role", "said": "override", "commit": None, "at": JUNE, "types": [], "finding": "ab12cd34",
    "reason": "wrong", "source": {"id": 5, "kind": "comment"},
}  # fmt: skip
FIELDS: dict[str, Any] = {
    "version": 1, "id": "x", "repository": "acme/decisions", "status": "approved", "title": "a", "reasons": [], "commit": "c" * 40, "queue": False,
    "closed": False, "base": "b" * 40, "base_ref": "main", "settings": "", "content": "", "files": {ADR_PATH: "a" * 40}, "files_left_out": 0,
    "category": None, "action_type": None, "requested_by": "alice", "requested_by_id": 1, "requested_at": None, "decided_at": JUNE, "expires_at": None,
    "escalated": False, "escalation_policy": {"action": "block", "escalate_to": []}, "autonomy": None, "minimum_approvals": 1,
    "approvers": {"roles": [], "users": [], "teams": []}, "votes": [], "votes_left_out": 0, "confidence_score": None, "ai_recommendation": None,
    "reasoning": None, "judges": [JUDGE],
}  # fmt: skip
Stats = Callable[..., Result]


@pytest.fixture
def stats(github: FakeGitHub, run: Run, monkeypatch: pytest.MonkeyPatch) -> Stats:
    """`stats --repo` with a token that only reads."""
    monkeypatch.setenv("GITHUB_TOKEN", READER)
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    github.pulls.clear()
    return lambda *arguments: run("stats", "--repo", "acme/decisions", *arguments)


def pull(github: FakeGitHub, repository: Repository, number: int, *lines: dict[str, Any]) -> None:
    """Open a pull request whose head has a check run with decisions."""
    repository.git("checkout", "--quiet", "-B", f"change-{number}", "main")
    head = push(repository, f"docs/adr/{number:04}-x.md", f"# {number}. X\n")
    github.open_pull(number, head=f"change-{number}")
    if not lines:
        return
    found = Chain(number)
    project = github.number("repository", "acme/decisions")
    for line in lines:
        fields = {**FIELDS, "pull_request": number, "project_id": project, **line}
        found = chain.added(found, fields)
    id, time = github.next_id(), github.tick()
    github.runs[id] = CheckRun(
        id, "github-actions[bot]", CHECK, head, time,
        {"title": "t", "summary": "s", "text": chain.block(found)},
        f"{EXTERNAL}1", None, "completed", "success", time,
    )  # fmt: skip


def asked(github: FakeGitHub) -> int:
    return sum(seen.verb == "GET" for seen in github.requests)


def test_figures_by_month_and_approval_type(
    github: FakeGitHub, repository: Repository, stats: Stats
) -> None:
    refused = {**JUDGE, "approval_id": "adr-2", "result": "rejected", "duration_seconds": 20.0}
    secure = {**JUDGE, "approval_id": "sec-1", "approval_type": "security", "cost_usd": None}
    pull(github, repository, 1, {})
    pull(github, repository, 2, {"status": "rejected", "judges": [refused]},
         {"status": "approved", "judges": [refused], "votes": [OVERRIDE]})  # fmt: skip
    pull(github, repository, 3, {"status": "pending", "judges": [secure], "decided_at": JULY})
    pull(github, repository, 4)
    found = json.loads(stats("--format", "json").out)
    june = next(month for month in found["months"] if month["month"] == "2026-06")
    assert (june["decisions"], june["with_adrs"], june["judged"]) == ({"approved": 2}, 2, 2)
    assert (june["overrides"], june["declines"], found["partial"]) == (1, 0, [])
    assert (
        next(month for month in found["months"] if month["month"] == "2026-01")["unrecorded"] == 1
    )
    adr = next(type for type in found["approval_types"] if type["approval_type"] == "adr")
    assert (adr["runs"], adr["approval_rate"], adr["cost_usd"]) == (2, 0.5, 0.4)
    text = stats().out
    assert "2026-06  2              2          2 (100 %)  2" in text
    assert "1 pull request with ADRs: no gate record" in text
    assert "2026-07  security  1     1 (100 %)" in text and "$0.00?" in text


def test_approved_adrs_that_a_later_pull_request_corrected(
    github: FakeGitHub, repository: Repository, stats: Stats
) -> None:
    other = "docs/adr/0008-use-avro.md"
    merged: list[dict[str, Any]] = [
        {
            "files": {
                ADR_PATH: "a" * 40,
                other: "a" * 40,
                "docs/adr/0009-ports.md": "a" * 40,
                "README.md": "a" * 40,
            }
        },
        {"files": {ADR_PATH: "b" * 40, other: "a" * 40}},  # changes the first one
        {"files": {ADR_PATH: ""}, "status": "auto_approved"},  # removes it
        {"files": {other: "e" * 40}, "status": "rejected"},  # merged against the gate
    ]
    for number, fields in enumerate(merged, start=1):
        pull(github, repository, number, fields)
        github.close_pull(number, merged=True)
    pull(github, repository, 5, {"files": {other: "c" * 40}})
    github.close_pull(5)
    pull(github, repository, 6, {"files": {other: "d" * 40}})
    [june] = [
        item for item in json.loads(stats("--format", "json").out)["months"] if item["judged"]
    ]
    assert (june["adrs_approved"], june["adrs_corrected"]) == (5, 4)
    assert "4 of 5 ADRs (80 %)" in stats().out


def test_a_backport_corrects_nothing(
    github: FakeGitHub, repository: Repository, stats: Stats
) -> None:
    for number, hash in ((1, "a"), (2, "b")):
        pull(github, repository, number, {"files": {ADR_PATH: hash * 40}})
    repository.git("branch", "release", "main")
    github.pulls[2] = github.pulls[2]._replace(base="release")
    for number in (1, 2):
        github.close_pull(number, merged=True)
    [june] = [
        item for item in json.loads(stats("--format", "json").out)["months"] if item["judged"]
    ]
    assert (june["adrs_approved"], june["adrs_corrected"]) == (2, 0)


def test_a_run_of_the_gate_is_in_the_figures(
    github: FakeGitHub, people: People, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", READER)
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    assert people.run().code == 0
    found = json.loads(run("stats", "--repo", "acme/decisions", "--format", "json").out)
    assert [month["decisions"] for month in found["months"]] == [{"approved": 1}]
    assert [type["approval_type"] for type in found["approval_types"]] == ["adr"]


def test_since_leaves_older_ones_out(
    github: FakeGitHub, repository: Repository, stats: Stats
) -> None:
    pull(github, repository, 1, {})
    assert "1 pull request since 2026-01-01" in stats("--since", "2026-01-01").out
    assert "no pull requests since 2026-02-01" in stats("--since", "2026-02-01").out


def test_requests_are_bounded_and_partial_figures_say_so(
    github: FakeGitHub, repository: Repository, stats: Stats, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 6):
        pull(github, repository, number, {})
    monkeypatch.setattr(collect, "MOST_REQUESTS", 4)
    result = stats()
    assert asked(github) == 4 and result.code == 0
    assert (
        "partial: #2 and older pull requests were not read: the maximum of 4 requests is reached"
        in result.out
    )


def test_a_pull_request_that_is_read_in_part_is_reported(
    github: FakeGitHub, repository: Repository, stats: Stats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is reached before the files of the last one, which has no record."""
    pull(github, repository, 1)
    pull(github, repository, 2, {})
    monkeypatch.setattr(collect, "MOST_REQUESTS", 3)
    assert "partial: #1 and older pull requests were not read: the maximum" in stats().out


def test_the_rate_limit_is_left_to_others(
    github: FakeGitHub, repository: Repository, stats: Stats
) -> None:
    pull(github, repository, 1, {})
    github.used = 4950
    result = stats()
    assert asked(github) == 1 and "requests of the rate limit are left" in result.out


def test_a_failure_on_the_way_leaves_what_was_read(
    github: FakeGitHub, repository: Repository, stats: Stats, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2):
        pull(github, repository, number, {})
    path = f"{REPOSITORY}/commits/.*/check-runs"
    github.faults.append(Fault("GET", path, DROPPED, times=20, skip=1))
    result = stats()
    assert result.code == 3 and "partial: older pull requests were not read: GitHub" in result.out
    github.faults[:] = [Fault("GET", f"{REPOSITORY}/pulls", 500, times=20)]
    result = stats()
    assert (result.code, result.out) == (3, "")


@pytest.mark.parametrize("broken", [{"judges": "x"}, {"status": 7}, {"project_id": 1}])
def test_a_record_that_is_none_is_no_figure(
    broken: dict[str, Any], github: FakeGitHub, repository: Repository, stats: Stats
) -> None:
    pull(github, repository, 1, broken)
    assert "no gate record" in stats().out


def test_since_needs_repo_and_a_repository_needs_a_name(run: Run, repository: Repository) -> None:
    assert "--since requires --repo" in run("stats", "--since", "2026-01-01").err
    result = run("stats", "--repo")
    assert result.code == 2 and "use --repo OWNER/NAME" in result.err
