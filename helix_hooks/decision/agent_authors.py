"""The coding agents that wrote part of a change, as far as its commits name them. Pure.

They are known as authors and committers that are bots, by the names and addresses that git has, and
by the trailers in which tools name themselves.
"""

import re
from collections.abc import Iterable, Iterator

from ..config.coding_agents import is_agent_address, is_agent_login, is_agent_name
from ..text.co_authors import co_authors
from ..text.cut import one_line
from .pull_request import Commit, Person

UNLISTED = "unknown authors: not all commits could be listed"
"""Stands for the agents where they can't be known: then they are taken to have written it."""

_TRAILER = re.compile(
    r"^[ \t]*(?:assisted|generated|made)-(?:by|with):[ \t]*([^<\n]*)(?:<([^>\n]*)>)?",
    re.IGNORECASE | re.MULTILINE,
)
_FIRST = re.compile(r"[:/,;\[\](]")
_MOST, _LONGEST = 10, 60


def agents_in(
    author: Person, commits: Iterable[Commit], more: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the names of agents, each once, ten at most; `more` are those of the settings."""
    known = tuple(more)
    opener = author.login if _is_agent(author, known) else ""
    names = (opener, *(name for commit in commits for name in _agents(commit, known)))
    distinct = {name.casefold(): one_line(name, _LONGEST) for name in names if name}
    return tuple(distinct.values())[:_MOST]


def _is_agent(person: Person, more: tuple[str, ...]) -> bool:
    return person.is_bot or is_agent_login(person.login, more)


def _agents(commit: Commit, more: tuple[str, ...]) -> Iterator[str]:
    """Yield the agents that a commit names."""
    yield from (person.login for person in commit.people if _is_agent(person, more))
    yield from (name for name in commit.names if is_agent_name(name, more))
    yield from (address for address in commit.emails if is_agent_address(address, more))
    for name, address in (*co_authors(commit.message), *_tools(commit.message)):
        if is_agent_name(name, more, in_trailer=True) or is_agent_address(address, more):
            yield name or address


def _tools(message: str) -> Iterator[tuple[str, str]]:
    """Yield name and address of each tool, as in `Assisted-by: Claude:claude-opus-4`."""
    for match in _TRAILER.finditer(message):
        yield _FIRST.split(match[1].strip().lstrip("["))[0].strip(), (match[2] or "").strip()
