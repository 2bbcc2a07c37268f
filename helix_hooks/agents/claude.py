"""Claude Code, event Stop.

Seen with 2.1.330. The payload has `session_id`, `transcript_path`, `cwd`, `permission_mode`,
`hook_event_name`, `stop_hook_active` and `last_assistant_message`. The hook blocks by
`{"decision": "block", "reason": ...}` on standard output and exit 0, or by exit 2 with the reason
on standard error; exit 1 blocks nothing. `systemMessage` is shown to the user. A hook has 600 s by
default; one that takes longer blocks nothing. After 8 blocks in a row the agent stops
(CLAUDE_CODE_STOP_HOOK_BLOCK_CAP). See https://code.claude.com/docs/en/hooks.
"""

import json

from .payload import Fields, common_stop
from .settings.hook_file import HookFile, command_of
from .stop import TIMEOUT, AgentStop, HookAnswer, StopReply

EVENT = "Stop"
HOOK = {"type": "command", "command": command_of("claude"), "timeout": TIMEOUT}
FILE = HookFile(
    agent="claude",
    path=".claude/settings.json",
    event=EVENT,
    entry={"hooks": [HOOK]},
    off=(("disableAllHooks",), True),
)
TRUST = (
    "Claude Code runs it once you trust the folder: start `claude` there and accept, and `/hooks` "
    "lists it. With -p it runs without that question."
)


def read(fields: Fields) -> AgentStop:
    """Return the stop of a payload. Raises UnknownPayloadError."""
    return common_stop("claude", EVENT, fields)


def answer(reply: StopReply) -> HookAnswer:
    """Return the answer. Codex takes the same one."""
    output = {"decision": "block", "reason": reply.reason} if reply.is_blocked else {}
    if reply.message:
        output["systemMessage"] = reply.message
    return HookAnswer(json.dumps(output) + "\n" if output else "")
