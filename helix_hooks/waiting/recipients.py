"""Recipients of a notice: by the policy, and by the preferences of each person. Pure."""

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
from ..globs import matches
from ..text.invisible import ZERO_WIDTH_SPACE
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
    """Return the channels that are told of a change, each once."""
    found = [
        Address(person.login, channel.name)
        for person in settings.people
        if notice.event in person.events and _concerns(notice, person)
        for channel in person.channels
    ]
    found += [
        Address(shared_owner(shared.projects), channel.name)
        for shared in settings.shared
        if notice.event in shared.events and matches(notice.project, (shared.projects,))
        for channel in shared.channels
    ]
    return tuple(dict.fromkeys(found))


def owners(settings: NotifySettings) -> tuple[str, ...]:
    """Return all who have channels."""
    return tuple(dict.fromkeys(item.owner for item in all_channels(settings)))


def channels(settings: NotifySettings, owner: str) -> dict[str, Channel]:
    """Return the channels of an owner by name; none where the settings do not know the owner."""
    found = (item.channel for item in all_channels(settings) if item.owner == owner)
    return {channel.name: channel for channel in found}


class OwnedChannel(NamedTuple):
    """A channel with its owner, and the events of which it is told."""

    owner: str
    channel: Channel
    events: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind of the address, as in slack, without the rest of it."""
        kind, separator, _ = self.channel.address.partition("://")
        return kind if separator and "$" not in kind else "variable"


def all_channels(settings: NotifySettings) -> tuple[OwnedChannel, ...]:
    """Return all channels, those of people first."""
    own = [(person.login, person.channels, person.events) for person in settings.people]
    shared = [(shared_owner(one.projects), one.channels, one.events) for one in settings.shared]
    return tuple(
        OwnedChannel(owner, channel, events)
        for owner, found, events in (*own, *shared)
        for channel in found
    )


def _concerns(notice: Notice, person: NotifiedPerson) -> bool:
    """Return whether it is a person's turn, or, at the end, whether they asked.

    Nobody is told of their own decision.
    """
    login = person.login.casefold()
    if notice.event == DECIDED and login == login_in(notice.by):
        return False
    if notice.event in (DECIDED, EXPIRED) and has_asked(notice, login):
        return True
    if notice.event in (TURN, ESCALATED) and login in notice.approved_by:
        return False
    if login in notice.excluded and login != notice.sole:
        return False
    is_member = any(team.casefold() in notice.teams for team in person.teams)
    has_role = notice.by_role and matches(notice.project, person.projects)
    is_named = login in (*notice.people, *notice.delegates, notice.sole)
    return is_named or is_member or has_role


def has_asked(notice: Notice, login: str) -> bool:
    """Return whether a login asked, or somebody asked for it, as in "bot on behalf of @alice"."""
    words = notice.asked_by.replace(ZERO_WIDTH_SPACE, "").split()
    named = [*words[:1], *(word for word in words if word.startswith("@"))]
    return login.casefold() in (name.strip("@(),").casefold() for name in named)


def login_in(text: str) -> str:
    """Return the login at the beginning of a text, as in "@alice (delegate of @bob)"."""
    word = text.replace(ZERO_WIDTH_SPACE, "").partition(" ")[0]
    return word.removeprefix("@").casefold()
