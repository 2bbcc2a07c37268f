"""Gemini CLI, event AfterAgent.

Tested with 0.61.0. The payload has `session_id`, `transcript_path`, `cwd`, `hook_event_name`,
`timestamp`, `prompt`, `prompt_response` and `stop_hook_active`. To block, the hook prints
`{"decision": "deny", "reason": ...}` and exits with 0, or prints the reason on standard error and
exits with 2 or more. The reason becomes the next prompt. `systemMessage` is shown to the user.
Standard output may only have JSON. Timeouts are in milliseconds, 60,000 by default. Each block uses
one of 100 turns. Sources:
google-gemini/gemini-cli, docs/hooks/reference.md and packages/core/src/hooks/hookRunner.ts.
"""

import json

from .hook_file import HookFile, command_of
from .payload import Fields, common_stop
from .stop import TIMEOUT, AgentStop, HookAnswer, StopReply

EVENT = "AfterAgent"
# NOTE: Gemini CLI treats exit code 127 as a block. Without `exit 0` an agent could never stop if
# the program is not installed. `;` works in a POSIX shell and in PowerShell.
HOOK = {
    "name": "helix-hooks",
    "type": "command",
    "command": f"{command_of('gemini')}; exit 0",
    "timeout": TIMEOUT * 1000,
}
FILE = HookFile(
    agent="gemini",
    path=".gemini/settings.json",
    event=EVENT,
    entry={"hooks": [HOOK]},
    off=(("hooksConfig", "enabled"), False),
)
TRUST = (
    "Gemini CLI runs it only in a trusted folder: start `gemini` there and accept, or set "
    "GEMINI_CLI_TRUST_WORKSPACE=true if nobody can answer."
)


def read(fields: Fields) -> AgentStop:
    """Return the stop in a payload. Raises UnknownPayloadError."""
    return common_stop("gemini", EVENT, fields)


def answer(reply: StopReply) -> HookAnswer:
    """Return the answer."""
    output = {}
    if reply.is_blocked:
        output = {"decision": "deny", "reason": reply.reason}
    if reply.message:
        output["systemMessage"] = reply.message
    return HookAnswer(json.dumps(output) + "\n")
