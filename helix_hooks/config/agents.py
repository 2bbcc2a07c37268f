"""The section `agents` of `config/approvals.yaml`: programs that judge."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from ..yaml_values import Value

CLAUDE = "claude"
PROVIDERS = (CLAUDE, "command")
SKIP, MANUAL = "skip", "manual"
"""The approvers that are no agent: nobody, and a person."""
NO_AGENTS = (SKIP, MANUAL)

_KEYS = ("command", "provider", "env", "reads_files")
_KEPT_BACK = (
    r"(?i)(?:GITHUB|GH|ACTIONS|INPUT|RUNNER|GIT|SSH|LD|DYLD|PYTHON|NODE)_.*|PATH|HOME"
    r"|NODE_OPTIONS|BASH_ENV|ENV|IFS|CI"
)
"""Names that no agent's `env` may hold: tokens of the pull request, and what would change how
programs are started.
"""


class Agent(NamedTuple):
    """A program that judges.

    `env` are names of further variables for it; `provider` is the protocol. One that reads no files
    is asked about none.
    """

    name: str
    provider: str
    command: tuple[str, ...]
    env: tuple[str, ...] = ()
    reads_files: bool = True


def parse_agents(value: Value | None) -> dict[str, Agent]:
    """Return the agents of a section, with `claude`, which is always there."""
    found = {CLAUDE: Agent(CLAUDE, CLAUDE, (CLAUDE,))}
    for name, agent in (value.mapping() if value else {}).items():
        entries = agent.mapping(_KEYS, ("command",))
        provider = CLAUDE if name == CLAUDE else "command"
        if "provider" in entries:
            provider = entries["provider"].choice(PROVIDERS)
        command = entries["command"].texts()
        if isinstance(entries["command"].data, str) and " -" in command[0]:
            raise entries["command"].fail(
                f"{command[0]!r} is not a program; write it and its arguments as a list, as in "
                "[my-judge, --json]"
            )
        if not command:
            raise entries["command"].fail("expected a program, as in [my-judge, --json]")
        if name in NO_AGENTS:
            raise agent.fail(f"{name!r} stands for no agent in `agent` and `approver`; rename it")
        found[name] = Agent(
            name=name,
            provider=provider,
            command=command,
            env=_names(entries.get("env")),
            reads_files=entries["reads_files"].boolean() if "reads_files" in entries else True,
        )
    return found


def approver_of(value: Value, agents: Mapping[str, Agent]) -> str:
    """Return who approves: "skip", "manual" or an agent that reads files. Raises ConfigError."""
    name = value.choice((*agents, *NO_AGENTS))
    if name in agents:
        refuse_blind(value, agents[name])
    return name


def refuse_blind(value: Value, agent: Agent) -> None:
    """Raise ConfigError for an agent that can't read the files that it would be asked about."""
    if not agent.reads_files:
        raise value.fail(
            f"{agent.name!r} has reads_files: false, and a judge must read the files that it is "
            "asked about; name another agent"
        )


def _names(value: Value | None) -> tuple[str, ...]:
    items = value.one_or_more() if value else []
    for item in items:
        if re.fullmatch(_KEPT_BACK, item.text()):
            raise item.fail(f"{item.data} is never given to a judge")
        if not re.fullmatch(r"[A-Za-z_]\w*", item.text()):
            raise item.fail(
                f"{item.data!r} is not the name of a variable; write the name alone, as in "
                "GEMINI_API_KEY, never its value"
            )
    return tuple(item.text() for item in items)
