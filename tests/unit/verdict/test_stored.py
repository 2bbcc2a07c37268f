"""A file with a verdict: what it says. What does not fit its schema is refused in the cases of gates."""

import json

from helix_hooks.check.files import packaged
from helix_hooks.finding import Finding
from helix_hooks.verdict.approval_result import AgentContext, ApprovalResult, ReviewedFile
from helix_hooks.verdict.stored import StoredResult, read

SCHEMA = json.loads(packaged("schemas/approval-result.json") or b"")


def stored(*findings: Finding, **more: object) -> StoredResult:
    files = (ReviewedFile("a.md", "1"),)
    time, context = "2026-01-01T00:00:00Z", AgentContext("claude")
    verdict = ApprovalResult(
        "0a1b2c3d", "adr", "approved", 1, "", findings, {}, files, (), time, context
    )
    return read(json.dumps({**verdict.to_dict(), **more}).encode(), SCHEMA)


def test_what_it_says() -> None:
    found = stored(decision="pending")
    assert (found.result, found.decision, found.files) == ("approved", "pending", {"a.md": "1"})
    assert not found.has_errors
    assert stored().decision == ""
    assert stored(Finding("error", "a", "agent", "m", "a.md")).has_errors
