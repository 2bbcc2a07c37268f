"""Tell who wrote a commit, as GitHub and as git know them, and say that these do not decide.

Pure.
"""

import re
from collections.abc import Iterable, Sequence

from ..config.watched import named
from ..text.co_authors import co_authors
from .pull_request import Commit, Person

_NO_ID = -1
"""The number of a user of whom only the login is known; it is nobody's."""

_NOREPLY = re.compile(r"(?:(\d+)\+)?([^@+]+)@users\.noreply\.", re.IGNORECASE)
_LOGIN = re.compile(r"@?([A-Za-z0-9][A-Za-z0-9-]{0,38})")
"""A name of a co-author that may be a login; GitHub's are not longer."""


def apart_from(writers: Sequence[str]) -> str:
    """Return the words for those who may not decide, with the names of writers where they are
    known.
    """
    names = f" ({named(writers)})" if writers else ""
    return f"nobody who wrote part of the change{names}"


def wrote(person: Person, commit: Commit) -> bool:
    """Return whether a person is an author, the committer or a co-author of a commit.

    They are known by GitHub's number, by the address that GitHub gives to each user, or as the name
    of a co-author.
    """
    if any(author.id == person.id for author in commit.people):
        return True
    others = co_authors(commit.message)
    if any(person.login.casefold() == name.lstrip("@").casefold() for name, _ in others):
        return True
    addresses = (*commit.emails, *(address for _, address in others))
    return any(_is_address_of(person, address) for address in addresses)


def is_author(login: str, commit: Commit) -> bool:
    """Return whether somebody is an author, the committer or a co-author, known by login alone."""
    people = (person.login.casefold() for person in commit.people)
    return login.casefold() in people or wrote(Person(login, _NO_ID), commit)


def _is_address_of(person: Person, address: str) -> bool:
    match = _NOREPLY.match(address)
    if match is None:
        return False
    if match[1] and person.id != _NO_ID:
        return match[1] == str(person.id)
    return match[2].casefold() == person.login.casefold()


def writers(author: Person, commits: Iterable[Commit]) -> tuple[str, ...]:
    """Return the logins of those who wrote part of a change, the author of it first.

    They are for reading: `wrote` compares numbers too, which a changed login does not escape.
    """
    logins = [author.login]
    for commit in commits:
        others = co_authors(commit.message)
        named = (_LOGIN.fullmatch(name) for name, _ in others)
        addresses = (*commit.emails, *(address for _, address in others))
        known = (_NOREPLY.match(address) for address in addresses)
        logins += [person.login for person in commit.people]
        logins += [match[2] for match in known if match]
        logins += [match[1] for match in named if match]
    return tuple({login.casefold(): login for login in reversed(logins)}.values())[::-1]
