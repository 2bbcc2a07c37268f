"""The JSON Schema of `phases.yaml` takes the examples of the design and of the page, and refuses what the program refuses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from helix_hooks.config.flow import FlowSettings
from helix_hooks.errors import ConfigError
from helix_hooks.phases.parse import flow_of
from tests.conftest import ROOT

SCHEMA = json.loads((ROOT / "helix_hooks/schemas/phases.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
CASES = sorted((ROOT / "tests/cases").glob("flow-examples/*.yaml"))
PAGE = (ROOT / "docs/flows.md").read_text(encoding="utf-8")
PHASE: dict[str, Any] = {"id": "a", "type": "x", "output": ["a.md"]}


def complaint(flow: Any) -> str:
    """Return what the program has against a flow, "" for nothing."""
    try:
        flow_of(json.dumps(flow).encode(), "phases.yaml", FlowSettings(), types=("adr",))
    except ConfigError as error:
        return str(error)
    return ""


def of(**phase: Any) -> dict[str, Any]:
    return {"phases": [{**PHASE, **phase}]}


@pytest.mark.parametrize(
    "path", CASES, ids=lambda path: str(path.relative_to(ROOT / "tests/cases"))
)
def test_flows_of_cases_fit(path: Path) -> None:
    VALIDATOR.validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def test_the_flow_of_the_page_fits() -> None:
    (text,) = re.findall(r"^```yaml\n(# phases\.yaml\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    VALIDATOR.validate(yaml.safe_load(text))


@pytest.mark.parametrize(
    "flow",
    [
        {}, {"phases": []}, {"phases": [{}]}, {**of(), "more": 1}, of(max_retries=-1), of(max_retries="many"), of(retries=1), of(id="a b"), of(type="X"),
        of(run=[]), of(timeout=0), of(output=[]), of(quality_gate={"type": "nothing"}), of(quality_gate={}), of(quality_gate=7),
        of(quality_gate={"type": "approval_passed"}), of(on_rejection={}), of(on_rejection={"action": "stop"}),
        of(on_rejection={"action": "retry_phase"}), of(on_rejection={"action": "fail", "target_phase": "a"}), of(type="approval"),
        of(type="approval", input=["a.md"], run=["x"]), of(prompt={"file": "a", "command": ["x"]}), of(prompt={}), of(verify_agent="maybe"),
        {**of(), "budget": {"soft_usd": 0}}, {**of(), "budget": {"usd": 1}}, {**of(), "gates": {"A B": {"type": "syntax"}}},
        of(approval_type="adr"), of(quality_gate={"type": "syntax", "command": ["x"]}),
    ],
    ids=lambda flow: json.dumps(flow)[:80],
)  # fmt: skip
def test_both_refuse(flow: Any) -> None:
    assert not VALIDATOR.is_valid(flow)
    assert complaint(flow)
