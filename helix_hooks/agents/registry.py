"""The agents with a stop hook: how each names a stop, is answered, and lists its hooks.

Claude Code, event Stop. Tested with 2.1.330. The payload has `session_id`, `transcript_path`,
`cwd`, `permission_mode`, `hook_event_name`, `stop_hook_active` and `last_assistant_message`. To
block, the hook prints `{"decision": "block", "reason": ...}` and exits with 0, or prints the
reason on standard error and exits with 2. Exit code 1 does not block. `systemMessage` is shown to
the user. The default timeout is 600 s; a hook that takes longer does not block. After 8 blocks in
a row the agent stops (CLAUDE_CODE_STOP_HOOK_BLOCK_CAP). See
https://code.claude.com/docs/en/hooks.

OpenAI Codex, event Stop. Tested with 0.169.0. The payload has the names of Claude Code, and also
`turn_id` and `model`; `transcript_path` and `last_assistant_message` may be null. The output may
only have the keys `decision` (only "block"), `reason`, `systemMessage`, `continue`, `stopReason`
and `suppressOutput`; a block without a reason fails. `systemMessage` is shown as a warning in a
terminal, but not by `codex exec`. The reason becomes a user prompt in `<hook_prompt>`. The
default timeout is 600 s. The number of blocks is not limited (openai/codex#37937). A hook that
the user has not trusted is skipped silently in `codex exec` (openai/codex#46210). Sources:
openai/codex, codex-rs/hooks/src/events/stop.rs and codex-rs/hooks/schema/generated;
https://developers.openai.com/codex/hooks.

Gemini CLI, event AfterAgent. Tested with 0.61.0. The payload has `session_id`, `transcript_path`,
`cwd`, `hook_event_name`, `timestamp`, `prompt`, `prompt_response` and `stop_hook_active`. To
block, the hook prints `{"decision": "deny", "reason": ...}` and exits with 0, or prints the
reason on standard error and exits with 2 or more. The reason becomes the next prompt.
`systemMessage` is shown to the user. Standard output may only have JSON. Timeouts are in
milliseconds, 60,000 by default. Each block uses one of 100 turns. Sources:
google-gemini/gemini-cli, docs/hooks/reference.md and packages/core/src/hooks/hookRunner.ts.

GitHub Copilot CLI and its cloud agent, event agentStop. Tested with 1.0.102. The payload has
`sessionId`, `timestamp`, `cwd`, `transcriptPath`, `stopReason` ("end_turn") and, in newer
versions, `stop_hook_active`; it does not name its event. The payload of subagentStop also has
`agentName`. To block, the hook prints `{"decision": "block", "reason": ...}` and exits with 0;
exit code 2 only warns (exospherehost/failproofai#299). The reason becomes the next prompt. There
is no field for a message to the user; a line `{"type": "progress", "message": ...}` is shown
while the hook runs and is not an answer. The default timeout is 30 s. After 8 blocks in a row the
agent stops. Hooks of a repository run only in a trusted folder, so not with `-p` in a new folder
(github/copilot-cli#3345), unless GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS is true. The hooks of
.claude/settings.json also run, with a payload of Claude Code's names. Source: github/docs,
content/copilot/reference/hooks-reference.md.

Cursor, event stop. The payload has `conversation_id`, `generation_id`, `model`,
`hook_event_name`, `cursor_version`, `workspace_roots`, `user_email`, `transcript_path`, `status`
("completed", "aborted" or "error") and `loop_count`, the number of follow-ups in this
conversation. On Windows it starts with a byte-order mark. A hook of a project starts in the root
of that project, which is one of the `workspace_roots`. `{"followup_message": ...}` becomes the
next user message; there is no other way to block, and no field for a message to the user, but
standard error is shown in the output channel Hooks. Cursor sends at most `loop_limit` follow-ups
(5 by default). Hooks of a project run only in a trusted workspace. Source:
https://cursor.com/docs/agent/hooks.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from .hook_file import HookFile, command_of
from .payload import Fields, UnknownPayloadError, expect, fields_of, flag, name, text
from .stop import TIMEOUT, AgentStop, HookAnswer, StopReply, UnknownPayload


class AgentDialect(NamedTuple):
    """The protocol of an agent: reader of payloads, writer of answers, and its settings file.

    `read` raises UnknownPayloadError. `trust` tells a user how to let the agent run the hook.
    """

    title: str
    read: Callable[[Fields], AgentStop]
    answer: Callable[[StopReply], HookAnswer]
    file: HookFile
    trust: str


def _read_common(agent: str, event: str, fields: Fields) -> AgentStop:
    """Return the stop in a payload with the field names of Claude Code."""
    expect(fields, "hook_event_name", event)
    return AgentStop(
        agent=agent,
        session=name(fields, "session_id"),
        folder=text(fields, "cwd"),
        already_blocked=flag(fields, "stop_hook_active"),
    )


def _read_copilot(fields: Fields) -> AgentStop:
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


def _read_cursor(fields: Fields) -> AgentStop:
    expect(fields, "hook_event_name", "stop")
    expect(fields, "status", "completed")
    count = fields.get("loop_count")
    # In Python a bool is an int.
    if not isinstance(count, int) or isinstance(count, bool):
        raise UnknownPayloadError("loop_count is not a number")
    session = name(fields, "conversation_id")
    return AgentStop(agent="cursor", session=session, folder="", already_blocked=count > 0)


def _answer_common(block: str, reply: StopReply) -> HookAnswer:
    """Return the answer as one JSON object, whose `decision` is the word of the agent."""
    output = {}
    if reply.is_blocked:
        output = {"decision": block, "reason": reply.reason}
    if reply.message:
        output["systemMessage"] = reply.message
    return _json(output)


def _answer_claude(reply: StopReply) -> HookAnswer:
    """Return the answer; nothing if the agent may stop and there is no message."""
    return _answer_common("block", reply) if any(reply) else HookAnswer()


def _answer_copilot(reply: StopReply) -> HookAnswer:
    lines = []
    if reply.message:
        lines.append({"type": "progress", "message": reply.message})
    if reply.is_blocked:
        lines.append({"decision": "block", "reason": reply.reason})
    return _json(*lines)


def _answer_cursor(reply: StopReply) -> HookAnswer:
    answer = _json({"followup_message": reply.reason} if reply.is_blocked else {})
    return answer._replace(stderr=f"{reply.message}\n" if reply.message else "")


def _json(*lines: Mapping[str, str]) -> HookAnswer:
    return HookAnswer("".join(json.dumps(line) + "\n" for line in lines))


def _hook(agent: str) -> dict[str, object]:
    return {"type": "command", "command": command_of(agent), "timeout": TIMEOUT}


AGENTS: Mapping[str, AgentDialect] = MappingProxyType(
    {
        "claude": AgentDialect(
            title="Claude Code",
            read=partial(_read_common, "claude", "Stop"),
            answer=_answer_claude,
            file=HookFile(
                agent="claude",
                path=".claude/settings.json",
                event="Stop",
                entry={"hooks": [_hook("claude")]},
                off=(("disableAllHooks",), True),
            ),
            trust="Claude Code runs it once you trust the folder: start `claude` there and accept, "
            "and `/hooks` lists it. With -p the hook runs without this question.",
        ),
        "codex": AgentDialect(
            title="Codex",
            read=partial(_read_common, "codex", "Stop"),
            answer=_answer_claude,
            file=HookFile(
                agent="codex",
                path=".codex/hooks.json",
                event="Stop",
                entry={"hooks": [_hook("codex")]},
            ),
            trust="Codex skips the hook until you trust it: start `codex` in this folder, trust "
            "the project, then trust the hook in `/hooks`. Repeat this after each change of the "
            "hook. `codex exec` skips it silently.",
        ),
        "gemini": AgentDialect(
            title="Gemini CLI",
            read=partial(_read_common, "gemini", "AfterAgent"),
            answer=partial(_answer_common, "deny"),
            file=HookFile(
                agent="gemini",
                path=".gemini/settings.json",
                event="AfterAgent",
                # NOTE: Gemini CLI treats exit code 127 as a block. Without `exit 0` an agent could
                # never stop if the program is not installed. `;` works in a POSIX shell and in
                # PowerShell.
                entry={
                    "hooks": [
                        {
                            "name": "helix-hooks",
                            "type": "command",
                            "command": f"{command_of('gemini')}; exit 0",
                            "timeout": TIMEOUT * 1000,
                        }
                    ]
                },
                off=(("hooksConfig", "enabled"), False),
            ),
            trust="Gemini CLI runs it only in a trusted folder: start `gemini` there and accept, "
            "or set GEMINI_CLI_TRUST_WORKSPACE=true if nobody can answer.",
        ),
        "copilot": AgentDialect(
            title="Copilot CLI",
            read=_read_copilot,
            answer=_answer_copilot,
            file=HookFile(
                agent="copilot",
                path=".github/hooks/helix-hooks.json",
                event="agentStop",
                entry={
                    "type": "command",
                    "bash": command_of("copilot"),
                    "powershell": command_of("copilot"),
                    "timeoutSec": TIMEOUT,
                },
                frame={"version": 1},
                off=(("disableAllHooks",), True),
            ),
            trust="Copilot CLI runs it only in a trusted folder: start `copilot` there and accept. "
            "With -p there is no question: set GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true. The "
            "cloud agent runs the hook from the default branch, and needs helix-hooks in its "
            "set-up steps.",
        ),
        "cursor": AgentDialect(
            title="Cursor",
            read=_read_cursor,
            answer=_answer_cursor,
            file=HookFile(
                agent="cursor",
                path=".cursor/hooks.json",
                event="stop",
                entry={"command": command_of("cursor"), "timeout": TIMEOUT},
                frame={"version": 1},
            ),
            trust="Cursor runs it only in a trusted workspace; restart Cursor, and Settings > "
            "Hooks lists it.",
        ),
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
