"""The agents that judge, and the settings of their runs: sections of `config/approvals.yaml`."""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..yaml_reader import Value
from . import (
    BOOLEAN,
    DOLLARS,
    MODEL,
    RETRIES,
    SECONDS,
    SEMANTIC,
    TEXT,
    Type,
    higher,
    integer,
    key,
    later,
    lower,
    number,
    one_of,
    section,
)

CLAUDE = "claude"
API = "api"
"""The provider of an agent with a model and without a program: our own loop speaks to its API."""
SKIP, MANUAL = "skip", "manual"
"""The approvers that are not agents: none, and a person."""
NO_AGENTS = (SKIP, MANUAL)

_FORBIDDEN_VARIABLES = (
    r"(?i)(?:GITHUB|GH|ACTIONS|INPUT|RUNNER|GIT|SSH|LD|DYLD|NODE)_.*|PYTHON\w*|PATH|HOME"
    r"|BASH_ENV|ENV|IFS|CI"
)
"""Names that `env` may not have: tokens of the pull request, and variables that change how programs
start.
"""


def _command(value: Value) -> tuple[str, ...]:
    command = value.texts()
    if not command:
        raise value.fail("expected a program, e.g. [my-judge, --json]")
    if isinstance(value.data, str) and " -" in command[0]:
        raise value.fail(
            f"{command[0]!r} is not a program; use a list of the program and its arguments, e.g. "
            "[my-judge, --json]"
        )
    return command


def _variables(value: Value) -> tuple[str, ...]:
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


VENDORS = ("anthropic", "openai", "google", "ollama")
"""The beginnings of the model of an API judge: the API that it speaks to."""


def _api_model(value: Value) -> str:
    vendor, colon, name = value.text().partition(":")
    if vendor == "github":
        message = "GitHub Models was retired on 30 July 2026 and answers no more"
        raise value.fail(f"{message}; use another model, e.g. openai:gpt-5.2")
    if (
        vendor not in VENDORS
        or not colon
        or not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.:/@-]*", name)
    ):
        known = ", ".join(f"{vendor}:" for vendor in VENDORS)
        raise value.fail(
            f"{value.data!r} is not a model; begin with one of {known} e.g. openai:gpt-5.2"
        )
    return f"{vendor}:{name}"


class Agent(NamedTuple):
    """A judge: a program, or a model that our own loop asks by its API."""

    name: str = ""
    provider: str = key(one_of((CLAUDE, "command")), "command")
    """The protocol of the program: claude, or command for any other one."""
    command: tuple[str, ...] = key(Type(_command, "program"), (), example=["my-judge", "--json"])
    """The program and its arguments as a list. `{model}` and `{judge}` are filled in. Without it,
    `model` is required.
    """
    model: str = key(Type(_api_model, "API model"), "", example="openai:gpt-5.2")
    """The model of an API judge, which needs no program: anthropic:, openai:, google: or ollama:
    with the full id.
    """
    max_tokens: int = key(integer(1), 400_000, higher)
    """Tokens of one try of an API judge, in and out: the limit where no price is known."""
    max_request_tokens: int = key(integer(0), 0)
    """Tokens that the model takes in one request; 0 if it is no narrow limit. An API judge does not
    begin a review that needs more.
    """
    env: tuple[str, ...] = key(
        Type(_variables, {"one or more": "variable"}), (), example=["GEMINI_API_KEY"]
    )
    """Names of additional environment variables for the judge. Tokens of the pull request are
    refused.
    """
    reads_files: bool = key(BOOLEAN, True)
    """The agent can read files. One that can't is refused as a judge."""


def _check_agent(agent: Agent, entries: Mapping[str, Value]) -> Agent:
    """Return an agent with its provider. Raises ConfigError for a model beside a program."""
    if "model" not in entries:
        return agent
    for name in ("command", "provider"):
        if name in entries or agent.command:
            raise entries["model"].fail(
                f"cannot be combined with {name}: a program gets its model from `defaults` or a "
                "type; use another agent for the model"
            )
    return agent._replace(provider=API)


AGENT = section(Agent, check=_check_agent, conditions="an agent")


def parse_agents(value: Value | None) -> dict[str, Agent]:
    """Return the agents of a section, and `claude`, which always exists.

    Raises:
        ConfigError: An agent is invalid, or has the name of an approver that is none.
    """
    agents = {CLAUDE: Agent(CLAUDE, CLAUDE, (CLAUDE,))}
    for name, item in value.mapping().items() if value else ():
        if name in NO_AGENTS:
            raise item.fail(f"the name {name!r} is reserved; choose another name")
        agent = agents[CLAUDE] if name == CLAUDE else Agent(name, "command")
        agents[name] = AGENT.read(item, agent)
        if not item.mapping().keys() & {"command", "model"}:
            raise item.fail("missing key 'command', or 'model' for a judge by API")
    return agents


def approver_of(value: Value, agents: Mapping[str, Agent]) -> str:
    """Return the approver: "skip", "manual" or an agent.

    Raises:
        ConfigError: There is no such agent, or it cannot read the files that it would judge.
    """
    name = value.choice((*agents, *NO_AGENTS))
    if name in agents and not agents[name].reads_files:
        raise value.fail(
            f"{name!r} cannot be a judge: it has reads_files: false; choose another agent"
        )
    return name


AGENTS = Type(
    None,
    {
        "type": "object",
        "propertyNames": {"not": {"enum": NO_AGENTS}},
        "additionalProperties": AGENT,
    },
)


class Smart(NamedTuple):
    """A light judge without tools, which gets all briefs in one request.

    `agent` "" is that of the full judge. An approval counts if it is surer than `confidence`.
    """

    agent: str = key(TEXT, "")
    """The agent of the light judge. Default: that of the full one."""
    model: str = key(MODEL, "", example="claude-haiku-4-5", required=True)
    """The full id of the model."""
    confidence: float = key(number(0, 1), 0.95, lower)
    """The confidence that an approval of the light judge must exceed."""
    max_cost_usd: float = key(DOLLARS, 0.05, higher)
    """US dollars; less than that of both judges."""
    timeout: int = key(SECONDS, 60, higher)
    """Time limit in seconds."""


SMART = section(Smart, also="false")


def parse_smart(value: Value, agents: Collection[str]) -> Smart | None:
    """Return the light judge of a setting; None for `false`.

    Raises:
        ConfigError: It is neither false nor a mapping, or a value in it is invalid.
    """
    if value.data in ("false", "False", "FALSE", "no", "off"):
        return None
    if not isinstance(value.data, dict):
        raise value.fail(f"expected false or a mapping such as {{model: ID}}, got {value.kind}")
    smart: Smart = SMART.read(value)
    if smart.agent:
        SMART.entries(value)["agent"].choice(agents)
    return smart


def _fallback(value: Value) -> str:
    return "" if value.data is None else str(MODEL(value))


class Run(NamedTuple):
    """The settings of a judge's run. The packaged file has the defaults.

    `model` and `fallback_model` are "" if not set.
    """

    agent: str = key(Type(None, "agent"), CLAUDE)
    """The judge: the name of an agent; of a type also manual (a person) or skip (no review)."""
    model: str = key(MODEL, "", example="claude-sonnet-5-5")
    """The full id of the model. Short names may change their meaning."""
    fallback_model: str = key(Type(_fallback, "fallback model"), "")
    """The model to use if the first one is overloaded; null for none."""
    timeout: int = key(SECONDS, 0, None)
    """Time limit of one try with all its parts, in seconds."""
    max_retries: int = key(RETRIES, 0, None)
    """Tries after the first one, for a judge that failed. Tries = max_retries + 1."""
    retry_delay: float = key(number(0, 600), 0, None)
    """Seconds before the second try, doubled for each further one."""
    required_confidence: float = key(number(0, 1), 0, lower)
    """If the judge's confidence is lower, a person decides."""
    semantic: str = key(SEMANTIC, "", later(("true", "auto", "false")))
    """auto: no judge for a change of status, links or blanks only. true: always. false: never."""
    max_cost_usd: float = key(DOLLARS, 0, higher)
    """US dollars for all tries of one approval type together."""
    max_turns: int = key(integer(1), 0, higher)
    """Maximum number of turns in one run of the judge."""
    smart: Smart | None = key(Type(None, "smart"), None, None)
    """A light judge that runs before the full one; false for none."""
    allow_rewrite: bool = key(BOOLEAN, True, higher)
    """A judge may suggest changes. People see them; they are not applied."""
