"""Cursor, event stop.

The payload has `conversation_id`, `generation_id`, `model`, `hook_event_name`, `cursor_version`,
`workspace_roots`, `user_email`, `transcript_path`, `status` ("completed", "aborted" or "error") and
`loop_count`, the number of follow-ups in this conversation; on Windows a byte-order mark stands
before it. A hook of a project is started in the root of that project, whichever of the
`workspace_roots` it is. `{"followup_message": ...}` becomes the next message of the user; there is
no other block and no field for a message to the user, but standard error is in the output channel
Hooks. Cursor sends at most `loop_limit` follow-ups (5 by default). Hooks of a project run in a
trusted workspace alone. Source: https://cursor.com/docs/agent/hooks.
"""

import json

from .payload import Fields, UnknownPayloadError, expect, name
from .settings.hook_file import HookFile, command_of
from .stop import TIMEOUT, AgentStop, HookAnswer, StopReply

EVENT = "stop"
FILE = HookFile(
    agent="cursor",
    path=".cursor/hooks.json",
    event=EVENT,
    entry={"command": command_of("cursor"), "timeout": TIMEOUT},
    frame={"version": 1},
)
TRUST = (
    "Cursor runs it in a trusted workspace alone; restart Cursor, and Settings > Hooks lists it."
)


def read(fields: Fields) -> AgentStop:
    """Return the stop of a payload. Raises UnknownPayloadError."""
    expect(fields, "hook_event_name", EVENT)
    expect(fields, "status", "completed")
    count = fields.get("loop_count")
    if not isinstance(count, int) or isinstance(count, bool):
        raise UnknownPayloadError("loop_count is no number")
    return AgentStop(
        agent="cursor",
        session=name(fields, "conversation_id"),
        folder="",
        already_blocked=count > 0,
    )


def answer(reply: StopReply) -> HookAnswer:
    """Return the answer."""
    output = {"followup_message": reply.reason} if reply.is_blocked else {}
    return HookAnswer(json.dumps(output) + "\n", f"{reply.message}\n" if reply.message else "")
