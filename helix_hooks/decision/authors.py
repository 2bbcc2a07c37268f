"""Recognise the authors of a commit, who may not approve it. Pure.

GitHub and git each name authors, and co-authors are only in the message.
"""

import re
from collections.abc import Iterable, Sequence

from ..text import listed
from .pull_request import Commit, Person

_NO_ID = -1
"""The number of a user who is known only by login. No user has it."""

_NOREPLY = re.compile(r"(?:(\d+)\+)?([^@+]+)@users\.noreply\.", re.IGNORECASE)
_LOGIN = re.compile(r"@?([A-Za-z0-9][A-Za-z0-9-]{0,38})")
"""A co-author's name that may be a login: GitHub limits logins to 39 characters."""


def apart_from(writers: Sequence[str]) -> str:
    """Return the words for people who may not decide, with the names of authors if known."""
    if not writers:
        return "not the authors of the change"
    return f"not the authors of the change ({listed(writers)})"


def wrote(person: Person, commit: Commit) -> bool:
    """Return whether a person is an author, the committer or a co-author of a commit.

    A person is recognised by GitHub's number, by the noreply address that GitHub gives to each
    user, or by a login as the name of a co-author.
    """
    if any(author.id == person.id for author in commit.people):
        return True
    trailers = commit.co_authors
    login = person.login.casefold()
    if any(login == name.lstrip("@").casefold() for name, _ in trailers):
        return True
    return any(_is_address_of(person, address) for address in _addresses(commit, trailers))


def _addresses(commit: Commit, trailers: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return (*commit.emails, *(address for _, address in trailers))


def is_author(login: str, commit: Commit) -> bool:
    """Return whether a user, known only by login, wrote or co-wrote a commit."""
    people = (person.login.casefold() for person in commit.people)
    return login.casefold() in people or wrote(Person(login, _NO_ID), commit)


def _is_address_of(person: Person, address: str) -> bool:
    match = _NOREPLY.match(address)
    if match is None:
        return False
    # The number comes first where both are known: a login can be changed and taken by others.
    if match[1] and person.id != _NO_ID:
        return match[1] == str(person.id)
    return match[2].casefold() == person.login.casefold()


def writers(author: Person, commits: Iterable[Commit]) -> tuple[str, ...]:
    """Return the logins of all authors of a change, first the author of the pull request.

    They are for display only: `wrote` also compares numbers, so a changed login does not help.
    """
    logins = [author.login]
    for commit in commits:
        logins += _logins(commit)
    distinct: dict[str, str] = {}
    for login in logins:
        distinct.setdefault(login.casefold(), login)
    return tuple(distinct.values())


def _logins(commit: Commit) -> list[str]:
    trailers = commit.co_authors
    addresses = (_NOREPLY.match(address) for address in _addresses(commit, trailers))
    names = (_LOGIN.fullmatch(name) for name, _ in trailers)
    logins = [person.login for person in commit.people]
    logins += [match[2] for match in addresses if match]
    logins += [match[1] for match in names if match]
    return logins
