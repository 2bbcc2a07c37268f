"""A stop of a coding agent as values: what its hook is told, and what the hook may answer."""

from typing import NamedTuple

MAX_PAYLOAD_BYTES = 4_000_000
"""No larger payload is read. It holds the last message of the agent, not the conversation."""

TIMEOUT = 600
"""Seconds after which an agent ends our hook, the default of Claude Code and Codex. Copilot CLI and
Gemini CLI have 30 and 60, too few for a test that is evidence.
"""

MAX_REASON_CHARACTERS = 9_000
"""Length of a reason. Claude Code replaces a hook's text of more than 10,000 characters by the path
of a file.
"""

_CUT = "\n... (cut; `helix-hooks feedback` prints all)"
_NO_REASON = "The work is not complete. Run `helix-hooks feedback`, and do what it says."


class AgentStop(NamedTuple):
    """An agent says that it is done.

    `session` is its name for the conversation. `folder` is where it works, "" for the folder in
    which the hook was started. `already_blocked` says that a hook blocked this turn before.
    """

    agent: str
    session: str
    folder: str
    already_blocked: bool

    @property
    def conversation(self) -> str:
        """Return a key for the counter of attempts.

        Copilot CLI also runs the hook in .claude/settings.json: each of the two hooks counts for
        itself.
        """
        return f"{self.agent}:{self.session}"


class UnknownPayload(NamedTuple):
    """A payload that is no stop of this agent. The agent may stop; `reason` says why."""

    reason: str


class StopReply(NamedTuple):
    """The answer to a stop.

    The agent goes on if `is_blocked`: `reason` is what it is told, never empty. `message` is shown
    to the user.
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
    """Return the reply by which an agent may stop."""
    return StopReply(is_blocked=False, message=message)


def blocked(reason: str, message: str = "") -> StopReply:
    """Return the reply by which an agent goes on."""
    text = reason.strip() or _NO_REASON
    if len(text) > MAX_REASON_CHARACTERS:
        text = text[: MAX_REASON_CHARACTERS - len(_CUT)] + _CUT
    return StopReply(is_blocked=True, reason=text, message=message)
