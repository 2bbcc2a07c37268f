"""`policy.delegates`: people who decide for others on some days."""

import re
from typing import Annotated, NamedTuple

from ..text.day import DAY, beginning, exists
from ..yaml_reader import Value
from .declaration import Key, Type, section

LOGIN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,98}"
"""The login of a person; that of a bot ends in `[bot]`."""

MOST_DELEGATES = 100
_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Delegate(NamedTuple):
    """A person who may decide for another one, from one day to another.

    `giver` gives the right, `to` gets it. `since` is the first day and `until` the last one, in
    UTC, as in 2026-12-14.
    """

    giver: str
    to: str
    since: Annotated[str, _DAY]
    until: Annotated[str, _DAY]

    def is_active(self, at: int) -> bool:
        """Return whether a time in seconds since 1970 is on one of the days."""
        return beginning(self.since) <= at < beginning(self.until) + DAY

    def covers(self, other: "Delegate") -> bool:
        """Return whether the other delegation adds nothing to this one."""
        is_within = self.since <= other.since and other.until <= self.until
        return is_within and self.pair == other.pair

    @property
    def pair(self) -> tuple[str, str]:
        """Both logins in lowercase: GitHub ignores the case of a login."""
        return self.giver.casefold(), self.to.casefold()

    @property
    def as_json(self) -> dict[str, str]:
        """The keys of the settings, as in the record of a decision."""
        return {"from": self.giver, "to": self.to, "since": self.since, "until": self.until}

    @property
    def in_words(self) -> str:
        return f"@{self.to} for @{self.giver}, {self.since} to {self.until}"


def parse_delegates(value: Value) -> tuple[Delegate, ...]:
    """Parse `policy.delegates`.

    Raises:
        ConfigError: A value is invalid; the error has the first one.
    """
    items = value.sequence()
    if len(items) > MOST_DELEGATES:
        raise value.fail(f"too many entries ({len(items)}, maximum {MOST_DELEGATES})")
    return tuple(map(_delegate, items))


def _delegate(value: Value) -> Delegate:
    entries = DELEGATE.entries(value)
    delegate: Delegate = DELEGATE.read(value)
    giver, to = delegate.pair
    if giver == to:
        raise entries["to"].fail(
            f"{delegate.to!r} cannot delegate to themselves; choose another person"
        )
    # Days of this form are in the order of their texts.
    if delegate.until < delegate.since:
        raise entries["until"].fail(
            f"`until` ({delegate.until}) is before `since` ({delegate.since}); it is the last day"
        )
    return delegate


def _person(value: Value) -> str:
    login = value.text()
    if login.endswith("[bot]"):
        raise value.fail(f"bots cannot approve: {login!r}; choose a person")
    if not re.fullmatch(LOGIN, login):
        raise value.fail(f"invalid login {login!r} (expected e.g. octocat)")
    return login


def _day(value: Value) -> str:
    text = value.text()
    if _DAY.fullmatch(text) and exists(*map(int, text.split("-"))):
        return text
    raise value.fail(f"invalid date {text!r} (expected e.g. 2026-12-14)")


_PERSON = Type(_person, "login of a person")


class _Delegation:
    giver = Key(_PERSON, name="from", required=True, example="alice")
    """The login of the person who delegates their right."""
    to = Key(_PERSON, required=True, example="bob")
    """The login of the delegate."""
    since = Key(Type(_day, "day"), required=True, example="2026-12-01")
    """The first day, in UTC."""
    until = Key(Type(_day, "day"), required=True, example="2026-12-14")
    """The last day, in UTC."""


DELEGATE = section(_Delegation, Delegate("", "", "", ""))
DELEGATES = Type(parse_delegates, {"type": "array", "maxItems": MOST_DELEGATES, "items": DELEGATE})


def givers_to(delegates: tuple[Delegate, ...], login: str, at: int) -> tuple[str, ...]:
    """Return the people for whom a user may decide at a time, in the order of the policy."""
    login = login.casefold()
    active = [item for item in delegates if item.to.casefold() == login and item.is_active(at)]
    return tuple(dict.fromkeys(item.giver for item in active))
