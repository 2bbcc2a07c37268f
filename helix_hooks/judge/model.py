"""A model as a judge, by its API: a process of ours with three tools that can only read.

`model_loop` is that process. It gets rubric and message in the judge's folder, and the model's key
and address in its environment, which only the runner's environment names. It prints one JSON
object per line: each request with its usage, and at the end the answer or the failure.
"""

import os
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from .. import extras
from ..config.agents import Agent
from ..proc.run import Ended
from ..verdict.reading import ReadCall
from .provider import (
    Call,
    FailedError,
    JsonLines,
    Provider,
    Usage,
    dollars,
    environment,
    last_line,
    variables,
)


class Api(NamedTuple):
    """An API: the variables with its key (the first one set counts) and its address."""

    keys: tuple[str, ...]
    address: str
    default: str
    needs_key: bool = True


APIS = {
    "anthropic": Api(("ANTHROPIC_API_KEY",), "ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "openai": Api(("OPENAI_API_KEY",), "OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "google": Api(
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "GEMINI_BASE_URL",
        "https://generativelanguage.googleapis.com/v1beta/openai/",
    ),
    "ollama": Api(
        ("OLLAMA_API_KEY",), "OLLAMA_BASE_URL", "http://127.0.0.1:11434/v1", needs_key=False
    ),
}
"""By the beginning of a model. All but Anthropic's speak the protocol of OpenAI's chat."""


KEYS = tuple(key for api in APIS.values() for key in api.keys)


def addresses(outside: Mapping[str, str]) -> dict[str, str]:
    """Return the addresses that the environment names, by their variables."""
    return {api.address: outside.get(api.address, "") for api in APIS.values()}


def _api(agent: Agent) -> Api:
    """Return the API of an agent's model. Raises FailedError for an unknown one."""
    vendor, _, name = agent.model.partition(":")
    if vendor not in APIS or not name:
        message = f"the model {agent.model!r} names no API"
        help = f"begin with one of {', '.join(f'{vendor}:' for vendor in APIS)}"
        raise FailedError("setup", message, help)
    return APIS[vendor]


def _key(api: Api, outside: Mapping[str, str]) -> str:
    return next((outside[name].strip() for name in api.keys if outside.get(name)), "")


def _ready(agent: Agent, env: Mapping[str, str]) -> None:
    api = _api(agent)
    if not extras.are_there("judge"):
        message = "a judge by API needs packages that are not installed"
        raise FailedError(
            "spawn",
            message,
            "pip install 'helix-hooks[all]'; in the Action, pass the key of its model",
        )
    key = _key(api, env)
    if api.needs_key and not key:
        message = "no API key for the model in the environment"
        raise FailedError("setup", message, f"set {api.keys[0]}")
    if not (key.isascii() and key.isprintable()):
        message = "the API key of the model has a character that no key has"
        raise FailedError("setup", message, f"copy it again into {api.keys[0]}")
    if not _is_address(env.get(api.address) or api.default):
        raise FailedError("setup", f"{api.address} is not an address", "begin it with https://")


def _is_address(text: str) -> bool:
    try:
        return urlsplit(text).scheme in ("https", "http")
    except ValueError:
        return False


def _argv(_call: Call) -> list[str]:
    # -P: the working folder is the tree under review, and nothing is imported from there.
    return [sys.executable, "-P", "-m", "helix_hooks.judge.model_loop"]


def _environment(call: Call, outside: Mapping[str, str]) -> dict[str, str]:
    api = _api(call.agent)
    # The judge has another home, where the packages of a user are not found. The folder in which
    # `python -m helix_hooks` was started, and those of PYTHONPATH, may be the tree under review.
    named = outside.get("PYTHONPATH", "").split(os.pathsep)
    reviewed = {os.path.realpath(path) for path in (os.getcwd(), *named)}
    absolute = filter(os.path.isabs, sys.path)
    imported = (path for path in absolute if os.path.realpath(path) not in reviewed)
    return {
        **environment(call, outside),
        **variables(call),
        "HELIX_MODEL_KEY": _key(api, outside),
        "HELIX_MODEL_URL": outside.get(api.address) or api.default,
        "HELIX_MAX_TURNS": str(call.run.max_turns),
        "HELIX_MAX_TOKENS": str(call.agent.max_tokens),
        "HELIX_MAX_REQUEST_TOKENS": str(call.agent.max_request_tokens),
        "PYTHONPATH": os.pathsep.join(imported),
    }


class _Output(JsonLines):
    """The lines of the process."""

    def __init__(self) -> None:
        super().__init__()
        self._asked = 0
        self._usages: list[Usage] = []
        self._doing = ""
        self._last: dict[str, Any] = {}

    def take(self, message: dict[str, Any]) -> None:
        kind = message.get("kind")
        if kind == "asked":
            self._asked += 1
        elif kind == "declined":
            self._asked -= 1
        elif kind == "request":
            cost = dollars(message["cost_usd"])
            self._usages.append(Usage(cost, message["tokens"], 1, message["model"]))
        elif kind == "tool":
            self._doing = message["text"]
        elif kind in ("answer", "failed"):
            self._last = message

    def doing(self) -> str:
        return self._doing

    def shown(self) -> list[ReadCall]:
        return []

    def usage(self) -> Usage:
        """Return the sums; the cost is None if it is unknown for one request, answered or not."""
        costs = [usage.cost_usd for usage in self._usages if usage.cost_usd is not None]
        return Usage(
            cost_usd=sum(costs) if len(costs) == self._asked else None,
            tokens=sum(usage.tokens for usage in self._usages),
            turns=self._asked,
            model=self._usages[-1].model if self._usages else "",
        )

    def answer(self, ended: Ended) -> object:
        """Return the structured answer.

        Raises:
            FailedError: The process failed, or tells a failure.
        """
        self.end_line()
        last = self._last
        if last.get("kind") == "failed":
            raise FailedError(last["check"], last["message"], last["help"], last["again"])
        if ended.code or not last:
            message = f"the judge {ended.how} without an answer{last_line(ended.errors)}"
            raise FailedError("agent", message, again=True)
        return last["answer"]


MODEL = Provider(
    stdin="message.md",
    records=False,
    ready=_ready,
    argv=_argv,
    environment=_environment,
    reader=_Output,
)
