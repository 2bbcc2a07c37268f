"""The interface of a provider: how a judge is called, and how its answer is read."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from ..config.agents import Agent
from ..config.approvals import Run
from ..repository.program import search_path
from ..verdict.reading import ReadCall
from ..verdict.verdict import Schema
from .process import Ended
from .workspace import Workspace

_SYSTEM = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "COMSPEC", "PATHEXT", "WINDIR")
_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE")
_NETWORK = (*_PROXIES, *map(str.lower, _PROXIES), *_CERTIFICATES)
_MOST_DOLLARS = 1e9


class Call(NamedTuple):
    """The input of one try. `schema` is that of the answer, `budget` is left in US dollars."""

    work: Workspace
    agent: Agent
    run: Run
    schema: Schema
    budget: float
    session: str


class Usage(NamedTuple):
    """Usage of one try, as far as the agent says; `cost_usd` is None if it does not."""

    cost_usd: float | None = None
    tokens: int = 0
    turns: int = 0
    model: str = ""


class FailedError(Exception):
    """The judge gave no answer.

    `check` names the step that failed, `help` the way out. `again`: another try may help.
    """

    def __init__(self, check: str, message: str, help: str = "", again: bool = False) -> None:
        super().__init__(message)
        self.check, self.help, self.again = check, help, again


class Reader(Protocol):
    """Reads what one try prints."""

    def feed(self, chunk: bytes) -> None:
        """Add the next bytes of standard output."""

    def doing(self) -> str:
        """Return what the judge does right now; "" if unknown."""

    def usage(self) -> Usage:
        """Return what was used up to now."""

    def shown(self) -> list[ReadCall]:
        """Return what the judge was shown of files before it answered, by the provider's record."""

    def answer(self, ended: Ended) -> object:
        """Return the structured answer, after the program ended. Raises FailedError."""


class Provider(NamedTuple):
    """A kind of judge.

    `ready` raises FailedError if the program can't run; it is called once, before anything is
    spent. `stdin` is the file in the judge's folder that goes to its standard input. `records`: its
    reader knows what the judge has read; the message to other providers contains the files.
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
    """Return the environment of a judge.

    That is the allowed part of the one `outside` (system, network, what the agent's settings name,
    and `more`), and a home of its own.
    """
    names = (*_SYSTEM, *_NETWORK, *more, *call.agent.env)
    allowed = {name: outside[name] for name in names if outside.get(name)}
    home = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), call.work.home)
    return {"LANG": "C.UTF-8", **allowed, "PATH": search_path(outside), **home}


def dollars(value: object) -> float | None:
    """Return a cost as a program states it; None for a value that is no cost."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < _MOST_DOLLARS else None


def last_line(errors: str) -> str:
    """Return the last line of standard error, to be added to a message."""
    lines = errors.strip().splitlines()
    return f": {' '.join(lines[-1].split())[:300]}" if lines else ""
