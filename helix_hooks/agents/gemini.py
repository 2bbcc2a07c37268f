"""Gemini CLI, event AfterAgent.

Seen with 0.61.0. The payload has `session_id`, `transcript_path`, `cwd`, `hook_event_name`,
`timestamp`, `prompt`, `prompt_response` and `stop_hook_active`. `{"decision": "deny", "reason":
...}` and exit 0 make the reason the next prompt; so do exit 2 and any code above it, with standard
error as the reason. `systemMessage` is shown to the user. Standard output must hold JSON alone.
Timeouts are in milliseconds, 60,000 by default. Each block takes one of 100 turns. Sources:
google-gemini/gemini-cli, docs/hooks/reference.md and packages/core/src/hooks/hookRunner.ts.
"""

import json

from .payload import Fields, common_stop
from .settings.hook_file import HookFile, command_of
from .stop import TIMEOUT, AgentStop, HookAnswer, StopReply

EVENT = "AfterAgent"
# NOTE: Gemini CLI takes exit code 127 for a block: without `exit 0` an agent could never stop where
# the program is not installed. A shell and PowerShell both know `;`.
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
    "Gemini CLI runs it in a trusted folder alone: start `gemini` there and accept, or set "
    "GEMINI_CLI_TRUST_WORKSPACE=true where nobody can answer."
)


def read(fields: Fields) -> AgentStop:
    """Return the stop of a payload. Raises UnknownPayloadError."""
    return common_stop("gemini", EVENT, fields)


def answer(reply: StopReply) -> HookAnswer:
    """Return the answer."""
    output = {"decision": "deny", "reason": reply.reason} if reply.is_blocked else {}
    if reply.message:
        output["systemMessage"] = reply.message
    return HookAnswer(json.dumps(output) + "\n")
