"""The file of notifications: the people and channels, and the events that they are notified of.

It is outside any repository, since its addresses may contain secrets.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from ..globs import check_glob
from ..yaml_reader import Value, load
from .declaration import GLOBS, Key, Section, Type, integer, section
from .delegates import LOGIN
from .policy import TEAMS

TURN, ESCALATED, EXPIRED, DECIDED = "turn", "escalated", "expired", "decided"
EVENTS = (TURN, ESCALATED, EXPIRED, DECIDED)
"""The events of a notification: a person must act, an entry was escalated, a deadline has passed,
and an entry was decided.
"""

_UNITS = {"s": 1, "m": 60, "h": 3600}
_MAX_WAIT = 24 * 3600
_NAME = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,38}"
_VARIABLE = re.compile(r"\$\{([^}]*)\}")


class Channel(NamedTuple):
    """A channel: its name, and its address for Apprise. `${NAME}` in the address is a variable.

    The address may contain a secret, so it is never printed.
    """

    name: str
    address: str


class NotifiedPerson(NamedTuple):
    """A person by login, with channels and preferences.

    `projects` are globs of the projects in which the person decides because of a role. `teams` are
    the teams of the person.
    """

    login: str
    channels: tuple[Channel, ...]
    events: tuple[str, ...] = EVENTS
    projects: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()


class SharedChannels(NamedTuple):
    """Channels for all entries in the projects of a glob, such as the chat of a team."""

    projects: str
    channels: tuple[Channel, ...]
    events: tuple[str, ...] = EVENTS


class NotifySettings(NamedTuple):
    """The settings of notifications.

    `batch` is the time in seconds in which messages are collected. `most` is the maximum number of
    messages to a channel in an hour.
    """

    people: tuple[NotifiedPerson, ...] = ()
    shared: tuple[SharedChannels, ...] = ()
    batch: int = 60
    most: int = 12


def parse_notify(text: str, path: str) -> NotifySettings:
    """Parse the file of notifications. No message of an error quotes an address.

    Raises:
        ConfigError: A value is invalid.
    """
    settings: NotifySettings = NOTIFY.with_entries(
        NotifySettings(), _entries(load(text, path), NOTIFY)
    )
    return settings


def variables_of(address: str) -> tuple[str, ...]:
    """Return the names of the variables in an address."""
    return tuple(_VARIABLE.findall(address))


def with_variables(address: str, value_of: Callable[[str], str]) -> str:
    """Return an address in which each variable is replaced by its value."""
    return _VARIABLE.sub(lambda match: value_of(match[1]), address)


def _entries(value: Value, section: Section | None = None) -> dict[str, Value]:
    """Return the entries of a mapping, which has the keys of a section if it is one."""
    if not isinstance(value.data, dict):
        # `mapping` would quote the value, which may be an address with a secret.
        raise value.fail("expected a mapping (key: value)")
    return section.entries(value) if section else value.mapping()


def _people(value: Value) -> tuple[NotifiedPerson, ...]:
    people = []
    seen: dict[str, str] = {}
    for login, item in _entries(value).items():
        _refuse_unless(LOGIN, login, item, "login", "octocat")
        unset = NotifiedPerson(login, ())
        people.append(PERSON.with_entries(unset, _entries(item, PERSON)))
        first = seen.setdefault(login.casefold(), login)
        if first != login:
            raise item.fail(f"{first} is the same login; remove one of the two")
    return tuple(people)


def _shared(value: Value) -> tuple[SharedChannels, ...]:
    shared = []
    for projects, item in _entries(value).items():
        check_glob(item, projects)
        unset = SharedChannels(projects, ())
        shared.append(SHARED.with_entries(unset, _entries(item, SHARED)))
    return tuple(shared)


def _channels(value: Value) -> tuple[Channel, ...]:
    entries = _entries(value)
    if not entries:
        raise value.fail("missing channel (expected e.g. mail: mailtos://...)")
    return tuple(_channel(name, item) for name, item in entries.items())


def _channel(name: str, value: Value) -> Channel:
    _refuse_unless(_NAME, name, value, "channel name", "mail")
    # No message quotes the address: it may contain a secret.
    if not isinstance(value.data, str) or not value.data.strip():
        raise value.fail("missing address of the channel (expected e.g. mailtos://USER@HOST)")
    address = value.data.strip()
    without = _VARIABLE.sub("", address)
    if "${" in without or not all(map(_is_variable, variables_of(address))):
        raise value.fail(
            "invalid variable (expected ${NAME}, with letters, digits and underscores)"
        )
    is_variable = _VARIABLE.fullmatch(address) is not None
    if not is_variable and not re.match(r"[a-z][a-z0-9+.-]*://", address, re.IGNORECASE):
        raise value.fail(
            "the address of a channel must begin with its service, e.g. mailtos:// or slack://; "
            "the documentation of Apprise lists all services"
        )
    return Channel(name, address)


def _is_variable(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None


def _events(value: Value) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.choice(EVENTS) for item in value.one_or_more()))


def _seconds(value: Value) -> int:
    match = re.fullmatch(r"(0|[1-9]\d{0,4})([smh])", value.text(), re.ASCII)
    seconds = _MAX_WAIT + 1
    if match:
        seconds = int(match[1]) * _UNITS[match[2]]
    if seconds > _MAX_WAIT:
        raise value.fail(
            f"invalid duration {value.data!r} (expected up to 24h, e.g. 30s, 2m or 1h)"
        )
    return seconds


def _refuse_unless(pattern: str, name: str, value: Value, kind: str, example: str) -> None:
    if not re.fullmatch(pattern, name):
        raise value.fail(f"invalid {kind} {name!r} (expected e.g. {example})")


class _Shared:
    channels = Key(Type(_channels, "channels"), required=True)
    """Names and addresses for Apprise. `${NAME}` is an environment variable. Its value is encoded
    if it is part of an address, and used unchanged if it is the whole address.
    """
    events = Key(Type(_events, "events"), example=["turn", "escalated"])
    """The events to notify about."""


class _Person(_Shared):
    projects = Key(GLOBS, example=["acme/*"])
    """The projects in which the person decides by their role. Roles are not read from GitHub for
    notifications.
    """
    teams = Key(TEAMS, example=["acme/architects"])
    """Teams of the policy of which the person is a member."""


SHARED = section(_Shared, SharedChannels("", ()))
PERSON = section(_Person, NotifiedPerson("", ()))


class _Notify:
    people = Key(Type(_people, "people"))
    """People, by login on GitHub or by user name at a terminal."""
    projects = Key(Type(_shared, "projects"), field="shared")
    """Channels for all entries of a project, by a pattern of projects."""
    batch = Key(Type(_seconds, "wait"), example="2m")
    """Time for which a message is held back for further changes: seconds, minutes or hours, at most
    24h.
    """
    most_per_hour = Key(integer(1), field="most")
    """The highest number of messages to a channel in an hour. Later changes wait."""


NOTIFY = section(_Notify, NotifySettings())
