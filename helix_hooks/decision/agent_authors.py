"""The coding agents that wrote part of a change, as far as its commits name them. Pure.

An agent is recognised as an author or committer that is a bot, by the names and addresses in git,
and by the trailers in which tools name themselves.
"""

import re
from collections.abc import Iterable, Iterator

from ..text import one_line
from .coding_agents import is_agent_address, is_agent_login, is_agent_name
from .pull_request import Commit, Person

UNLISTED = "unknown authors: not all commits could be listed"
"""Used instead of names if the commits could not be listed: then agents are assumed."""

_TRAILER = re.compile(
    r"^[ \t]*(?:assisted|generated|made)-(?:by|with):[ \t]*([^<\n]*)(?:<([^>\n]*)>)?",
    re.IGNORECASE | re.MULTILINE,
)
_FIRST = re.compile(r"[:/,;\[\](]")
_MOST, _LONGEST = 10, 60


def agents_in(
    author: Person, commits: Iterable[Commit], agent_names: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the names of agents, each once, at most ten.

    `agent_names` are the agents that the settings add.
    """
    configured = tuple(agent_names)
    names = [author.login] if _is_agent(author, configured) else []
    for commit in commits:
        names += [*_contributors(commit, configured), *_in_trailers(commit, configured)]
    distinct = {name.casefold(): one_line(name, _LONGEST) for name in names if name}
    return tuple(distinct.values())[:_MOST]


def _is_agent(person: Person, configured: tuple[str, ...]) -> bool:
    return person.is_bot or is_agent_login(person.login, configured)


def _contributors(commit: Commit, configured: tuple[str, ...]) -> Iterator[str]:
    """Yield the agents among the authors and the committer of a commit."""
    yield from (person.login for person in commit.people if _is_agent(person, configured))
    yield from (name for name in commit.names if is_agent_name(name, configured))
    yield from (address for address in commit.emails if is_agent_address(address, configured))


def _in_trailers(commit: Commit, configured: tuple[str, ...]) -> Iterator[str]:
    """Yield the agents that the trailers of a commit name."""
    for name, address in (*commit.co_authors, *_tools(commit.message)):
        if is_agent_name(name, configured, in_trailer=True) or is_agent_address(
            address, configured
        ):
            yield name or address


def _tools(message: str) -> Iterator[tuple[str, str]]:
    """Yield name and address of each tool, as in `Assisted-by: Claude:claude-opus-4`."""
    for match in _TRAILER.finditer(message):
        # Behind the first separator comes a model or a version, which is not part of the name.
        name = _FIRST.split(match[1].strip().lstrip("["))[0]
        yield name.strip(), (match[2] or "").strip()
