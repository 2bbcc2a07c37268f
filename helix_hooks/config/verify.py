"""The section `verify` of `config/approvals.yaml`: the verification of an agent's work.

It is read from the base, never from a change, since it names programs to run.
"""

import re
import shlex
from collections.abc import Collection
from typing import NamedTuple

from ..paths import is_inside
from ..yaml_reader import Value, optional
from .command_line import words_of
from .model_id import model_of

_KEYS = ("max_retries", "feedback", "commands", "timeout", "escalate", "judge", "blocks")
_JUDGE_KEYS = ("agent", "model", "timeout", "max_cost_usd")
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
    entries = value.mapping(_KEYS)
    default = VerifySettings()
    return VerifySettings(
        max_retries=optional(
            entries, "max_retries", lambda item: item.integer(0), default.max_retries
        ),
        feedback=optional(entries, "feedback", _path, default.feedback),
        commands=optional(entries, "commands", _commands, default.commands),
        timeout=optional(entries, "timeout", lambda item: item.integer(1), default.timeout),
        escalate=optional(entries, "escalate", words_of, default.escalate),
        judge=optional(entries, "judge", lambda item: _judge(item, agents), default.judge),
        blocks=optional(entries, "blocks", Value.boolean, default.blocks),
    )


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


def _judge(value: Value, agents: Collection[str]) -> VerifyJudge:
    entries = value.mapping(_JUDGE_KEYS)
    default = VerifyJudge()
    return VerifyJudge(
        agent=optional(entries, "agent", lambda item: item.choice(agents), default.agent),
        model=optional(entries, "model", model_of, default.model),
        timeout=optional(entries, "timeout", lambda item: item.integer(1), default.timeout),
        max_cost_usd=optional(
            entries, "max_cost_usd", lambda item: item.number(0, 1_000_000), default.max_cost_usd
        ),
    )
