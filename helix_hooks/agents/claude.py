"""Claude Code, event Stop.

Tested with 2.1.330. The payload has `session_id`, `transcript_path`, `cwd`, `permission_mode`,
`hook_event_name`, `stop_hook_active` and `last_assistant_message`. To block, the hook prints
`{"decision": "block", "reason": ...}` and exits with 0, or prints the reason on standard error and
exits with 2. Exit code 1 does not block. `systemMessage` is shown to the user. The default timeout
is 600 s; a hook that takes longer does not block. After 8 blocks in a row the agent stops
(CLAUDE_CODE_STOP_HOOK_BLOCK_CAP). See https://code.claude.com/docs/en/hooks.
"""

import json

from .hook_file import HookFile, command_of
from .payload import Fields, common_stop
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
    "lists it. With -p the hook runs without this question."
)


def read(fields: Fields) -> AgentStop:
    """Return the stop in a payload. Raises UnknownPayloadError."""
    return common_stop("claude", EVENT, fields)


def answer(reply: StopReply) -> HookAnswer:
    """Return the answer, which is the same for Codex."""
    output = {}
    if reply.is_blocked:
        output = {"decision": "block", "reason": reply.reason}
    if reply.message:
        output["systemMessage"] = reply.message
    if not output:
        return HookAnswer()
    return HookAnswer(json.dumps(output) + "\n")
