"""The file of notifications: who is told of what waits, by which channels. It lies outside of any
repository, since its addresses may hold secrets.
"""

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from ..globs import check_glob, globs
from ..yaml_load import load
from ..yaml_values import Value

TURN, ESCALATED, EXPIRED, DECIDED = "turn", "escalated", "expired", "decided"
EVENTS = (TURN, ESCALATED, EXPIRED, DECIDED)
"""The events that are told: somebody's turn begins, a deadline has turned to other people, a
deadline has passed, and the end of the waiting.
"""

_UNITS = {"s": 1, "m": 60, "h": 3600}
_DAY = 24 * 60
_LONGEST_WAIT = 24 * 3600
_NAME = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,38}"
_LOGIN = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})"
_TEAM = r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+"
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_OF_PERSON = ("channels", "events", "projects", "teams", "quiet_hours")
_OF_PROJECT = ("channels", "events")


class Channel(NamedTuple):
    """A channel: its name, and its address for Apprise, in which `${NAME}` is a variable.

    The address may hold a secret, so it is never printed.
    """

    name: str
    address: str


class QuietHours(NamedTuple):
    """The minutes of the day between which a person is sent nothing, in a time zone by its name.

    `start` may be later than `end`: then they last over midnight.
    """

    start: int
    end: int
    zone: str = "UTC"


class NotifiedPerson(NamedTuple):
    """A person by login, with channels and preferences.

    `projects` are globs of the projects in which the person decides by a role, `teams` those of
    which the person is a member.
    """

    login: str
    channels: tuple[Channel, ...]
    events: tuple[str, ...] = EVENTS
    projects: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    quiet: QuietHours | None = None


class SharedChannels(NamedTuple):
    """Channels that are told of all that waits in the projects of a glob, such as a team's chat."""

    projects: str
    channels: tuple[Channel, ...]
    events: tuple[str, ...] = EVENTS


class NotifySettings(NamedTuple):
    """`batch` is how many seconds a message waits for others, `most` how many messages a channel
    gets in an hour.
    """

    people: tuple[NotifiedPerson, ...] = ()
    shared: tuple[SharedChannels, ...] = ()
    batch: int = 60
    most: int = 12


def parse_notify(text: str, path: str, knows_zone: Callable[[str], bool]) -> NotifySettings:
    """Parse the file of notifications.

    `knows_zone` says whether a time zone exists, as in Europe/Berlin. Raises ConfigError, which
    quotes no address.
    """
    root = load(text, path)
    entries = _entries(root, ("people", "projects", "batch", "most_per_hour"))
    people = _entries(entries["people"]) if "people" in entries else {}
    projects = _entries(entries["projects"]) if "projects" in entries else {}
    found = NotifySettings(
        people=tuple(_person(name, value, knows_zone) for name, value in people.items()),
        shared=tuple(_shared(name, value) for name, value in projects.items()),
    )
    _refuse_twice(people)
    if "batch" in entries:
        found = found._replace(batch=_seconds(entries["batch"]))
    if "most_per_hour" in entries:
        found = found._replace(most=entries["most_per_hour"].integer(1))
    return found


def variables_of(address: str) -> tuple[str, ...]:
    """Return the names of the variables in an address."""
    return tuple(_VARIABLE.findall(address))


def with_variables(address: str, value_of: Callable[[str], str]) -> str:
    """Return an address with the value of each variable in its place."""
    return _VARIABLE.sub(lambda match: value_of(match[1]), address)


def _entries(
    value: Value, allowed: Collection[str] | None = None, required: Collection[str] = ()
) -> dict[str, Value]:
    """Return the entries of a mapping. The error for another value does not quote it, since it may
    be an address with a secret.
    """
    if not isinstance(value.data, dict):
        raise value.fail("a mapping (key: value) is wanted here")
    return value.mapping(allowed, required)


def _person(login: str, value: Value, knows_zone: Callable[[str], bool]) -> NotifiedPerson:
    _refuse_unless(_LOGIN, login, value, "login, as in octocat")
    entries = _entries(value, _OF_PERSON, ("channels",))
    return NotifiedPerson(
        login=login,
        channels=_channels(entries["channels"]),
        events=_events(entries.get("events")),
        projects=globs(entries.get("projects")),
        teams=_teams(entries.get("teams")),
        quiet=_quiet(entries["quiet_hours"], knows_zone) if "quiet_hours" in entries else None,
    )


def _shared(projects: str, value: Value) -> SharedChannels:
    check_glob(value, projects)
    entries = _entries(value, _OF_PROJECT, ("channels",))
    return SharedChannels(projects, _channels(entries["channels"]), _events(entries.get("events")))


def _refuse_twice(people: dict[str, Value]) -> None:
    """Raise ConfigError for a login that is written in two ways."""
    seen: dict[str, str] = {}
    for login, value in people.items():
        first = seen.setdefault(login.casefold(), login)
        if first != login:
            raise value.fail(f"{first} is the same login; keep one of the two")


def _channels(value: Value) -> tuple[Channel, ...]:
    entries = _entries(value)
    if not entries:
        raise value.fail("a channel is missing, as in mail: mailtos://...")
    return tuple(_channel(name, item) for name, item in entries.items())


def _channel(name: str, value: Value) -> Channel:
    _refuse_unless(_NAME, name, value, "name of a channel, as in mail")
    if not isinstance(value.data, str) or not value.data.strip():
        raise value.fail("the address of the channel is missing, as in mailtos://USER@HOST")
    address = value.data.strip()
    unclosed = _VARIABLE.sub("", address)
    if "${" in unclosed or not all(map(_is_variable, variables_of(address))):
        raise value.fail("a variable is written ${NAME}, with letters, digits and underscores")
    is_variable = _VARIABLE.fullmatch(address) is not None
    if not is_variable and not re.match(r"[a-z][a-z0-9+.-]*://", address, re.IGNORECASE):
        raise value.fail(
            "the address of a channel begins with its kind, as in mailtos:// or slack://; "
            "the documentation of Apprise lists all kinds"
        )
    return Channel(name, address)


def _is_variable(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None


def _events(value: Value | None) -> tuple[str, ...]:
    if value is None:
        return EVENTS
    return tuple(dict.fromkeys(item.choice(EVENTS) for item in value.one_or_more()))


def _teams(value: Value | None) -> tuple[str, ...]:
    items = value.one_or_more() if value else []
    for item in items:
        _refuse_unless(_TEAM, item.text(), item, "team, as in acme/architects")
    return tuple(item.text() for item in items)


def _quiet(value: Value, knows_zone: Callable[[str], bool]) -> QuietHours:
    entries = value.mapping(("from", "until", "zone"), ("from", "until"))
    zone = entries["zone"].text() if "zone" in entries else "UTC"
    if not knows_zone(zone):
        raise entries["zone"].fail(f"{zone!r} is no time zone; write one as in Europe/Berlin")
    start, end = _minute(entries["from"]), _minute(entries["until"])
    if start == end:
        raise entries["until"].fail("quiet hours must end at another time than they begin")
    return QuietHours(start, end, zone)


def _minute(value: Value) -> int:
    found = re.fullmatch(r"(\d\d):([0-5]\d)", value.text(), re.ASCII)
    minute = int(found[1]) * 60 + int(found[2]) if found else _DAY
    if minute >= _DAY:
        raise value.fail(f"{value.data!r} is no time of day; write it as in 22:00")
    return minute


def _seconds(value: Value) -> int:
    found = re.fullmatch(r"(0|[1-9]\d{0,4})([smh])", value.text(), re.ASCII)
    seconds = int(found[1]) * _UNITS[found[2]] if found else _LONGEST_WAIT + 1
    if seconds > _LONGEST_WAIT:
        raise value.fail(f"{value.data!r} is no time up to 24h; write it as in 30s, 2m or 1h")
    return seconds


def _refuse_unless(pattern: str, name: str, value: Value, kind: str) -> None:
    if not re.fullmatch(pattern, name):
        raise value.fail(f"{name!r} is no {kind}")
