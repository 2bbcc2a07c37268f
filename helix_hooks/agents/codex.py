"""OpenAI Codex, event Stop.

Seen with 0.169.0. The names are those of Claude Code, with `turn_id` and `model` added;
`transcript_path` and `last_assistant_message` may be null. The output may have no other key than
`decision` ("block" alone), `reason`, `systemMessage`, `continue`, `stopReason` and
`suppressOutput`; a block without a reason fails. `systemMessage` is shown as a warning in a
terminal, and not by `codex exec`. The reason becomes a prompt of the user in `<hook_prompt>`. A
hook has 600 s by default. Nothing limits the number of blocks (openai/codex#37937). A hook that the
user did not trust is skipped silently in `codex exec` (openai/codex#46210). Sources: openai/codex,
codex-rs/hooks/src/events/stop.rs and codex-rs/hooks/schema/generated;
https://developers.openai.com/codex/hooks.
"""

from . import claude
from .payload import Fields, common_stop
from .settings.hook_file import HookFile, command_of
from .stop import TIMEOUT, AgentStop

EVENT = "Stop"
HOOK = {"type": "command", "command": command_of("codex"), "timeout": TIMEOUT}
FILE = HookFile(agent="codex", path=".codex/hooks.json", event=EVENT, entry={"hooks": [HOOK]})
TRUST = (
    "Codex skips it until you trust it, silently in `codex exec`: start `codex` in this folder, "
    "trust the project, then trust the hook in `/hooks`; again after each change of it."
)
answer = claude.answer


def read(fields: Fields) -> AgentStop:
    """Return the stop of a payload. Raises UnknownPayloadError."""
    return common_stop("codex", EVENT, fields)
