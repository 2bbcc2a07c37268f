"""What doctor says of the settings file of an agent, in each of its states."""

import pytest

from helix_hooks.agents.hook_file import block, with_hook
from helix_hooks.agents.registry import AGENTS
from helix_hooks.doctor import MISSING, OFF, OK, UNKNOWN, UNSAFE
from helix_hooks.doctor.clone import agent_line as line

CLAUDE = AGENTS["claude"].file
GOOD = block(CLAUDE)


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_the_hook_that_init_writes_needs_the_program(name: str) -> None:
    shown = line(name, block(AGENTS[name].file).encode(), {"PATH": ""})
    assert (shown.check, shown.state) == (f"agent-{name}", MISSING)
    assert "which is not on the PATH" in shown.message and shown.help


@pytest.mark.parametrize(
    ("data", "state", "message"),
    [
        (b"{}", OFF, "has no hook of helix-hooks"),
        (b"{,}", UNKNOWN, ".claude/settings.json:1: it is not JSON"),
        (b"\xef\xbb\xbf" + GOOD.encode(), MISSING, "calls helix-hooks"),
        (b'{"a": "\xff"}', UNKNOWN, "is not UTF-8"),
        (
            with_hook('{"disableAllHooks": true}', CLAUDE).encode(),
            UNSAFE,
            "`disableAllHooks` turns",
        ),
        (GOOD.replace("600", "1").encode(), UNKNOWN, "the hook is edited: helix-hooks verify"),
        (GOOD.replace("claude", "claude >/dev/null").encode(), UNKNOWN, "edited: helix-hooks"),
        (GOOD.replace("helix-hooks v", "bin/helix-hooks v").encode(), UNKNOWN, "edited: bin/h"),
    ],
    ids=["none", "broken", "mark", "bytes", "off", "timeout", "output", "path"],
)
def test_each_state_of_a_file(data: bytes, state: str, message: str) -> None:
    shown = line("claude", data, {"PATH": ""})
    assert shown.state == state and message in shown.message
    assert bool(shown.help) == (state != OK), "whatever is not ok says what to do"
