"""A stop of a coding agent as values: the input of its hook, and the answers."""

from typing import NamedTuple

MAX_PAYLOAD_BYTES = 4_000_000
"""Maximum size of a payload. It has the last message of the agent, not the conversation."""

TIMEOUT = 600
"""Seconds after which an agent ends our hook: the default of Claude Code and Codex. The defaults of
Copilot CLI (30) and Gemini CLI (60) are too short to run tests as evidence.
"""

MAX_REASON_CHARACTERS = 9_000
"""Maximum length of a reason. Claude Code replaces a hook's text of more than 10,000 characters by
the path of a file.
"""

_CUT = "\n... (cut; `helix-hooks feedback` prints all)"
_NO_REASON = "The work is not complete. Run `helix-hooks feedback`, and do what it says."


class AgentStop(NamedTuple):
    """An agent wants to stop.

    `session` is its name for the conversation. `folder` is its working folder, "" for the folder in
    which the hook was started. `already_blocked`: a hook has already blocked this turn.
    """

    agent: str
    session: str
    folder: str
    already_blocked: bool

    @property
    def conversation(self) -> str:
        """The key of the counter of attempts.

        It includes the agent: Copilot CLI also runs the hook in .claude/settings.json, and each of
        the two hooks has its own counter.
        """
        return f"{self.agent}:{self.session}"


class UnknownPayload(NamedTuple):
    """A payload that is not a stop event of this agent. The agent may stop."""

    reason: str


class StopReply(NamedTuple):
    """The answer to a stop.

    With `is_blocked` the agent continues, and gets the `reason`, which is never empty. `message` is
    shown to the user.
    """

    is_blocked: bool
    reason: str = ""
    message: str = ""


class HookAnswer(NamedTuple):
    """The output and the exit code of the hook's process."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0


def allowed(message: str = "") -> StopReply:
    """Return the reply that lets the agent stop."""
    return StopReply(is_blocked=False, message=message)


def blocked(reason: str, message: str = "") -> StopReply:
    """Return the reply that makes the agent continue."""
    text = reason.strip() or _NO_REASON
    if len(text) > MAX_REASON_CHARACTERS:
        text = text[: MAX_REASON_CHARACTERS - len(_CUT)] + _CUT
    return StopReply(is_blocked=True, reason=text, message=message)
