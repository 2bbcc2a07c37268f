"""An agent starts a session, reads a file or edits one: payloads of these hooks, and answers.

Claude Code, events SessionStart and PreToolUse. Tested with 2.1.330. `additionalContext` of
PreToolUse reaches the model behind the result of the tool, so it comes before an edit only if the
tool reads. Edit refuses a file that was not read; Write may create one. A denied edit does not run,
and its reason is the result. `agent_id` names a subagent, which has a context of its own. After
`compact` and `clear`, SessionStart comes again. Exit code 2 blocks, each other one does not.
Source: https://code.claude.com/docs/en/hooks.

Gemini CLI, events SessionStart, BeforeTool and AfterTool. Tested with 0.61.0. `additionalContext`
of BeforeTool is dropped; that of AfterTool is added to the result.

Copilot CLI, events sessionStart and preToolUse. Tested with 1.0.102. A payload does not name its
event, and preToolUse has no matcher. Context reaches the model behind the result of the tool. The
hooks of .claude/settings.json also run, with Claude Code's names of fields and tools, so a session
has one name for both.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple

from .hook_file import HookFile
from .payload import Fields, UnknownPayloadError, fields_of, name, text
from .registry import AGENTS

_KEYS = ("session_id", "tool_name", "tool_input")
_COPILOT_KEYS = ("sessionId", "toolName", "toolArgs")
_PATHS = ("file_path", "notebook_path", "path")
_READS = frozenset(("Read", "read_file", "view"))
_EDITS = frozenset(
    ("Edit", "MultiEdit", "NotebookEdit", "Write", "write_file", "replace", "create", "edit")
)

_COMMAND = "helix-hooks decisions --budget 6000 --hook"
"""A session gets each decision once, so it may be a longer text than for one question."""

_SECONDS = 30


def _files(agent: str, events: Mapping[str, str], hook: Mapping[str, object]) -> list[HookFile]:
    """Return the hooks of an agent for some events, each with the names of its tools, or ""."""
    return [
        AGENTS[agent].file._replace(
            event=event,
            command="decisions",
            entry={**({"matcher": tools} if tools else {}), "hooks": [hook]},
        )
        for event, tools in events.items()
    ]


HOOKS: Mapping[str, list[HookFile]] = {
    "claude": _files(
        "claude",
        {"SessionStart": "", "PreToolUse": "Edit|MultiEdit|NotebookEdit|Read|Write"},
        # NOTE: An older program does not know the option and exits with 2, which blocks the tool.
        {"type": "command", "command": f"{_COMMAND} claude || exit 1", "timeout": _SECONDS},
    ),
    "gemini": _files(
        "gemini",
        {"SessionStart": "", "BeforeTool": "write_file|replace", "AfterTool": "read_file"},
        {
            "name": "helix-hooks decisions",
            "type": "command",
            "command": f"{_COMMAND} gemini; exit 0",
            "timeout": _SECONDS * 1000,
        },
    ),
    "copilot": [
        AGENTS["copilot"].file._replace(
            event=event,
            command="decisions",
            entry={
                "type": "command",
                "bash": f"{_COMMAND} copilot; exit 0",
                "powershell": f"{_COMMAND} copilot; exit 0",
                "timeoutSec": _SECONDS,
            },
        )
        for event in ("sessionStart", "preToolUse")
    ],
}
"""The hooks of the agents that give a text to their model before an edit."""


class SessionStart(NamedTuple):
    """A session starts. `is_resumed`: the model still has what it was given before."""

    event: str
    session: str
    folder: str
    is_resumed: bool


class FileUse(NamedTuple):
    """An agent is about to edit a file (`is_edit`), or reads it.

    `session` names a conversation with a context of its own. `folder` is the working folder.
    """

    event: str
    session: str
    folder: str
    file: str
    is_edit: bool


def read(agent: str, payload: bytes) -> SessionStart | FileUse | None:
    """Return what an agent does; None for a tool that uses no file. Raises UnknownPayloadError."""
    session_key, tool_key, input_key = _COPILOT_KEYS if agent == "copilot" else _KEYS
    fields = fields_of(payload)
    event = name(fields, "hook_event_name") if agent != "copilot" else ""
    session = name(fields, session_key)
    if "agent_id" in fields:
        session = f"{session}:{name(fields, 'agent_id')}"
    folder = text(fields, "cwd")
    if tool_key not in fields:
        return SessionStart(event, session, folder, name(fields, "source") == "resume")
    tool = name(fields, tool_key)
    if tool not in _READS | _EDITS:
        return None
    return FileUse(event, session, folder, _path(fields, input_key), tool in _EDITS)


def _path(fields: Fields, key: str) -> str:
    """Return the path in the input of a tool. Raises UnknownPayloadError."""
    values = fields.get(key)
    if not isinstance(values, dict):
        raise UnknownPayloadError(f"{key} is not an object")
    return text(values, next((path for path in _PATHS if path in values), _PATHS[0]))


def answer(agent: str, use: SessionStart | FileUse, context: str) -> str:
    """Return the answer that gives a text to the model. An edit does not run; it may be repeated.

    There is no answer that permits a tool.
    """
    output = {"additionalContext": context}
    if isinstance(use, FileUse) and use.is_edit:
        if agent == "gemini":
            return json.dumps({"decision": "deny", "reason": context}) + "\n"
        output = {"permissionDecision": "deny", "permissionDecisionReason": context}
    if agent == "copilot":
        return json.dumps(output) + "\n"
    return json.dumps({"hookSpecificOutput": {"hookEventName": use.event, **output}}) + "\n"
