"""Tell who wrote a commit: author, committer and co-authors, as GitHub and as git know them. Pure."""

import re

from ..text.co_authors import co_authors
from .pull_request import Commit, Person

_NOREPLY = re.compile(r"(?:(\d+)\+)?([^@+]+)@users\.noreply\.", re.IGNORECASE)


def wrote(person: Person, commit: Commit) -> bool:
    """Return whether a person is an author, the committer or a co-author of a commit.

    They are known by GitHub's number, by the address that GitHub gives to each user, or as the name
    of a co-author.
    """
    if any(author.id == person.id for author in commit.people):
        return True
    named = co_authors(commit.message)
    if any(person.login.casefold() == name.lstrip("@").casefold() for name, _ in named):
        return True
    addresses = (*commit.emails, *(address for _, address in named))
    return any(_is_address_of(person, address) for address in addresses)


def _is_address_of(person: Person, address: str) -> bool:
    match = _NOREPLY.match(address)
    if match is None:
        return False
    if match[1]:
        return match[1] == str(person.id)
    return match[2].casefold() == person.login.casefold()
