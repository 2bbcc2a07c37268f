"""The interface of a provider: the call of a judge, and the reading of its answer."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from ..config.agents import Agent, Run
from ..proc import search_path
from ..proc.run import Ended
from ..verdict.reading import ReadCall
from ..verdict.verdict import Schema
from .workspace import Workspace

_SYSTEM = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "COMSPEC", "PATHEXT", "WINDIR")
_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE")
_NETWORK = (*_PROXIES, *map(str.lower, _PROXIES), *_CERTIFICATES)
AGAIN = frozenset((408, 409, 429, 500, 502, 503, 504, 529))
"""HTTP status codes of temporary errors; 529 is Anthropic's code for an overloaded API."""
_MOST_DOLLARS = 1e9
"""A limit for costs: JSON allows 1e999, which Python reads as infinity."""


class Call(NamedTuple):
    """The input of one attempt: `schema` of the answer, remaining `budget` in US dollars."""

    work: Workspace
    agent: Agent
    run: Run
    schema: Schema
    budget: float
    session: str


class Usage(NamedTuple):
    """Usage of one attempt as the agent reports it; `cost_usd` is None if it does not."""

    cost_usd: float | None = None
    tokens: int = 0
    turns: int = 0
    model: str = ""


class FailedError(Exception):
    """The judge gave no answer.

    `check` names the step that failed, `help` says how to fix it. `again`: a retry may help.
    """

    def __init__(self, check: str, message: str, help: str = "", again: bool = False) -> None:
        super().__init__(message)
        self.check, self.help, self.again = check, help, again


class Reader(Protocol):
    """Reader of the output of one attempt."""

    def feed(self, chunk: bytes) -> None:
        """Add the next bytes of standard output."""

    def doing(self) -> str:
        """Return the current activity of the judge; "" if unknown."""

    def usage(self) -> Usage:
        """Return the usage so far."""

    def shown(self) -> list[ReadCall]:
        """Return the parts of files that the judge saw before its answer, by the record."""

    def answer(self, ended: Ended) -> object:
        """Return the structured answer, after the program ended.

        Raises:
            FailedError: The output has no answer.
        """


class JsonLines:
    """The part of a reader that takes one JSON object from each line, and skips other lines."""

    def __init__(self) -> None:
        # Chunks of the current line; joining them once keeps long lines linear.
        self._rest: list[bytes] = []

    def feed(self, chunk: bytes) -> None:
        first, *others = chunk.split(b"\n")
        self._rest.append(first)
        for rest in others:
            self.end_line()
            self._rest = [rest]

    def end_line(self) -> None:
        """Take the current line, which may have no line end."""
        try:
            message = json.loads(b"".join(self._rest))
        except (ValueError, RecursionError):
            return
        if isinstance(message, dict):
            self.take(message)

    def take(self, message: dict[str, Any]) -> None:
        """Take the message of a line."""


class Provider(NamedTuple):
    """A kind of judge.

    `ready` raises FailedError if the program can't run. It is called once, before the first
    attempt. `stdin` is the file in the judge's folder for its standard input. With `records` the
    reader knows the files that the judge read; other providers get the files in their message.
    """

    stdin: str
    records: bool
    ready: Callable[[Agent, Mapping[str, str]], None]
    argv: Callable[[Call], list[str]]
    environment: Callable[[Call, Mapping[str, str]], dict[str, str]]
    reader: Callable[[], Reader]


def environment(
    call: Call,
    outside: Mapping[str, str],
    more: tuple[str, ...] = (),
) -> dict[str, str]:
    """Return the environment of a judge, with a home folder of its own.

    From `outside` it gets the variables for system and network, those in the agent's settings, and
    `more`. Nothing else is passed on, since it may be a secret.
    """
    names = (*_SYSTEM, *_NETWORK, *more, *call.agent.env)
    allowed = {name: outside[name] for name in names if outside.get(name)}
    home = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), call.work.home)
    return {"LANG": "C.UTF-8", **allowed, "PATH": search_path(outside), **home}


def variables(call: Call) -> dict[str, str]:
    """Return the variables by which a program gets its question."""
    return {
        "HELIX_JUDGE": call.work.judge,
        "HELIX_MODEL": call.agent.model or call.run.model,
        "HELIX_MAX_COST_USD": f"{call.budget:.6f}",
    }


def api_error(status: int, reason: str, key: str) -> FailedError:
    """Return the failure of a model's API that answered with an HTTP status."""
    if status in (401, 403):
        message = f"the model's API rejected the key ({status}): {reason}"
        return FailedError("agent", message, f"check {key}")
    message = f"the model's API answered {status}: {reason}"
    return FailedError("agent", message, again=status in AGAIN)


def dollars(value: object) -> float | None:
    """Return the cost that a program reports; None for a value that is not a cost."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value < _MOST_DOLLARS:
        return None
    return float(value)


def last_line(errors: str) -> str:
    """Return the last line of standard error as the end of a message; "" if there is none."""
    lines = errors.strip().splitlines()
    if not lines:
        return ""
    return f": {' '.join(lines[-1].split())[:300]}"
