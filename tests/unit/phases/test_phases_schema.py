"""The JSON Schema of `phases.yaml` has the keys of its reader, and refuses what that refuses.

`tests/unit/config/test_settings_schemas.py` compares both on all files of the cases.
"""

import json
import re
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from jsonschema_rs import validator_for

from helix_hooks.config.agents import parse_agents
from helix_hooks.config.approvals import FlowSettings
from helix_hooks.config.gates import GATE_KINDS, parse_gate
from helix_hooks.errors import ConfigError
from helix_hooks.phases.parse import flow_of
from helix_hooks.yaml_reader import load
from tests.conftest import ROOT

SCHEMA = json.loads((ROOT / "helix_hooks/schemas/phases.json").read_text(encoding="utf-8"))
DEFS = SCHEMA["definitions"]
FITS = validator_for(SCHEMA)
SLOW = Draft7Validator(SCHEMA)
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


def allowed(text: str) -> set[str]:
    """Return the keys that the reader names when it meets one that nobody knows."""
    with pytest.raises(ConfigError) as error:
        flow_of(text.encode(), "phases.yaml", FlowSettings(), {}, parse_agents(None))
    return set(
        re.split(
            r", ",
            re.sub(r" for the type .*", "", re.split(r"allowed(?: are|:) ", str(error.value))[-1]),
        )
    )


def test_the_file_has_the_same_keys() -> None:
    assert allowed("x: 1\nphases: []\n") == set(SCHEMA["properties"])
    budget = SCHEMA["properties"]["budget"]["properties"]
    assert allowed("budget: {x: 1}\nphases: [{id: a, type: b}]\n") == set(budget)


def test_phases_have_the_same_keys() -> None:
    line = "phases: [{id: a, type: %s, %s: 1}]\n"
    assert allowed(line % ("maker", "approval_type")) == set(DEFS["phase"]["properties"])
    assert allowed(line % ("approval", "run")) == set(DEFS["approval"]["properties"])
    handler = "phases: [{id: a, type: maker, on_rejection: {x: 1}}]\n"
    assert allowed(handler) == set(DEFS["on_rejection"]["properties"])


@pytest.mark.parametrize("kind", GATE_KINDS)
def test_gates_have_the_same_keys(kind: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_gate(load(f"type: {kind}\nx: 1\n", "a.yaml"), "a", parse_agents(None))
    keys = str(error.value).partition("allowed: ")[2].partition(" for the type")[0]
    assert set(keys.split(", ")) == set(DEFS[f"gate_{kind}"]["properties"])


@pytest.mark.parametrize(
    "text",
    [
        "phases: []",
        "phases: [{id: a}]",
        "phases: [{id: ../a, type: b}]",
        "phases: [{id: a, type: b, max_retries: -1}]",
        "phases: [{id: a, type: b, approval_type: adr}]",
        "phases: [{id: a, type: approval, approval_type: adr}]",
        "phases: [{id: a, type: b, on_rejection: {action: retry_phase}}]",
        "phases: [{id: a, type: b, on_rejection: {target_phase: c}}]",
        "phases: [{id: a, type: b, quality_gate: {type: syntax, percent: 3}}]",
    ],
)
def test_what_does_not_fit(text: str) -> None:
    assert not FITS.is_valid(yaml.safe_load(text))
    assert complaint(yaml.safe_load(text))


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
    assert not SLOW.is_valid(flow) and not FITS.is_valid(flow)
    assert complaint(flow)
