"""The pending pull requests of many repositories, as entries of the queue.

Nothing is stored. Several threads send requests at the same time. After GitHub's rate limit no more
are sent, and a line names the repositories that were not read.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from ..errors import HelixError, UsageError
from ..pull import client, identity, repository
from ..pull.access import access, is_name
from ..pull.pending import PendingPulls, waiting
from ..pull.write import reached_within_limits
from ..waiting.entry import QueueEntry

_AT_ONCE = 8
"""Requests at the same time; GitHub takes 100 (docs.github.com, "Rate limits for the REST API")."""

_MOST_NAMES = 5
"""Maximum number of unread names in a line."""

_MOST_LINES = 20
"""Maximum number of failures with a line of their own."""


class _Look:
    """One reading of GitHub by several threads.

    `limit` is the error of GitHub's rate limit, "" before it. `unread` are the names of the
    repositories that were not read because of it.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.limit = ""
        self.unread: list[str] = []

    def read(self, name: str) -> PendingPulls:
        """Read the entries of a repository, and a line for each part that could not be read."""
        if self.limit:
            self.unread.append(name)
            return PendingPulls()
        try:
            found = waiting(access(name, self._environment, longest_wait=0), name)
        except client.RateLimitError as error:
            self.limit = str(error)
            self.unread.append(name)
            return PendingPulls()
        except HelixError as error:
            return PendingPulls(problems=(f"{name}: {error}",))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            about = f"{type(error).__name__}: {error}"
            return PendingPulls(problems=(f"{name}: GitHub's answer can't be read ({about})",))
        self.limit = self.limit or found.limit
        return found


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
    look = _Look(with_token(environment))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        reads = list(pool.map(look.read, unique))
    found = [entry for read in reads for entry in read.entries]
    problems = [line for read in reads for line in read.problems]
    lines = problems[:_MOST_LINES]
    if len(problems) > _MOST_LINES:
        lines.append(f"{len(problems) - _MOST_LINES} more could not be read")
    if look.unread:
        count = len(look.unread)
        noun = "repository" if count == 1 else "repositories"
        unread = ", ".join(sorted(look.unread)[:_MOST_NAMES])
        lines.append(f"{look.limit}, so {count} {noun} could not be read: {unread}")
    found.sort(key=lambda entry: (entry.project.casefold(), entry.asked_at, entry.id))
    return tuple(found), tuple(lines)


def of_owner(owner: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of an owner's repositories that are in use. Raises HelixError."""
    with reached_within_limits():
        to = access(f"{owner}/-", with_token(environment), longest_wait=0)
        return repository.of_owner(to.repository, owner)


def with_token(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with this person's token. Raises UsageError where there is none."""
    token = identity.token(environment)
    if not token:
        raise UsageError(
            "pull requests can't be read without a token: set GITHUB_TOKEN, or log in with "
            "`gh auth login`"
        )
    return {**environment, "GITHUB_TOKEN": token}
