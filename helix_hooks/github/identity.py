"""The identity of a token's holder, and the facts on which their right to decide depends.

The token comes from the environment, or from a login of the GitHub CLI.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from .. import proc
from ..config.policy import Deciders, givers_to
from ..decision.flow_decider import Identity
from ..decision.pull_request import Person
from ..decision.rights import VoterFacts
from ..errors import UsageError
from ..proc import run
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
    for name in _VARIABLES:
        secret = environment.get(name, "").strip()
        if secret:
            return secret
    return _cli_token(environment)


def _cli_token(environment: Mapping[str, str]) -> str:
    tool = proc.find("gh", environment)
    if not tool:
        return ""
    host = server(environment).partition("://")[2]
    try:
        command = [tool, "auth", "token", "--hostname", host]
        done = run.output(command, proc.environment(environment), _SECONDS)
    except OSError:
        return ""
    if not done or done.returncode:
        return ""
    return done.stdout.decode(errors="replace").strip()


def user(repository: "Repository") -> Person:
    """Return the user of the token.

    Raises:
        UsageError: The token is invalid, or is not the token of a person.
    """
    from github import GithubException

    api = repository.url.partition("/repos/")[0]
    try:
        answer: object = repository.requester.requestJsonAndCheck("GET", f"{api}/user")[1]
    except GithubException as error:
        if error.status not in _NOT_A_PERSON:
            raise
        raise UsageError(
            f"the token does not belong to a person: {client.error_text(error)}"
        ) from None
    if not isinstance(answer, dict) or not {"login", "id"} <= answer.keys():
        raise UsageError(f"{api} is not the API of GitHub")
    return person(answer)


def identity(repository: "Repository", deciders: Deciders, at: int = 0) -> Identity:
    """Return the user of the token as `identified` does.

    Raises:
        UsageError: The token is invalid, or is not the token of a person.
    """
    holder = user(repository)
    role = fetch.role(repository, holder.login)
    return identified(repository, holder, role, deciders, at)


def identified(
    repository: "Repository", person: Person, role: str, deciders: Deciders, at: int
) -> Identity:
    """Return a person with role and teams, and the same of the people whom they represent.

    Those are the people who have delegated to the person at the time `at`.
    """
    roles = {person.login: role}
    for giver in givers_to(deciders.delegates, person.login, at):
        roles[giver] = fetch.role(repository, giver)
    teams = team_facts(repository, deciders, roles)
    facts = VoterFacts(
        roles=roles,
        commits=(),
        complete=True,
        members=teams.members,
        unread=teams.unread,
    )
    return Identity(person, facts)


class TeamFacts(NamedTuple):
    """The logins of team members in lower case, and the teams that the token may not read."""

    members: frozenset[str]
    unread: tuple[str, ...]


def team_facts(repository: "Repository", deciders: Deciders, roles: Mapping[str, str]) -> TeamFacts:
    """Fetch who of some users, by login with their role, is in a team of the deciders.

    Users who may decide by name or role are left out: their teams do not matter.
    """
    members, unread = set[str](), dict[str, None]()
    logins = [login for login in roles if not deciders.are_named(login)]
    others = [login for login in logins if roles[login] not in deciders.roles]
    for team in deciders.teams:
        for login in others:
            is_member = fetch.is_member(repository, team, login)
            if is_member is None:
                unread[team] = None
            elif is_member:
                members.add(login.casefold())
    return TeamFacts(frozenset(members), tuple(unread))
