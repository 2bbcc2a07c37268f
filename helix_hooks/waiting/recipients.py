"""Recipients of a notice, from the policy and the preferences of each person. Pure."""

from collections.abc import Iterator
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


def owners(settings: NotifySettings) -> tuple[str, ...]:
    """Return all owners of channels."""
    return tuple(dict.fromkeys(item.owner for item in all_channels(settings)))


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
    if notice.event in (DECIDED, EXPIRED) and has_asked(notice, login):
        # Nobody is notified of their own decision.
        return notice.event == EXPIRED or login != login_in(notice.by)
    if notice.event == DECIDED and login == login_in(notice.by):
        return False
    if notice.event in (TURN, ESCALATED) and login in notice.approved_by:
        return False
    if login in notice.excluded and login != notice.sole:
        return False
    return _may_decide(notice, person)


def _may_decide(notice: Notice, person: NotifiedPerson) -> bool:
    if person.login.casefold() in (*notice.people, *notice.delegates, notice.sole):
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
