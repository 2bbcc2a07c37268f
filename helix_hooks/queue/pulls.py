"""The pending pull requests of many repositories, as entries of the queue.

Nothing is stored; only the memory has GitHub's last answers, for conditional requests. Several
threads send requests at the same time. After GitHub's rate limit no more are sent, and a line names
what was not read.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

from ..errors import HelixError, UsageError
from ..pull import client, identity, repository
from ..pull.access import Access, access, is_name
from ..pull.pending import pending
from ..pull.repository import ListedPull, open_pulls
from ..pull.write import reached_within_limits
from ..text import counted
from ..waiting.entry import QueueEntry
from ..waiting.pull_entry import entry_id

_AT_ONCE = 8
"""Requests at the same time; GitHub takes 100 (docs.github.com, "Rate limits for the REST API")."""

_NO_WAIT = 0
_MOST_NAMES = 5
"""Maximum number of unread names in a line."""

_MOST_LINES = 20
"""Maximum number of failures with a line of their own."""

Value = TypeVar("Value")


class _Read(NamedTuple, Generic[Value]):
    """A value that was read; `problem` says why it was not, "" where it was."""

    value: Value | None = None
    problem: str = ""


class _Look:
    """One reading of GitHub by several threads, each with its own connections.

    `limit` is the error of GitHub's rate limit, "" before it. `unread` are the names of the
    repositories and pull requests that were not read because of it.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._local = threading.local()
        self._roles: dict[str, dict[str, str]] = {}
        self.limit = ""
        self.unread: list[str] = []

    def access(self, name: str) -> Access:
        """Return the access of this thread to a repository. Roles are shared by all threads."""
        known: dict[str, Access] = self._local.__dict__
        if name not in known:
            to = access(name, self._environment, longest_wait=_NO_WAIT, conditional=True)
            known[name] = to._replace(roles=self._roles.setdefault(name, {}))
        return known[name]

    def read(self, name: str, ask: Callable[[], Value]) -> _Read[Value]:
        """Send a request to GitHub, unless its rate limit is reached."""
        if self.limit:
            self.unread.append(name)
            return _Read()
        try:
            with reached_within_limits():
                return _Read(ask())
        except client.RateLimitError as error:
            self.limit = str(error)
            self.unread.append(name)
        except HelixError as error:
            return _Read(problem=f"{name}: {error}")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            about = f"{type(error).__name__}: {error}"
            return _Read(problem=f"{name}: GitHub's answer can't be read ({about})")
        return _Read()

    def listed(self, name: str) -> _Read[tuple[ListedPull, ...]]:
        """Read the open pull requests of a repository."""
        return self.read(name, lambda: open_pulls(self.access(name).repository))

    def entry(self, pull: tuple[str, ListedPull]) -> _Read[QueueEntry | None]:
        """Read an open pull request of a repository."""
        name, listed = pull
        what = entry_id(name, listed.number)
        return self.read(what, lambda: pending(self.access(name), name, listed))


def entries(
    names: Sequence[str], environment: Mapping[str, str]
) -> tuple[tuple[QueueEntry, ...], tuple[str, ...]]:
    """Return the entries of the repositories OWNER/NAME, and a line for each unread part.

    Raises UsageError without a token, or for an invalid name of a repository.
    """
    unique = list(dict.fromkeys(names))
    for name in unique:
        if not is_name(name):
            raise UsageError(f"{name!r} is not a repository name; use OWNER/NAME")
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        look = _Look(with_token(environment))
        lists = list(pool.map(look.listed, unique))
        pulls = [*_pulls(unique, lists)]
        reads = list(pool.map(look.entry, pulls))
    found = [read.value for read in reads if read.value]
    problems = [*(read.problem for read in lists), *(read.problem for read in reads)]
    lines = (*_capped([*filter(None, problems)]), *_unread(look))
    return tuple(sorted(found, key=_place)), lines


def of_owner(owner: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of an owner's repositories that are in use. Raises HelixError."""
    with reached_within_limits():
        look = _Look(with_token(environment))
        return repository.of_owner(look.access(f"{owner}/-").repository, owner)


def with_token(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with this person's token. Raises UsageError where there is none."""
    token = identity.token(environment)
    if not token:
        raise UsageError(
            "pull requests can't be read without a token: set GITHUB_TOKEN, or log in with "
            "`gh auth login`"
        )
    return {**environment, "GITHUB_TOKEN": token}


def _pulls(
    names: Sequence[str], lists: Sequence[_Read[tuple[ListedPull, ...]]]
) -> Iterator[tuple[str, ListedPull]]:
    for name, read in zip(names, lists, strict=True):
        for listed in read.value or ():
            yield name, listed


def _place(entry: QueueEntry) -> tuple[str, int, str]:
    return entry.project.casefold(), entry.asked_at, entry.id


def _capped(problems: Sequence[str]) -> Iterator[str]:
    """Yield the first problems, and how many more there are."""
    yield from problems[:_MOST_LINES]
    left = len(problems) - _MOST_LINES
    if left > 0:
        yield f"{left} more could not be read"


def _unread(look: _Look) -> Iterator[str]:
    """Yield one line for all that was not read because of GitHub's rate limit."""
    if not look.limit:
        return
    pulls = sum("#" in name for name in look.unread)
    repositories_unread = len(look.unread) - pulls
    parts = []
    if pulls:
        parts.append(counted(pulls, "pull request"))
    if repositories_unread:
        noun = "repository" if repositories_unread == 1 else "repositories"
        parts.append(f"{repositories_unread} {noun}")
    names = ", ".join(sorted(look.unread)[:_MOST_NAMES])
    yield f"{look.limit}, so {' and '.join(parts)} could not be read: {names}"
