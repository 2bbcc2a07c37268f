"""OpenAI Codex, event Stop.

Tested with 0.169.0. The payload has the names of Claude Code, and also `turn_id` and `model`;
`transcript_path` and `last_assistant_message` may be null. The output may only have the keys
`decision` (only "block"), `reason`, `systemMessage`, `continue`, `stopReason` and `suppressOutput`;
a block without a reason fails. `systemMessage` is shown as a warning in a terminal, but not by
`codex exec`. The reason becomes a user prompt in `<hook_prompt>`. The default timeout is 600 s. The
number of blocks is not limited (openai/codex#37937). A hook that the user has not trusted is
skipped silently in `codex exec` (openai/codex#46210). Sources: openai/codex,
codex-rs/hooks/src/events/stop.rs and codex-rs/hooks/schema/generated;
https://developers.openai.com/codex/hooks.
"""

from . import claude
from .hook_file import HookFile, command_of
from .payload import Fields, common_stop
from .stop import TIMEOUT, AgentStop

EVENT = "Stop"
HOOK = {"type": "command", "command": command_of("codex"), "timeout": TIMEOUT}
FILE = HookFile(agent="codex", path=".codex/hooks.json", event=EVENT, entry={"hooks": [HOOK]})
TRUST = (
    "Codex skips the hook until you trust it: start `codex` in this folder, trust the project, "
    "then trust the hook in `/hooks`. Repeat this after each change of the hook. `codex exec` "
    "skips it silently."
)
answer = claude.answer


def read(fields: Fields) -> AgentStop:
    """Return the stop in a payload. Raises UnknownPayloadError."""
    return common_stop("codex", EVENT, fields)
