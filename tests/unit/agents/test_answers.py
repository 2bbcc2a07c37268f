"""What the hook writes for each agent, word for word; tests/stories/verify shows that agents obey."""

import json

import pytest

from helix_hooks.agents import registry
from helix_hooks.agents.stop import MAX_REASON_CHARACTERS, HookAnswer, allowed, blocked

BLOCK = {
    "claude": {"decision": "block", "reason": "src/x.py is missing"},
    "codex": {"decision": "block", "reason": "src/x.py is missing"},
    "gemini": {"decision": "deny", "reason": "src/x.py is missing"},
    "copilot": {"decision": "block", "reason": "src/x.py is missing"},
    "cursor": {"followup_message": "src/x.py is missing"},
}
ALLOW = {"claude": "", "codex": "", "gemini": "{}\n", "copilot": "", "cursor": "{}\n"}
MESSAGE = {
    "claude": HookAnswer('{"systemMessage": "capped"}\n'),
    "codex": HookAnswer('{"systemMessage": "capped"}\n'),
    "gemini": HookAnswer('{"systemMessage": "capped"}\n'),
    "copilot": HookAnswer('{"type": "progress", "message": "capped"}\n'),
    "cursor": HookAnswer("{}\n", "capped\n"),
}
AGENTS = sorted(registry.AGENTS)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_block_carries_its_reason(agent: str) -> None:
    answer = registry.answer(agent, blocked("src/x.py is missing\n"))
    assert json.loads(answer.stdout) == BLOCK[agent]
    assert (answer.stderr, answer.exit_code) == ("", 0)


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_may_stop(agent: str) -> None:
    assert registry.answer(agent, allowed()) == HookAnswer(ALLOW[agent])


@pytest.mark.parametrize("agent", AGENTS)
def test_a_message_for_the_user_blocks_nothing(agent: str) -> None:
    assert registry.answer(agent, allowed("capped")) == MESSAGE[agent]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_block_may_have_a_message_too(agent: str) -> None:
    answer = registry.answer(agent, blocked("src/x.py is missing", "attempt 1 of 3"))
    last = json.loads(answer.stdout.splitlines()[-1])
    assert {key: last[key] for key in BLOCK[agent]} == BLOCK[agent]
    assert "attempt 1 of 3" in answer.stdout + answer.stderr


@pytest.mark.parametrize("agent", AGENTS)
def test_every_reason_is_one_line_of_ascii_json(agent: str) -> None:
    answer = registry.answer(agent, blocked('"quotes"\n\x00 \ud83d ü \u2028'))
    assert answer.stdout.isascii()
    assert answer.stdout.count("\n") == 1


def test_a_block_without_a_reason_gets_one() -> None:
    assert "helix-hooks feedback" in blocked(" \n").reason


def test_a_long_reason_is_cut() -> None:
    reason = blocked("é" * 1_000_000).reason
    assert len(reason) == MAX_REASON_CHARACTERS
    assert reason.endswith("`helix-hooks feedback` prints all)")
    assert len(blocked("é" * MAX_REASON_CHARACTERS).reason) == MAX_REASON_CHARACTERS
