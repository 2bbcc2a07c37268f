"""Recipients of a notice, from the policy and the preferences of each person. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..config.notify import (
    DECIDED,
    ESCALATED,
    EXPIRED,
    TURN,
    Channel,
    NotifiedPerson,
    NotifySettings,
)
from ..paths import matches
from ..text import ZERO_WIDTH_SPACE
from .notices import Notice


class Address(NamedTuple):
    """A channel of a person, or of a project's glob: then `owner` is "projects:GLOB"."""

    owner: str
    channel: str

    @property
    def is_shared(self) -> bool:
        return self.owner.startswith(_SHARED)


_SHARED = "projects:"  # no login has a colon


def shared_owner(projects: str) -> str:
    """Return the owner of the channels of a project's glob."""
    return f"{_SHARED}{projects}"


def addresses(notice: Notice, settings: NotifySettings) -> tuple[Address, ...]:
    """Return the channels that get a notice, each once."""
    owners = set(_owners(notice, settings))
    channels: dict[Address, None] = {}
    for item in all_channels(settings):
        if item.owner in owners and notice.event in item.events:
            channels[Address(item.owner, item.channel.name)] = None
    return tuple(channels)


def _owners(notice: Notice, settings: NotifySettings) -> Iterator[str]:
    """Yield the people and the groups of projects that a notice concerns."""
    for person in settings.people:
        if notice.event in person.events and _concerns(notice, person):
            yield person.login
    for shared in settings.shared:
        if notice.event in shared.events and matches(notice.project, (shared.projects,)):
            yield shared_owner(shared.projects)


def worth_telling(
    notices: Iterable[Notice], newest: Mapping[str, Notice], to: Address, settings: NotifySettings
) -> tuple[Notice, ...]:
    """Return what a message to a channel says, of the notices that wait for it, in any order.

    `newest` are the last notices by entry. What has changed meanwhile is left out. If an entry
    begins and ends within the message, only the requester and shared channels get its end.
    """
    waiting = list(notices)
    keys = {notice.key for notice in waiting}
    began = {notice.entry for notice in waiting if notice.event != DECIDED}
    told = []
    for entry, notice in {notice.entry: notice for notice in waiting}.items():
        now = newest.get(entry, notice)
        cares = to.is_shared or has_asked(now, to.owner)
        is_news = now.event != DECIDED or entry not in began or cares
        if now.key in keys and is_news and to in addresses(now, settings):
            told.append(now)
    return tuple(told)


def unreached(notice: Notice, settings: NotifySettings) -> tuple[str, ...]:
    """Return whose turn it is without a channel for them, e.g. "@bob" or "acme/board"."""
    if any(to.is_shared for to in addresses(notice, settings)):
        return ()
    people = [person for person in settings.people if notice.event in person.events]
    logins = {person.login.casefold() for person in people}
    teams = {team.casefold() for person in people for team in person.teams}
    if notice.is_question:
        return () if any(has_asked(notice, login) for login in logins) else (notice.asked_by,)
    named = (*notice.people, *notice.delegates, *filter(None, [notice.sole]))
    without = {*notice.excluded, *notice.approved_by} - {notice.sole}
    missing = [f"@{name}" for name in named if name not in logins and name not in without]
    missing += [team for team in notice.teams if team not in teams]
    if notice.by_role and not any(matches(notice.project, person.projects) for person in people):
        missing.append("people with a role")
    return tuple(dict.fromkeys(missing))


def channels(settings: NotifySettings, owner: str) -> dict[str, Channel]:
    """Return the channels of an owner by name; {} for an unknown owner."""
    found = (item.channel for item in all_channels(settings) if item.owner == owner)
    return {channel.name: channel for channel in found}


class OwnedChannel(NamedTuple):
    """A channel with its owner and its events."""

    owner: str
    channel: Channel
    events: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind of the address, e.g. slack."""
        kind, separator, _ = self.channel.address.partition("://")
        return kind if separator and "$" not in kind else "variable"


def all_channels(settings: NotifySettings) -> tuple[OwnedChannel, ...]:
    """Return all channels, those of people first."""
    listed: list[OwnedChannel] = []
    for person in settings.people:
        listed += [OwnedChannel(person.login, item, person.events) for item in person.channels]
    for shared in settings.shared:
        owner = shared_owner(shared.projects)
        listed += [OwnedChannel(owner, item, shared.events) for item in shared.channels]
    return tuple(listed)


def _concerns(notice: Notice, person: NotifiedPerson) -> bool:
    """Return whether it is a person's turn, or whether their request has ended."""
    login = person.login.casefold()
    if notice.is_question:
        return has_asked(notice, login)
    if notice.event in (DECIDED, EXPIRED) and has_asked(notice, login):
        # Nobody is notified of their own decision.
        return notice.event == EXPIRED or login != login_in(notice.by)
    if notice.event == DECIDED and login == login_in(notice.by):
        return False
    if notice.event in (TURN, ESCALATED) and login in notice.approved_by:
        return False
    if login in notice.excluded and login != notice.sole:
        return False
    if login in (*notice.people, *notice.delegates, notice.sole):
        return True
    if any(team.casefold() in notice.teams for team in person.teams):
        return True
    return notice.by_role and matches(notice.project, person.projects)


def has_asked(notice: Notice, login: str) -> bool:
    """Return whether a login is the requester, or is named as in "bot on behalf of @alice"."""
    words = notice.asked_by.replace(ZERO_WIDTH_SPACE, "").split()
    named = [*words[:1], *(word for word in words if word.startswith("@"))]
    return login.casefold() in (name.strip("@(),").casefold() for name in named)


def login_in(text: str) -> str:
    """Return the login at the beginning of a text such as "@alice (delegate of @bob)"."""
    word = text.replace(ZERO_WIDTH_SPACE, "").partition(" ")[0]
    return word.removeprefix("@").casefold()
