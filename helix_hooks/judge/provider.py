"""What a provider is: how a judge is called, and how its answer is read."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from ..config.approvals import Agent, Run
from ..repository.program import search_path
from ..verdict.reading import Shown
from .process import Ended
from .workspace import Workspace

_SYSTEM = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "COMSPEC", "PATHEXT", "WINDIR")
_PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")
_NETWORK = (*_PROXIES, *map(str.lower, _PROXIES), "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE")
_DEAREST = 1e9


class Call(NamedTuple):
    """All that one try needs: the workspace, the narrowed schema of the answer, and what is left of the budget in US dollars."""

    work: Workspace
    agent: Agent
    run: Run
    schema: dict[str, Any]
    budget: float
    session: str


class Usage(NamedTuple):
    """What a try took, as far as the agent says; `cost_usd` is None where it does not."""

    cost_usd: float | None = None
    tokens: int = 0
    turns: int = 0
    model: str = ""


class FailedError(Exception):
    """The judge gave no answer. `check` is what it failed at, `help` the way out, `again` whether another try may help."""

    def __init__(self, check: str, message: str, help: str = "", again: bool = False) -> None:
        super().__init__(message)
        self.check, self.help, self.again = check, help, again


class Reader(Protocol):
    """Reads what one try prints."""

    def feed(self, chunk: bytes) -> None:
        """Take in the next bytes of standard output."""

    def doing(self) -> str:
        """What the judge does right now, "" where that is not known."""

    def usage(self) -> Usage:
        """What was used up to now."""

    def shown(self) -> list[Shown]:
        """Return what the judge was shown of files before it answered, by the provider's own record."""

    def answer(self, ended: Ended) -> object:
        """The structured answer, after the program ended. Raises FailedError."""


class Provider(NamedTuple):
    """`ready` raises FailedError where the program can't be run; it is asked once, before anything is spent. `given` is the file in the
    judge's folder that goes to its standard input. `records` says that its reader knows what the judge has read; the message to others
    holds the files.
    """

    given: str
    records: bool
    ready: Callable[[Agent, Mapping[str, str]], None]
    argv: Callable[[Call], list[str]]
    environment: Callable[[Call, Mapping[str, str]], dict[str, str]]
    reader: Callable[[], Reader]


def environment(call: Call, given: Mapping[str, str], more: tuple[str, ...] = ()) -> dict[str, str]:
    """The allowed part of an environment: system, network, and what the agent's settings name; a home of its own."""
    kept = {name: given[name] for name in (*_SYSTEM, *_NETWORK, *more, *call.agent.env) if given.get(name)}
    home = call.work.home
    return {"LANG": "C.UTF-8", **kept, "PATH": search_path(given), "HOME": home, "USERPROFILE": home, "TMPDIR": home, "TEMP": home, "TMP": home}


def dollars(stated: object) -> float | None:
    """A cost as a program states it; None for anything that is none, so that nobody counts on it."""
    if isinstance(stated, bool) or not isinstance(stated, int | float) or not 0 <= stated < _DEAREST:
        return None
    return float(stated)


def last_line(errors: str) -> str:
    """What a program said last on standard error, to be added to a message."""
    lines = errors.strip().splitlines()
    return f": {' '.join(lines[-1].split())[:300]}" if lines else ""
