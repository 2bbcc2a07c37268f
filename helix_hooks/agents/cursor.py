"""Cursor, event stop.

The payload has `conversation_id`, `generation_id`, `model`, `hook_event_name`, `cursor_version`,
`workspace_roots`, `user_email`, `transcript_path`, `status` ("completed", "aborted" or "error") and
`loop_count`, the number of follow-ups in this conversation. On Windows it starts with a byte-order
mark. A hook of a project starts in the root of that project, which is one of the `workspace_roots`.
`{"followup_message": ...}` becomes the next user message; there is no other way to block, and no
field for a message to the user, but standard error is shown in the output channel Hooks. Cursor
sends at most `loop_limit` follow-ups (5 by default). Hooks of a project run only in a trusted
workspace. Source: https://cursor.com/docs/agent/hooks.
"""

import json

from .hook_file import HookFile, command_of
from .payload import Fields, UnknownPayloadError, expect, name
from .stop import TIMEOUT, AgentStop, HookAnswer, StopReply

EVENT = "stop"
FILE = HookFile(
    agent="cursor",
    path=".cursor/hooks.json",
    event=EVENT,
    entry={"command": command_of("cursor"), "timeout": TIMEOUT},
    frame={"version": 1},
)
TRUST = "Cursor runs it only in a trusted workspace; restart Cursor, and Settings > Hooks lists it."


def read(fields: Fields) -> AgentStop:
    """Return the stop in a payload. Raises UnknownPayloadError."""
    expect(fields, "hook_event_name", EVENT)
    expect(fields, "status", "completed")
    count = fields.get("loop_count")
    # In Python a bool is an int.
    if not isinstance(count, int) or isinstance(count, bool):
        raise UnknownPayloadError("loop_count is not a number")
    return AgentStop(
        agent="cursor",
        session=name(fields, "conversation_id"),
        folder="",
        already_blocked=count > 0,
    )


def answer(reply: StopReply) -> HookAnswer:
    """Return the answer."""
    output = {"followup_message": reply.reason} if reply.is_blocked else {}
    answer = HookAnswer(json.dumps(output) + "\n")
    if reply.message:
        answer = answer._replace(stderr=f"{reply.message}\n")
    return answer
