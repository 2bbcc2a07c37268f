"""The registry of agents with a stop hook."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from . import claude, codex, copilot, cursor, gemini
from .hook_file import HookFile
from .payload import Fields, UnknownPayloadError, fields_of
from .stop import AgentStop, HookAnswer, StopReply, UnknownPayload


class AgentDialect(NamedTuple):
    """The protocol of an agent: reader of payloads, writer of answers, and its settings file.

    `read` raises UnknownPayloadError. `trust` tells a user how to let the agent run the hook.
    """

    title: str
    read: Callable[[Fields], AgentStop]
    answer: Callable[[StopReply], HookAnswer]
    file: HookFile
    trust: str


AGENTS: Mapping[str, AgentDialect] = MappingProxyType(
    {
        "claude": AgentDialect(
            "Claude Code", claude.read, claude.answer, claude.FILE, claude.TRUST
        ),
        "codex": AgentDialect("Codex", codex.read, codex.answer, codex.FILE, codex.TRUST),
        "gemini": AgentDialect("Gemini CLI", gemini.read, gemini.answer, gemini.FILE, gemini.TRUST),
        "copilot": AgentDialect(
            "Copilot CLI", copilot.read, copilot.answer, copilot.FILE, copilot.TRUST
        ),
        "cursor": AgentDialect("Cursor", cursor.read, cursor.answer, cursor.FILE, cursor.TRUST),
    }
)
"""The agents, by the name for `verify --hook` and `init --agent`."""


def read(agent: str, payload: bytes) -> AgentStop | UnknownPayload:
    """Return the stop in a payload.

    The caller should read at most MAX_PAYLOAD_BYTES + 1 bytes.
    """
    dialect = AGENTS[agent]
    try:
        return dialect.read(fields_of(payload))
    except UnknownPayloadError as error:
        return UnknownPayload(f"invalid stop hook payload for {dialect.title}: {error}")


def answer(agent: str, reply: StopReply) -> HookAnswer:
    """Return a reply in the protocol of an agent."""
    return AGENTS[agent].answer(reply)
