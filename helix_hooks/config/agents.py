"""The section `agents` of `config/approvals.yaml`: programs that judge."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from ..yaml_reader import Value
from .declaration import BOOLEAN, Key, Type, choice, section

CLAUDE = "claude"
PROVIDERS = (CLAUDE, "command")
SKIP, MANUAL = "skip", "manual"
"""The approvers that are not agents: none, and a person."""
NO_AGENTS = (SKIP, MANUAL)

_FORBIDDEN_VARIABLES = (
    r"(?i)(?:GITHUB|GH|ACTIONS|INPUT|RUNNER|GIT|SSH|LD|DYLD|PYTHON|NODE)_.*|PATH|HOME"
    r"|NODE_OPTIONS|BASH_ENV|ENV|IFS|CI"
)
"""Names that `env` may not have: tokens of the pull request, and variables that change how programs
start.
"""


class Agent(NamedTuple):
    """A program that judges.

    `provider` is its protocol; `env` are names of further variables that it gets. An agent that
    reads no files cannot be a judge.
    """

    name: str
    provider: str
    command: tuple[str, ...]
    env: tuple[str, ...] = ()
    reads_files: bool = True


def parse_agents(value: Value | None) -> dict[str, Agent]:
    """Return the agents of a section, and `claude`, which always exists."""
    agents = {CLAUDE: Agent(CLAUDE, CLAUDE, (CLAUDE,))}
    if value:
        for name, item in value.mapping().items():
            agents[name] = _agent(name, item)
    return agents


def _agent(name: str, value: Value) -> Agent:
    provider = CLAUDE if name == CLAUDE else "command"
    agent: Agent = AGENT.read(value, Agent(name, provider, ()))
    if name in NO_AGENTS:
        raise value.fail(f"the name {name!r} is reserved; choose another name")
    return agent


def _command(value: Value) -> tuple[str, ...]:
    command = value.texts()
    if isinstance(value.data, str) and " -" in command[0]:
        raise value.fail(
            f"{command[0]!r} is not a program; use a list of the program and its arguments, e.g. "
            "[my-judge, --json]"
        )
    if not command:
        raise value.fail("expected a program, e.g. [my-judge, --json]")
    return command


def approver_of(value: Value, agents: Mapping[str, Agent]) -> str:
    """Return the approver: "skip", "manual" or an agent that reads files."""
    name = value.choice((*agents, *NO_AGENTS))
    if name in agents:
        refuse_blind(value, agents[name])
    return name


def refuse_blind(value: Value, agent: Agent) -> None:
    """Raise ConfigError for an agent that cannot read the files that it would judge."""
    if not agent.reads_files:
        raise value.fail(
            f"{agent.name!r} cannot be a judge: it has reads_files: false; choose another agent"
        )


def _names(value: Value) -> tuple[str, ...]:
    items = value.one_or_more()
    for item in items:
        if re.fullmatch(_FORBIDDEN_VARIABLES, item.text()):
            raise item.fail(f"{item.data} is never passed to a judge; remove it")
        if not re.fullmatch(r"[A-Za-z_]\w*", item.text()):
            raise item.fail(
                f"{item.data!r} is not the name of an environment variable; use only the name, "
                "e.g. GEMINI_API_KEY, not the value"
            )
    return tuple(item.text() for item in items)


def changed_agents(old: Mapping[str, Agent], new: Mapping[str, Agent]) -> dict[str, str]:
    """Return the agents that were changed or removed."""
    return {name: "changed" for name, agent in old.items() if new.get(name) != agent}


class _Agent:
    command = Key(Type(_command, "program"), required=True, example=["my-judge", "--json"])
    """The program and its arguments as a list. `{model}` and `{judge}` are filled in."""
    provider = Key(choice(PROVIDERS))
    """The protocol: claude, or command for any other program."""
    env = Key(Type(_names, {"one or more": "variable"}), example=["GEMINI_API_KEY"])
    """Names of additional environment variables for the judge. Tokens of the pull request are
    refused.
    """
    reads_files = Key(BOOLEAN)
    """The agent can read files. One that can't is refused as a judge."""


AGENT = section(_Agent, Agent("", "", ()))
AGENTS = Type(
    None,
    {
        "type": "object",
        "propertyNames": {"not": {"enum": NO_AGENTS}},
        "additionalProperties": AGENT,
    },
)
