"""Who holds a token, and what their right to decide depends on.

The token comes from the environment, or from the GitHub CLI where somebody logged in.
"""

import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..config.delegates import givers_to
from ..config.policy import Deciders
from ..decision.flow_decider import Identity
from ..decision.pull_request import Person
from ..decision.rights import VoterFacts
from ..errors import UsageError
from ..repository import program
from . import client, fetch
from .environment import server
from .event import person

if TYPE_CHECKING:
    from github.Repository import Repository

_VARIABLES = ("GITHUB_TOKEN", "GH_TOKEN")
_SECONDS = 20
_NOT_A_PERSON = (401, 403)
"""Status codes for a token that is not valid, and for that of an App or a workflow."""


def token(environment: Mapping[str, str]) -> str:
    """Return the token of the environment, else that of the GitHub CLI; "" for none."""
    named = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    return named.strip() or _of_cli(environment)


def _of_cli(environment: Mapping[str, str]) -> str:
    tool = program.find("gh", environment)
    if not tool:
        return ""
    host = server(environment).partition("://")[2]
    try:
        done = subprocess.run(
            [tool, "auth", "token", "--hostname", host],
            env=program.environment(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace").strip() if not done.returncode else ""


def user(repository: "Repository") -> Person:
    """Return the user of the token. Raises UsageError where it is no person's."""
    from github import GithubException

    api = repository.url.partition("/repos/")[0]
    try:
        found: object = repository.requester.requestJsonAndCheck("GET", f"{api}/user")[1]
    except GithubException as error:
        if error.status not in _NOT_A_PERSON:
            raise
        raise UsageError(f"the token is no person's: {client.said(error)}") from None
    if not isinstance(found, dict) or not {"login", "id"} <= found.keys():
        raise UsageError(f"what answers at {api} is not GitHub's interface")
    return person(found)


def identity(repository: "Repository", deciders: Deciders, at: int = 0) -> Identity:
    """Return the user of the token with their role and teams, and those of the people for whom they
    stand in at a time. Raises UsageError.
    """
    holder = user(repository)
    role = fetch.role(repository, holder.login)
    return identified(repository, holder, role, deciders, at)


def identified(
    repository: "Repository", person: Person, role: str, deciders: Deciders, at: int
) -> Identity:
    """Return a person with their role, their teams where it is not enough, and the same of those
    for whom they stand in at a time.
    """
    roles = {person.login: role}
    for giver in givers_to(deciders.delegates, person.login, at):
        roles[giver] = fetch.role(repository, giver)
    others = [
        login
        for login, known in roles.items()
        if known not in deciders.roles and not deciders.are_named(login)
    ]
    pairs = [(team, login) for team in deciders.teams for login in others]
    rows = [(team, login, fetch.is_member(repository, team, login)) for team, login in pairs]
    facts = VoterFacts(
        roles=roles,
        commits=(),
        complete=True,
        members=frozenset(login.casefold() for _, login, is_member in rows if is_member),
        unread=tuple(dict.fromkeys(team for team, _, is_member in rows if is_member is None)),
    )
    return Identity(person, facts)
