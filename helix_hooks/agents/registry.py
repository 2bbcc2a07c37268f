"""The agents whose stop hooks are known: the one list of them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from . import claude, codex, copilot, cursor, gemini
from .payload import Fields, UnknownPayloadError, fields_of
from .stop import AgentStop, HookAnswer, StopReply, UnknownPayload


class AgentDialect(NamedTuple):
    """The protocol of an agent: how its payload is read, and how it is answered.

    `read` raises UnknownPayloadError.
    """

    title: str
    read: Callable[[Fields], AgentStop]
    answer: Callable[[StopReply], HookAnswer]


AGENTS: Mapping[str, AgentDialect] = MappingProxyType(
    {
        "claude": AgentDialect("Claude Code", claude.read, claude.answer),
        "codex": AgentDialect("Codex", codex.read, codex.answer),
        "gemini": AgentDialect("Gemini CLI", gemini.read, gemini.answer),
        "copilot": AgentDialect("Copilot CLI", copilot.read, copilot.answer),
        "cursor": AgentDialect("Cursor", cursor.read, cursor.answer),
    }
)
"""The agents, by the name that `verify --hook` and `init --agent` take."""


def read(agent: str, payload: bytes) -> AgentStop | UnknownPayload:
    """Return the stop that a payload reports.

    The caller reads at most MAX_PAYLOAD_BYTES + 1 bytes.
    """
    dialect = AGENTS[agent]
    try:
        return dialect.read(fields_of(payload))
    except UnknownPayloadError as error:
        return UnknownPayload(f"this is no payload of a stop of {dialect.title}: {error}")


def answer(agent: str, reply: StopReply) -> HookAnswer:
    """Return a reply in the protocol of an agent."""
    return AGENTS[agent].answer(reply)
