"""The section `verify` of `config/approvals.yaml`: the verification of an agent's work.

It is read from the base, never from a change, since it names programs to run.
"""

import re
import shlex
from collections.abc import Collection
from typing import NamedTuple

from ..paths import is_inside
from ..yaml_reader import Value
from .declaration import BOOLEAN, TEXT, Key, Type, changed, integer, lower, number, section
from .setting_types import MODEL, WORDS, words_of

_NAME = r"[a-z][a-z0-9-]{0,40}"


class VerifyCommand(NamedTuple):
    """A command whose success is evidence. Criteria may refer to it by its name."""

    name: str
    argv: tuple[str, ...]

    @property
    def text(self) -> str:
        return shlex.join(self.argv)


class VerifyJudge(NamedTuple):
    """The judge of `--judge`: a cheap model, and the limits of a run in seconds and US dollars."""

    agent: str = "claude"
    model: str = "claude-haiku-5-5"
    timeout: int = 120
    max_cost_usd: float = 0.10


class VerifySettings(NamedTuple):
    """The settings of a verification.

    After a failed attempt there are at most `max_retries` more. `feedback` is the path of a copy of
    feedback.md in the working tree, "" for none. `timeout` is in seconds, for each command.
    `escalate` is the command that runs after the last attempt has failed. With `blocks`, a pull
    request fails if it claims to implement an ADR and does not.
    """

    max_retries: int = 2
    feedback: str = ""
    commands: tuple[VerifyCommand, ...] = ()
    timeout: int = 120
    escalate: tuple[str, ...] = ()
    judge: VerifyJudge = VerifyJudge()
    blocks: bool = True


def parse_verify(value: Value, agents: Collection[str]) -> VerifySettings:
    """Return the settings of a section `verify`. `agents` are the agents that can judge."""
    settings: VerifySettings = VERIFY.read(value)
    agent = VERIFY.entries(value).get("judge")
    if agent and "agent" in agent.mapping():
        agent.mapping()["agent"].choice(agents)
    return settings


def _path(value: Value) -> str:
    text = value.text().strip()
    if not is_inside(text):
        raise value.fail(
            f"invalid path {text!r} (expected relative to the repository root, e.g. "
            ".helix/feedback.md)"
        )
    return text


def _commands(value: Value) -> tuple[VerifyCommand, ...]:
    commands = []
    for name, item in value.mapping().items():
        if not re.fullmatch(_NAME, name):
            raise item.fail(
                f"invalid name {name!r} (expected lowercase letters, digits and hyphens, "
                "e.g. tests)"
            )
        commands.append(VerifyCommand(name, words_of(item)))
    return tuple(commands)


def _changed_commands(
    old: tuple[VerifyCommand, ...], new: tuple[VerifyCommand, ...]
) -> dict[str, str]:
    """Return how commands are removed or changed; a new one is stricter."""
    now = {command.name: command for command in new}
    return {
        command.name: "changed" if command.name in now else "was removed"
        for command in old
        if now.get(command.name) != command
    }


_COMMANDS = {
    "type": "object",
    "propertyNames": "name of a command",
    "additionalProperties": WORDS,
}


class _Judge:
    agent = Key(TEXT, None)
    """An agent of the section `agents`."""
    model = Key(MODEL, changed)
    """The full id of the model."""
    timeout = Key(integer(1), None)
    """Time limit of one run, in seconds."""
    max_cost_usd = Key(number(0, 1_000_000), None)
    """US dollars of one run."""


class _Verify:
    max_retries = Key(integer(0), None)
    """Maximum number of failed attempts that are sent back to the agent. After that, a person
    decides.
    """
    feedback = Key(Type(_path, "path of the feedback"), None, example=".helix/feedback.md")
    """The path of a copy of the feedback in the work tree. Ignore it in git."""
    commands = Key(Type(_commands, _COMMANDS), _changed_commands, example={"tests": "pytest -q"})
    """Commands whose success is evidence, by name. They run without a shell in the root of the work
    tree.
    """
    timeout = Key(integer(1), None)
    """Time limit of each command, in seconds."""
    escalate = Key(WORDS, None)
    """The command that runs once when all attempts have failed."""
    blocks = Key(BOOLEAN, lower)
    """A pull request that claims to implement an ADR, and does not, fails."""
    judge = Key(section(_Judge, VerifyJudge()))
    """The judge of `helix-hooks verify --judge`."""


VERIFY = section(_Verify, VerifySettings())
