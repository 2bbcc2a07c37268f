"""Each folder in tests/cases/agents/AGENT is the payload of a hook, beside what is read from it.

`source` in `expected.json` says whether the payload was recorded from the agent itself. Defects of any payload are tried on all agents.
"""

import json
from pathlib import Path

import pytest

from helix_hooks.agents import registry
from helix_hooks.agents.stop import MAX_PAYLOAD_BYTES, AgentStop, UnknownPayload
from tests.conftest import ROOT

CASES = ROOT / "tests" / "cases" / "agents"
FOLDERS = sorted(path.parent for path in CASES.glob("*/*/payload.json"))
AGENTS = sorted(registry.AGENTS)


def payload_of(folder: Path) -> bytes:
    return (folder / "payload.json").read_bytes()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_payload_is_read_as_its_case_says(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    found = registry.read(folder.parent.name, payload_of(folder))
    if "stop" in expected:
        assert found == AgentStop(**expected["stop"])
    else:
        assert found == UnknownPayload(expected["unknown"])


def test_every_agent_has_cases() -> None:
    assert sorted({folder.parent.name for folder in FOLDERS}) == AGENTS


@pytest.mark.parametrize("agent", AGENTS)
def test_a_payload_cut_anywhere_lets_the_agent_stop(agent: str) -> None:
    whole = payload_of(CASES / agent / "first-stop").strip()
    assert isinstance(registry.read(agent, whole), AgentStop)
    for length in range(len(whole)):
        assert isinstance(registry.read(agent, whole[:length]), UnknownPayload), length


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"a": ' * 100_000, "it is nested too deeply"),
        (b'{"prompt": "' + b"a" * 10_000_000 + b'"}', f"larger than {MAX_PAYLOAD_BYTES:,} bytes"),
        (b'{"loop_count": ' + b"9" * 10_000 + b"}", "it is not JSON, or was cut off"),
        (b"\xff\xfe\x00", "it is not JSON, or was cut off"),
        (b"true", "it is not a JSON object"),
    ],
    ids=["lists", "objects", "10 MB", "a long number", "not UTF-8", "no object"],
)
def test_a_hostile_payload_lets_the_agent_stop(agent: str, payload: bytes, reason: str) -> None:
    found = registry.read(agent, payload)
    assert isinstance(found, UnknownPayload)
    assert reason in found.reason


@pytest.mark.parametrize("agent", AGENTS)
def test_a_reason_shows_no_control_characters_and_stays_short(agent: str) -> None:
    fields = json.loads(payload_of(CASES / agent / "first-stop"))
    for key in fields:
        for value in ("\x1b[2J\u202e", "a" * 100_000, {"a": 1}, -1.5, None):
            found = registry.read(agent, json.dumps({**fields, key: value}).encode())
            if isinstance(found, UnknownPayload):
                assert found.reason.isprintable()
                assert len(found.reason) < 200
