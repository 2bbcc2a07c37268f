"""The file of notifications: the people and channels, and the events that they are notified of.

It is outside any repository, since its addresses may contain secrets. No message quotes an address.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from ..yaml_reader import Value, load
from . import GLOBS, Section, Type, check_glob, integer, key, named, seconds, section
from .policy import LOGIN, TEAMS

TURN, ESCALATED, EXPIRED, DECIDED = "turn", "escalated", "expired", "decided"
EVENTS = (TURN, ESCALATED, EXPIRED, DECIDED)
"""The events of a notification: a person must act, an entry was escalated, a deadline has passed,
and an entry was decided.
"""

_MAX_WAIT = 24 * 3600
_VARIABLE = re.compile(r"\$\{([^}]*)\}")


class Channel(NamedTuple):
    """A channel: its name, and its address for Apprise. `${NAME}` in the address is a variable."""

    name: str
    address: str


def _entries(value: Value, section: Section | None = None) -> dict[str, Value]:
    """Return the entries of a mapping, which has the keys of a section if it is one."""
    if not isinstance(value.data, dict):
        # `mapping` would quote the value, which may be an address with a secret.
        raise value.fail("expected a mapping (key: value)")
    return section.entries(value) if section else value.mapping()


def _channels(value: Value) -> tuple[Channel, ...]:
    if not _entries(value):
        raise value.fail("missing channel (expected e.g. mail: mailtos://...)")
    names = named(value, "channel name", "[A-Za-z0-9][A-Za-z0-9_.-]{0,38}", "e.g. mail")
    return tuple(Channel(name, _address(item)) for name, item in names.items())


def _address(value: Value) -> str:
    if not isinstance(value.data, str) or not value.data.strip():
        raise value.fail("missing address of the channel (expected e.g. mailtos://USER@HOST)")
    address = value.data.strip()
    names = variables_of(address)
    if "${" in _VARIABLE.sub("", address) or not all(
        re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) for name in names
    ):
        raise value.fail(
            "invalid variable (expected ${NAME}, with letters, digits and underscores)"
        )
    if not re.match(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|\$\{[^}]*\}$)", address):
        raise value.fail(
            "the address of a channel must begin with its service, e.g. mailtos:// or slack://; "
            "the documentation of Apprise lists all services"
        )
    return address


def variables_of(address: str) -> tuple[str, ...]:
    """Return the names of the variables in an address."""
    return tuple(_VARIABLE.findall(address))


def with_variables(address: str, value_of: Callable[[str], str]) -> str:
    """Return an address in which each variable is replaced by its value."""
    return _VARIABLE.sub(lambda match: value_of(match[1]), address)


_CHANNELS = Type(_channels, "channels")
_EVENTS = Type(
    lambda value: tuple(dict.fromkeys(item.choice(EVENTS) for item in value.one_or_more())),
    "events",
)


class SharedChannels(NamedTuple):
    """Channels for all entries in the projects of a glob, such as the chat of a team."""

    projects: str = ""
    channels: tuple[Channel, ...] = key(_CHANNELS, (), required=True)
    """Names and addresses for Apprise. `${NAME}` is an environment variable. Its value is encoded
    if it is part of an address, and used unchanged if it is the whole address.
    """
    events: tuple[str, ...] = key(_EVENTS, EVENTS, example=["turn", "escalated"])
    """The events to notify about."""


SHARED = section(SharedChannels)


class NotifiedPerson(NamedTuple):
    """A person by login, with channels and preferences."""

    login: str = ""
    channels: tuple[Channel, ...] = key(_CHANNELS, (), required=True)
    """Names and addresses for Apprise. `${NAME}` is an environment variable. Its value is encoded
    if it is part of an address, and used unchanged if it is the whole address.
    """
    events: tuple[str, ...] = key(_EVENTS, EVENTS, example=["turn", "escalated"])
    """The events to notify about."""
    projects: tuple[str, ...] = key(GLOBS, (), example=["acme/*"])
    """The projects in which the person decides by their role. Roles are not read from GitHub for
    notifications.
    """
    teams: tuple[str, ...] = key(TEAMS, (), example=["acme/architects"])
    """Teams of the policy of which the person is a member."""


PERSON = section(NotifiedPerson)


def _people(value: Value) -> tuple[NotifiedPerson, ...]:
    _entries(value)
    people: dict[str, NotifiedPerson] = {}
    for login, item in named(value, "login", LOGIN, "e.g. octocat").items():
        first = people.get(login.casefold())
        if first:
            raise item.fail(f"{first.login} is the same login; remove one of the two")
        people[login.casefold()] = PERSON.with_entries(
            NotifiedPerson(login), _entries(item, PERSON)
        )
    return tuple(people.values())


def _shared(value: Value) -> tuple[SharedChannels, ...]:
    shared = []
    for projects, item in _entries(value).items():
        check_glob(item, projects)
        shared.append(SHARED.with_entries(SharedChannels(projects), _entries(item, SHARED)))
    return tuple(shared)


def _seconds(value: Value) -> int:
    wait = seconds(value.text(), "smh")
    if wait is None or wait > _MAX_WAIT:
        raise value.fail(
            f"invalid duration {value.data!r} (expected up to 24h, e.g. 30s, 2m or 1h)"
        )
    return wait


class NotifySettings(NamedTuple):
    """The settings of notifications. `batch` is in seconds."""

    people: tuple[NotifiedPerson, ...] = key(Type(_people, "people"), ())
    """People, by login on GitHub or by user name at a terminal."""
    shared: tuple[SharedChannels, ...] = key(Type(_shared, "projects"), (), name="projects")
    """Channels for all entries of a project, by a pattern of projects."""
    batch: int = key(Type(_seconds, "wait"), 60, example="2m")
    """Time for which a message is held back for further changes: seconds, minutes or hours, at most
    24h.
    """
    most: int = key(integer(1), 12, name="most_per_hour")
    """The highest number of messages to a channel in an hour. Later changes wait."""


NOTIFY = section(NotifySettings)


def parse_notify(text: str, path: str) -> NotifySettings:
    """Parse the file of notifications. No message of an error quotes an address.

    Raises:
        ConfigError: A value is invalid.
    """
    root = load(text, path)
    settings: NotifySettings = NOTIFY.with_entries(NotifySettings(), _entries(root, NOTIFY))
    return settings
