"""The section `verify` of `config/approvals.yaml`: how an agent's work is verified.

It counts as it is at the base, never as a change has it, since it names programs to run.
"""

import re
import shlex
from collections.abc import Collection
from typing import NamedTuple

from ..yaml_values import Value
from .command_line import words_of
from .model_id import is_model

_KEYS = ("max_retries", "feedback", "commands", "timeout", "escalate", "judge", "blocks")
_JUDGE_KEYS = ("agent", "model", "timeout", "max_cost_usd")
_NAME = r"[a-z][a-z0-9-]{0,40}"


class VerifyCommand(NamedTuple):
    """A command whose success is evidence, under a name by which a criterion may call it."""

    name: str
    argv: tuple[str, ...]

    @property
    def text(self) -> str:
        return shlex.join(self.argv)


class VerifyJudge(NamedTuple):
    """The judge of `--judge`: a cheap model, and limits of one run in seconds and US dollars."""

    agent: str = "claude"
    model: str = "claude-haiku-5-5"
    timeout: int = 120
    max_cost_usd: float = 0.10


class VerifySettings(NamedTuple):
    """The settings of a verification.

    A failing attempt is followed by `max_retries` others at most. `feedback` is the path of a copy
    of feedback.md in the work tree, "" for none. `timeout` are the seconds of each command.
    `escalate` is the command that is run when all attempts failed. With `blocks` a pull request
    that claims to implement an ADR, and does not, fails.
    """

    max_retries: int = 2
    feedback: str = ""
    commands: tuple[VerifyCommand, ...] = ()
    timeout: int = 120
    escalate: tuple[str, ...] = ()
    judge: VerifyJudge = VerifyJudge()
    blocks: bool = True


def parse_verify(value: Value, agents: Collection[str]) -> VerifySettings:
    """Return the settings of a section `verify`; `agents` may judge. Raises ConfigError."""
    entries = value.mapping(_KEYS)
    found = VerifySettings()
    if "max_retries" in entries:
        found = found._replace(max_retries=entries["max_retries"].integer(0))
    if "feedback" in entries:
        found = found._replace(feedback=_path(entries["feedback"]))
    if "commands" in entries:
        found = found._replace(commands=_commands(entries["commands"]))
    if "timeout" in entries:
        found = found._replace(timeout=entries["timeout"].integer(1))
    if "escalate" in entries:
        found = found._replace(escalate=words_of(entries["escalate"]))
    if "judge" in entries:
        found = found._replace(judge=_judge(entries["judge"], agents))
    if "blocks" in entries:
        found = found._replace(blocks=entries["blocks"].boolean())
    return found


def _path(value: Value) -> str:
    text = value.text().strip()
    steps = text.casefold().split("/")
    if text.startswith("/") or "\\" in text or {"", ".", "..", ".git"} & {*steps}:
        raise value.fail(f"{text!r} is not a path in the repository, as in .helix/feedback.md")
    return text


def _commands(value: Value) -> tuple[VerifyCommand, ...]:
    found = []
    for name, item in value.mapping().items():
        if not re.fullmatch(_NAME, name):
            raise item.fail(
                f"{name!r} is not a name: small letters, digits and hyphens, as in tests"
            )
        found.append(VerifyCommand(name, words_of(item)))
    return tuple(found)


def _judge(value: Value, agents: Collection[str]) -> VerifyJudge:
    entries = value.mapping(_JUDGE_KEYS)
    found = VerifyJudge()
    if "agent" in entries:
        found = found._replace(agent=entries["agent"].choice(agents))
    if "model" in entries:
        model = entries["model"].text()
        if not is_model(model):
            raise entries["model"].fail(f"{model!r} is not a model id")
        found = found._replace(model=model)
    if "timeout" in entries:
        found = found._replace(timeout=entries["timeout"].integer(1))
    if "max_cost_usd" in entries:
        found = found._replace(max_cost_usd=entries["max_cost_usd"].number(0, 1_000_000))
    return found
