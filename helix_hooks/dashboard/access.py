"""The repositories that a signed-in person may see, and their roles, cached for minutes."""

import asyncio
import re
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from ..errors import HelixError
from ..pull.access import is_name
from ..text import printable
from ..waiting.entry import NotShown, Queue, QueueEntry, Viewer
from ..waiting.right import deciding_teams, givers
from . import github_user
from .github_user import TokenEndedError
from .options import DashboardOptions
from .sessions import Session
from .sources import Sources

SECONDS = 300
"""Seconds for which a role is cached, for display only. Decisions always fetch the role."""

_MAX_CONCURRENT_REQUESTS = 8

_MAX_CACHED_ROLES = 20_000

_NAME = re.compile(r"[\w.-]+/[\w.-]*[\w-]", re.ASCII)
_GENERAL = "a source could not be read, so entries may be missing"


class Visible(NamedTuple):
    """The part of a queue that a person may see, and their roles in it."""

    queue: Queue
    viewer: Viewer


class AccessReader:
    """Fetches the roles of people, and caches them for some minutes."""

    def __init__(self, options: DashboardOptions, sources: Sources) -> None:
        self._options, self._sources = options, sources
        self._cache: dict[tuple[str, str], tuple[str, float]] = {}
        self._slots = asyncio.Semaphore(_MAX_CONCURRENT_REQUESTS)

    async def visible(self, queue: Queue, session: Session | None) -> Visible:
        """Return the part of a queue that a person may see; all of it without sign-in.

        Raises:
            TokenEndedError: GitHub no longer accepts the person's token.
        """
        if session is None:
            return Visible(queue, Viewer(name="", at=queue.now))
        login = session.login
        roles, failures = await self._roles(session, _projects(queue))
        entries = tuple(item for item in queue.entries if _may_see(item, roles, login))
        viewer = Viewer(
            name=login,
            login=login,
            roles=tuple(roles.items()),
            teams=await self._teams(session, entries, roles),
            at=queue.now,
            lent=await self._delegated_roles(session, entries, queue.now),
            is_proxied=bool(self._options.user_header),
        )
        partial = (*_readable(queue.partial, roles), *failures)
        # The names of other projects are for those who may read them; the database is the server's.
        hidden = len(queue.entries) - len(entries)
        hidden += sum(number for _, number in queue.not_shown.other_projects)
        shown = queue._replace(
            entries=entries, partial=partial, not_shown=NotShown(unreadable=hidden)
        )
        return Visible(shown, viewer)

    async def readable(self, session: Session, projects: Iterable[str]) -> tuple[str, ...]:
        """Return the projects that a person may read on GitHub."""
        roles, _ = await self._roles(session, {name for name in projects if is_name(name)})
        return tuple(roles)

    async def visible_entries(
        self, entries: Iterable[QueueEntry], session: Session | None
    ) -> tuple[QueueEntry, ...]:
        """Return the entries that a person may see.

        Raises:
            TokenEndedError: GitHub no longer accepts the person's token.
        """
        all_entries = tuple(entries)
        if session is None:
            return all_entries
        names = await self.readable(session, (entry.repository for entry in all_entries))
        roles = dict.fromkeys(names, "read")
        return tuple(entry for entry in all_entries if _may_see(entry, roles, session.login))

    async def _roles(
        self, session: Session, projects: Iterable[str]
    ) -> tuple[dict[str, str], list[str]]:
        """Return the person's role on each repository with one, and lines on failures."""
        names = sorted(projects)
        answers = await asyncio.gather(*(self._role(session, name) for name in names))
        roles: dict[str, str] = {}
        failures: dict[str, None] = {}
        for name, (role, failure) in zip(names, answers, strict=True):
            if role:
                roles[name] = role
            if failure:
                failures[failure] = None
        return roles, list(failures)

    async def _role(self, session: Session, project: str) -> tuple[str, str]:
        """Return the role on a repository, "" for none, and a line if it could not be read."""
        try:
            role = await self._cached(session, project, lambda: self._read_role(session, project))
        except TokenEndedError:
            raise
        except HelixError as error:
            return "", f"entries of some repositories are not shown: {printable(str(error))}"
        return role, ""

    def _read_role(self, session: Session, project: str) -> str:
        oauth = self._options.oauth
        if oauth:
            return github_user.role(oauth, session.token, project)
        return self._sources.role(project, session.login)

    async def _teams(
        self, session: Session, entries: Iterable[QueueEntry], roles: dict[str, str]
    ) -> tuple[str, ...]:
        """Return the deciding teams of a person."""

        async def is_in(team: str) -> bool:
            def read() -> str:
                return "member" if self._is_member(session, team) else ""

            return bool(await self._cached(session, f"team {team}", read))

        teams = deciding_teams(entries, roles, session.login)
        return tuple([team for team in teams if await is_in(team)])

    async def _delegated_roles(
        self, session: Session, entries: Iterable[QueueEntry], now: int
    ) -> tuple[tuple[str, str, str], ...]:
        """Return project, login and role of the people whose delegate a person is.

        They are read with the server's own token; "" is a role that can't be read.
        """

        def read(project: str, login: str) -> str:
            try:
                return self._sources.role(project, login)
            except HelixError:
                return ""

        roles = []
        for project, giver in givers(entries, session.login, now):
            key = f"{project} @{giver}"
            role = await self._cached(session, key, partial(read, project, giver))
            roles.append((project, giver, role))
        return tuple(roles)

    async def _cached(self, session: Session, name: str, read: Callable[[], str]) -> str:
        """Return a value of the cache, or else read it in a thread."""
        value, at = self._cache.get((session.key, name), ("", 0.0))
        if at and time.monotonic() - at < SECONDS:
            return value
        async with self._slots:
            value = await run_in_threadpool(read)
        if len(self._cache) >= _MAX_CACHED_ROLES:
            self._cache.clear()
        self._cache[session.key, name] = value, time.monotonic()
        return value

    def _is_member(self, session: Session, team: str) -> bool:
        oauth = self._options.oauth
        if oauth:
            return github_user.is_member(oauth, session.token, team, session.login)
        return self._sources.is_member(team, session.login)


def _may_see(entry: QueueEntry, roles: dict[str, str], login: str) -> bool:
    """Return whether a login may read the repository of an entry.

    A project outside GitHub has no roles. Its named deciders, their delegates and the requester can
    see the entry.
    """
    if entry.repository:
        return bool(roles.get(entry.project))
    deciders = entry.deciders
    delegates = (item.to for item in deciders.delegates)
    names = (*deciders.users, *delegates, deciders.sole, entry.asked_by)
    return login.casefold() in map(str.casefold, names)


def _projects(queue: Queue) -> set[str]:
    """Return the repositories of entries, and those that a line on a failure may name."""
    names = {item.project for item in queue.entries}
    for line in queue.partial:
        names.update(_NAME.findall(line))
    return set(filter(is_name, names))


def _readable(lines: tuple[str, ...], roles: dict[str, str]) -> tuple[str, ...]:
    """Return lines on failures. A general line replaces those that name other repositories."""
    shown: dict[str, None] = {}
    for line in lines:
        is_readable = roles.keys() >= {*_NAME.findall(line)}
        shown[line if is_readable else _GENERAL] = None
    return tuple(shown)
