"""The repositories that a signed-in person may see, and their roles, read anew in minutes."""

import asyncio
import re
import time
from collections.abc import Iterable
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from ..config.delegates import givers_to
from ..errors import HelixError
from ..safety.remote import is_name
from ..text.sanitize import printable
from ..waiting.entry import Queue, QueueEntry, Viewer
from . import github_user
from .github_user import TokenEndedError
from .options import DashboardOptions
from .sessions import Session
from .sources import Sources

SECONDS = 300
"""Seconds for which a role is believed on a page. Whoever takes a decision reads it again."""

_AT_ONCE, _MOST = 8, 20_000
_NAME = re.compile(r"[\w.-]+/[\w.-]*[\w-]", re.ASCII)
_GENERAL = "a source could not be read, so entries may be missing"


class RememberedRole(NamedTuple):
    """The role, or the membership of a team, as it was read at a time."""

    value: str
    at: float


class Visible(NamedTuple):
    """The part of a queue that somebody may see, and who they are there."""

    queue: Queue
    viewer: Viewer


class AccessReader:
    """Reads the roles of people, and remembers them for some minutes."""

    def __init__(self, options: DashboardOptions, sources: Sources) -> None:
        self._options, self._sources = options, sources
        self._known: dict[tuple[str, str], RememberedRole] = {}
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def visible(self, queue: Queue, session: Session | None) -> Visible:
        """Return what somebody may see; without sign-in that is all. Raises TokenEndedError."""
        if session is None:
            return Visible(queue, Viewer(name="", at=queue.now))
        login = session.login
        projects = sorted(_projects(queue))
        found = await asyncio.gather(*(self._role(session, name) for name in projects))
        roles = {name: role for name, (role, _) in zip(projects, found, strict=True) if role}
        failures = tuple(failure for _, failure in found if failure)
        entries = tuple(item for item in queue.entries if _may_see(item, roles, login))
        viewer = Viewer(
            name=login,
            login=login,
            roles=tuple(roles.items()),
            teams=await self._teams(session, entries, roles),
            at=queue.now,
            lent=await self._lent(session, entries, queue.now),
        )
        partial = (*_readable(queue.partial, roles), *dict.fromkeys(failures))
        return Visible(queue._replace(entries=entries, partial=partial), viewer)

    async def readable(self, session: Session, projects: Iterable[str]) -> tuple[str, ...]:
        """Return those of some projects that somebody may read on GitHub."""
        names = sorted({name for name in projects if is_name(name)})
        found = await asyncio.gather(*(self._role(session, name) for name in names))
        return tuple(name for name, (role, _) in zip(names, found, strict=True) if role)

    async def seen(
        self, entries: Iterable[QueueEntry], session: Session | None
    ) -> tuple[QueueEntry, ...]:
        """Return the entries that somebody may see. Raises TokenEndedError."""
        found = tuple(entries)
        if session is None:
            return found
        names = await self.readable(session, (entry.project for entry in found))
        return tuple(
            entry for entry in found if _may_see(entry, dict.fromkeys(names, "read"), session.login)
        )

    async def _role(self, session: Session, project: str) -> tuple[str, str]:
        """Return the role on a repository, "" for none, and a line if it could not be read."""
        known = self._remembered(session, project)
        if known is not None:
            return known, ""
        async with self._slots:
            try:
                role = await run_in_threadpool(self._read_role, session, project)
            except TokenEndedError:
                raise
            except HelixError as error:
                return "", f"entries of some repositories are not shown: {printable(str(error))}"
        self._remember(session, project, role)
        return role, ""

    def _read_role(self, session: Session, project: str) -> str:
        oauth = self._options.oauth
        if oauth:
            return github_user.role(oauth, session.token, project)
        return self._sources.role(project, session.login)

    async def _teams(
        self, session: Session, entries: Iterable[QueueEntry], roles: dict[str, str]
    ) -> tuple[str, ...]:
        """Return the deciding teams that somebody is in, where their role is not enough."""
        asked = {
            team
            for entry in entries
            if roles.get(entry.project, "") not in entry.deciders.roles
            and not entry.deciders.are_named(session.login)
            for team in entry.deciders.teams
        }
        found = []
        for team in sorted(asked):
            key = f"team {team}"
            known = self._remembered(session, key)
            if known is None:
                is_in = await run_in_threadpool(self._is_member, session, team)
                known = "member" if is_in else ""
                self._remember(session, key, known)
            if known:
                found.append(team)
        return tuple(found)

    async def _lent(
        self, session: Session, entries: Iterable[QueueEntry], now: int
    ) -> tuple[tuple[str, str, str], ...]:
        """Return the roles of those in whose place somebody decides, with project and login.

        They are read with the server's own token; one that can't be read is not lent.
        """
        pairs = {
            (entry.project, giver)
            for entry in entries
            for giver in givers_to(entry.deciders.delegates, session.login, now)
        }
        found = []
        for project, giver in sorted(pairs):
            key = f"{project} @{giver}"
            role = self._remembered(session, key)
            if role is None:
                try:
                    role = await run_in_threadpool(self._sources.role, project, giver)
                except HelixError:
                    role = ""
                self._remember(session, key, role)
            found.append((project, giver, role))
        return tuple(found)

    def _is_member(self, session: Session, team: str) -> bool:
        oauth = self._options.oauth
        if oauth:
            return github_user.is_member(oauth, session.token, team, session.login)
        return self._sources.is_member(team, session.login)

    def _remembered(self, session: Session, name: str) -> str | None:
        known = self._known.get((session.key, name))
        return known.value if known and time.monotonic() - known.at < SECONDS else None

    def _remember(self, session: Session, name: str, value: str) -> None:
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[session.key, name] = RememberedRole(value, time.monotonic())


def _may_see(entry: QueueEntry, roles: dict[str, str], login: str) -> bool:
    """Return whether a login may read the repository of an entry.

    A project that is not on GitHub has no roles: those whom its policy names see it, and who asked.
    """
    if is_name(entry.project):
        return bool(roles.get(entry.project))
    names = (*entry.deciders.users, entry.deciders.sole, entry.asked_by)
    return login.casefold() in map(str.casefold, names)


def _projects(queue: Queue) -> set[str]:
    """Return the repositories of entries and those that a line about a failure may name."""
    named = (name for line in queue.partial for name in _NAME.findall(line))
    return {name for name in (*(item.project for item in queue.entries), *named) if is_name(name)}


def _readable(lines: tuple[str, ...], roles: dict[str, str]) -> tuple[str, ...]:
    """Return lines about failures; one that names a repository which is not known to be readable
    becomes a general one.
    """
    shown = (line if {*_NAME.findall(line)} <= roles.keys() else _GENERAL for line in lines)
    return tuple(dict.fromkeys(shown))
