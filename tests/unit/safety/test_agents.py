"""What doctor says of the hooks of agents: a line for each settings file, in its state."""

import pytest

from helix_hooks.agents.hook_file import block, with_hook
from helix_hooks.agents.registry import AGENTS
from helix_hooks.safety.agents import AgentFacts, lines
from helix_hooks.safety.line import MISSING, OK, UNKNOWN, UNSAFE, Line

CLAUDE = AGENTS["claude"].file
GOOD = block(CLAUDE)
FACTS = AgentFacts(files={}, program="/usr/bin/helix-hooks", version="0.1.0", own_version="0.1.0")


def line_on(data: bytes | str, facts: AgentFacts = FACTS) -> Line:
    (line,) = lines(facts._replace(files={"claude": data}))
    assert line.check == "agent-claude"
    assert bool(line.help) == (line.state != OK), "whatever is not ok says what to do"
    return line


def test_no_file_is_no_line() -> None:
    assert list(lines(FACTS)) == []


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_the_hook_that_init_writes_is_ok(name: str) -> None:
    file = AGENTS[name].file
    (line,) = lines(FACTS._replace(files={name: block(file).encode()}))
    assert line.state == OK
    assert line.message == f"{file.path} calls helix-hooks when {AGENTS[name].title} stops"


@pytest.mark.parametrize(
    ("data", "state", "message"),
    [
        (b"{}", OK, "has no hook of helix-hooks; `helix-hooks init --agent claude` adds it"),
        (b"{,}", UNKNOWN, ".claude/settings.json:1: it is not JSON"),
        (b"\xef\xbb\xbf" + GOOD.encode(), OK, "calls helix-hooks"),
        (b'{"a": "\xff"}', UNKNOWN, "is not UTF-8"),
        (".claude/settings.json:1: leads out", UNKNOWN, "leads out"),
        (
            with_hook('{"disableAllHooks": true}', CLAUDE).encode(),
            UNSAFE,
            "`disableAllHooks` turns",
        ),
        (GOOD.replace("600", "1").encode(), UNKNOWN, "the hook is edited: helix-hooks verify"),
        (GOOD.replace("claude", "claude >/dev/null").encode(), UNKNOWN, "edited: helix-hooks"),
        (GOOD.replace("helix-hooks v", "bin/helix-hooks v").encode(), UNKNOWN, "edited: bin/h"),
    ],
    ids=["none", "broken", "mark", "bytes", "unreadable", "off", "timeout", "output", "path"],
)
def test_each_state_of_a_file(data: bytes | str, state: str, message: str) -> None:
    line = line_on(data)
    assert line.state == state
    assert message in line.message


def test_a_program_that_is_not_there_is_missing() -> None:
    line = line_on(GOOD.encode(), FACTS._replace(program="", version=""))
    assert line.state == MISSING
    assert "not on the PATH" in line.message


@pytest.mark.parametrize("version", ["0.0.9", ""])
def test_another_version_is_unknown(version: str) -> None:
    line = line_on(GOOD.encode(), FACTS._replace(version=version))
    assert line.state == UNKNOWN
    assert f"/usr/bin/helix-hooks is {version or 'of an unknown version'}" in line.message
