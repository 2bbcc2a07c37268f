"""GitHub Copilot CLI and its cloud agent, event agentStop.

Tested with 1.0.102. The payload has `sessionId`, `timestamp`, `cwd`, `transcriptPath`, `stopReason`
("end_turn") and, in newer versions, `stop_hook_active`; it does not name its event. The payload of
subagentStop also has `agentName`. To block, the hook prints `{"decision": "block", "reason": ...}`
and exits with 0; exit code 2 only warns (exospherehost/failproofai#299). The reason becomes the
next prompt. There is no field for a message to the user; a line `{"type": "progress", "message":
...}` is shown while the hook runs and is not an answer. The default timeout is 30 s. After 8 blocks
in a row the agent stops. Hooks of a repository run only in a trusted folder, so not with `-p` in a
new folder
(github/copilot-cli#3345), unless GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS is true. The hooks of
.claude/settings.json also run, with a payload of Claude Code's names. Source: github/docs,
content/copilot/reference/hooks-reference.md.
"""

import json

from .hook_file import HookFile, command_of
from .payload import Fields, UnknownPayloadError, expect, flag, name, text
from .stop import TIMEOUT, AgentStop, HookAnswer, StopReply

EVENT = "agentStop"
HOOK = {
    "type": "command",
    "bash": command_of("copilot"),
    "powershell": command_of("copilot"),
    "timeoutSec": TIMEOUT,
}
FILE = HookFile(
    agent="copilot",
    path=".github/hooks/helix-hooks.json",
    event=EVENT,
    entry=HOOK,
    frame={"version": 1},
    off=(("disableAllHooks",), True),
)
TRUST = (
    "Copilot CLI runs it only in a trusted folder: start `copilot` there and accept. With -p "
    "there is no question: set GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true. The cloud agent runs "
    "the hook from the default branch, and needs helix-hooks in its set-up steps."
)


def read(fields: Fields) -> AgentStop:
    """Return the stop in a payload. Raises UnknownPayloadError."""
    if "agentName" in fields:
        raise UnknownPayloadError("it has agentName, so it is of subagentStop")
    expect(fields, "stopReason", "end_turn")
    active = "stop_hook_active"
    return AgentStop(
        agent="copilot",
        session=name(fields, "sessionId"),
        folder=text(fields, "cwd"),
        already_blocked=active in fields and flag(fields, active),
    )


def answer(reply: StopReply) -> HookAnswer:
    """Return the answer."""
    lines = []
    if reply.message:
        lines.append({"type": "progress", "message": reply.message})
    if reply.is_blocked:
        lines.append({"decision": "block", "reason": reply.reason})
    return HookAnswer("".join(json.dumps(line) + "\n" for line in lines))
