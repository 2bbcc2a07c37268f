"""Whose approving review counts: somebody who may decide, at this very commit, and who did not write what is decided."""

import re
from typing import NamedTuple

from ..approval.people import Deciders
from .facts import Commit, Person, PullRequest

_COAUTHOR = re.compile(r"^[ \t]*co-authored-by:[ \t]*([^<\n]*)<([^>\n]+)>", re.IGNORECASE | re.MULTILINE)
_NOREPLY = re.compile(r"(?:(\d+)\+)?([^@+]+)@users\.noreply\.", re.IGNORECASE)


class Vote(NamedTuple):
    """A review that approves or asks for changes, and why it does not count ("" where it does)."""

    by: Person
    approves: bool
    refused: str = ""


def latest(pull: PullRequest) -> dict[Person, bool]:
    """Who approves at the head and who asks for changes there: of each person the last review that says either. One that was dismissed takes
    what they approved before with it, and no objection.

    A request for changes stands at any commit until its author takes it back; an approval only for what was looked at.
    """
    found: dict[Person, bool] = {}
    for review in pull.reviews:
        if review.state == "APPROVED" and review.commit == pull.head:
            found[review.by] = True
        elif review.state == "CHANGES_REQUESTED":
            found[review.by] = False
        elif review.state == "APPROVED" or (review.state == "DISMISSED" and found.get(review.by)):
            found.pop(review.by, None)
    return found


class Known(NamedTuple):
    """What GitHub knows of those who voted: their roles by login, and who wrote the commits; `complete` says that these are all."""

    roles: dict[str, str]
    commits: tuple[Commit, ...]
    complete: bool


def counted(pull: PullRequest, known: Known, deciders: Deciders) -> tuple[Vote, ...]:
    """The votes, each with the reason if it does not count."""
    return tuple(Vote(by, approves, _refused(by, pull, known, deciders)) for by, approves in latest(pull).items())


def _refused(by: Person, pull: PullRequest, known: Known, deciders: Deciders) -> str:
    if by.is_bot:
        return "a bot does not decide"
    role = known.roles.get(by.login, "") or "none"
    if role not in deciders.roles and by.login.casefold() not in map(str.casefold, deciders.users):
        return f"deciding needs {_wanted(deciders)}, and @{by.login} has the role {role}"
    if by.id == pull.author.id:
        return "the author of the pull request does not approve it"
    if not known.complete:
        return "not all commits could be listed, so nobody knows who wrote them"
    if any(_wrote(by, commit) for commit in known.commits):
        return f"@{by.login} has written part of the change"
    return ""


def _wanted(deciders: Deciders) -> str:
    roles = [f"the role {' or '.join(deciders.roles)}"] if deciders.roles else []
    return " or ".join([*roles, *([f"one of {', '.join(deciders.users)}"] if deciders.users else [])]) or "somebody whom the policy names"


def _wrote(by: Person, commit: Commit) -> bool:
    """Author, committer or co-author, by GitHub's number, by the address that GitHub gives to each user, or as the name of a co-author."""
    if any(person.id == by.id for person in commit.people):
        return True
    others = _COAUTHOR.findall(commit.message)
    if any(by.login.casefold() == name.strip().lstrip("@").casefold() for name, _ in others):
        return True
    addresses = (*commit.emails, *(address for _, address in others))
    return any(_is_address_of(by, address.strip()) for address in addresses)


def _is_address_of(by: Person, address: str) -> bool:
    found = _NOREPLY.match(address)
    if found is None:
        return False
    return found[1] == str(by.id) if found[1] else found[2].casefold() == by.login.casefold()


def settles(votes: tuple[Vote, ...], minimum: int = 1) -> Vote | None:
    """The vote that decides what is pending: a request for changes before any approval, and the last approval that is needed; None while one
    is missing.
    """
    allowed = [vote for vote in votes if not vote.refused]
    against = next((vote for vote in allowed if not vote.approves), None)
    return against or (allowed[minimum - 1] if len(allowed) >= minimum else None)
