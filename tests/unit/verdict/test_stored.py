"""A file with a verdict: what it says, if it fits the schema."""

import json
from typing import Any

import pytest

from helix_hooks.check.files import packaged
from helix_hooks.verdict.stored import read
from helix_hooks.verdict.verdict import RefusedError

SCHEMA = json.loads(packaged("schemas/approval-result.json") or b"")
CONTEXT = {
    **dict.fromkeys(("duration_seconds", "tokens_used", "turns", "attempts", "cost_usd"), 0),
    "agent": "claude",
    "model": "",
    "cached": False,
}
GOOD: dict[str, Any] = {
    "approval_id": "0a1b2c3d",
    "approval_type": "adr",
    "result": "approved",
    "confidence": 1,
    "summary": "",
    "findings": [],
    "checks": {},
    "files": [{"path": "a.md", "hash": "1"}],
    "recommendations": [],
    "timestamp": "2026-01-01T00:00:00Z",
    "agent_context": CONTEXT,
}


def test_what_it_says() -> None:
    found = read(json.dumps({**GOOD, "decision": "pending"}).encode(), SCHEMA)
    assert (found.result, found.decision, found.files) == ("approved", "pending", {"a.md": "1"})
    assert not found.has_errors and read(json.dumps(GOOD).encode(), SCHEMA).decision == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        json.dumps([GOOD]),
        json.dumps({**GOOD, "result": "APPROVED"}),
        json.dumps({**GOOD, "confidence": 7}),
        json.dumps({**GOOD, "findings": None}),
        json.dumps({**GOOD, "files": ["a.md"]}),
        json.dumps(GOOD).replace('"confidence": 1', '"confidence": NaN'),
        json.dumps(GOOD).replace('"result":', '"result": "approved", "result":'),
        "[" * 100_000,
    ],
)
def test_what_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(RefusedError):
        read(text.encode(), SCHEMA)
