"""The examples of docs/api.md run, and print what the page shows."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from helix_hooks import api
from helix_hooks.verdict.approval_result import ReviewedFile
from tests.conftest import ROOT, Repository
from tests.fakes import judges
from tests.fakes.change import lay_out

PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
ADR = "docs/adr/0007-kafka.md"
CONTRACT = """---
adr_id: "014"
title: Keep orders
status: Accepted
files:
  create: [src/orders.py]
---

# Keep orders

We keep them.
"""
FINDING = {
    "severity": "error",
    "check": "migration",
    "message": "Nothing says what becomes of the orders that are under way.",
    "path": ADR,
    "line": 13,
    "evidence": "We will use Kafka as the broker between the services.",
    "help": "Say how the services change over.",
}


class Scene:
    """What an example needs: a repository, programs and files."""

    def __init__(self, repository: Repository, scratch: Path, patch: pytest.MonkeyPatch) -> None:
        self.repository = repository
        self.scratch = scratch
        self.patch = patch

    def unfinished_adr(self) -> None:
        self.repository.write(
            ADR,
            "# 7. Kafka\n\n## Status\n\nAccepted\n\n## Context\n\nOrders.\n\n## Consequences\n\nOne broker.\n",
        )

    def rejected_change(self) -> None:
        lay_out(self.repository)
        answer = {"result": "rejected", "findings": [FINDING], "checks": None}
        case = {"as": "claude", "result": {}, "structured": _structured(answer)}
        place = judges.environment(None, judges.programs(self.scratch / "programs", case))
        for name, value in place.items():
            self.patch.setenv(name, value)

    def approved_contract(self) -> None:
        self.repository.stage("docs/adr/014-keep-orders.md", CONTRACT)
        self.repository.commit("Accept ADR-014")


def _structured(answer: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in answer.items() if value is not None}


def verdict() -> api.ApprovalResult:
    """Return a verdict with an error, and a text that the judge proposes for it."""
    finding = api.Finding(
        severity="error",
        check="migration",
        layer="agent",
        message="No way back.",
        path=ADR,
        line=3,
        end_line=4,
        help="Say how.",
        evidence="We move.",
    )
    return api.ApprovalResult(
        approval_id="5f0c1a2b",
        approval_type="adr",
        result="needs_revision",
        confidence=0.9,
        summary="No way back.",
        findings=(finding, finding._replace(severity="warning")),
        checks={"migration": "failed"},
        files=(ReviewedFile(ADR, "a" * 40),),
        recommendations=("Say how.",),
        timestamp="2026-01-05T09:00:00Z",
        agent_context=api.AgentContext(agent="claude", duration_seconds=1.5, tokens_used=1200),
        earlier={"7e090c55": "open"},
    )


SCENES: tuple[Callable[[Scene], None], ...] = (
    Scene.unfinished_adr,
    Scene.rejected_change,
    Scene.approved_contract,
    Scene.rejected_change,
    lambda scene: scene.repository.commit(),
)


@pytest.mark.parametrize(
    ("scene", "example"),
    [*zip(SCENES, EXAMPLES, strict=True)],
    ids=[
        "check",
        "approve",
        "verify",
        "check_approval",
        "request_approval",
    ],
)
def test_an_example_prints_what_the_page_shows(
    scene: Callable[[Scene], None],
    example: tuple[str, str],
    repository: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, shown = example
    scene(Scene(repository, tmp_path, monkeypatch))
    exec(compile(code, "docs/api.md", "exec"), {})  # the page's own code
    assert capsys.readouterr().out == shown


def test_the_page_names_what_the_module_offers() -> None:
    for name in api.__all__:
        assert name in PAGE or name in ("AgentContext", "CheckReport", "Expectation", "FileReport")
        assert hasattr(api, name)


def test_a_verdict_survives_its_json_form() -> None:
    before = verdict()
    data = json.loads(json.dumps(before.to_dict()))
    assert api.ApprovalResult.from_dict({**data, "later": 1}) == before
    assert [finding.severity for finding in before.errors + before.warnings] == ["error", "warning"]
    assert (before.approved, before.duration_seconds, before.tokens_used) == (False, 1.5, 1200)


WRONG = {
    "no id": ({"approval_id": None}, "required field `approval_id`"),
    "a number as id": ({"approval_id": 7}, "Expected `str`, got `int` - at `$.approval_id`"),
    "an unknown result": ({"result": "maybe"}, "Invalid enum value 'maybe' - at `$.result`"),
    "a confidence in words": (
        {"confidence": "high"},
        "Expected `float`, got `str` - at `$.confidence`",
    ),
    "a confidence above one": ({"confidence": 2}, "Expected `float` <= 1.0 - at `$.confidence`"),
    "a confidence that is a truth value": ({"confidence": True}, "Expected `float`, got `bool`"),
    "findings that are no list": (
        {"findings": {}},
        "Expected `array`, got `object` - at `$.findings`",
    ),
    "a finding that is a text": (
        {"findings": ["x"]},
        "Expected `object`, got `str` - at `$.findings[0]`",
    ),
    "a finding without a rule": (
        {"findings": [{"severity": "error"}]},
        "required field `check` - at `$.findings[0]`",
    ),
    "checks with numbers": ({"checks": {"a": 1}}, "got `int` - at `$.checks[...]`"),
    "a time that is no number": (
        {"agent_context": {"agent": "claude", "duration_seconds": float("nan")}},
        "Expected `float` >= 0.0 - at `$.agent_context.duration_seconds`",
    ),
    "an unknown severity": (
        {"findings": [{**FINDING, "severity": "fatal", "layer": "agent"}]},
        "Invalid enum value 'fatal' - at `$.findings[0].severity`",
    ),
    "no context": ({"agent_context": None}, "required field `agent_context`"),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_json_form_is_refused(change: dict[str, object], message: str) -> None:
    merged = {**verdict().to_dict(), **change}
    data = {name: value for name, value in merged.items() if value is not None}
    with pytest.raises(ValueError, match=re.escape(message)):
        api.ApprovalResult.from_dict(data)


@pytest.mark.parametrize("data", [None, 3, True, "x", []])
def test_what_is_no_mapping_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="Expected `object`, got"):
        api.ApprovalResult.from_dict(data)


def test_a_reply_has_the_json_form_of_the_command(repository: Repository) -> None:
    Scene.unfinished_adr(Scene(repository, repository.root, pytest.MonkeyPatch()))
    reply = api.check(api.CheckOptions(paths=(ADR,)))
    data = reply.to_dict()
    assert (reply.passed, data["passed"], data["version"]) == (False, False, 1)
    assert len(reply.findings) == 1


def test_nothing_verified_is_not_success(repository: Repository) -> None:
    repository.stage("a.txt", "x")
    repository.commit()
    reply = api.verify()
    assert (reply.results, reply.verified) == ((), False)
    assert reply.to_dict()["results"] == []
