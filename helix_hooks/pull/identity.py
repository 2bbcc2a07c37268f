"""The holder of a token, and the facts on which their right to decide depends.

The token comes from the environment, or from a login of the GitHub CLI. The REST API does not name
the holder of a bot's token; the GraphQL API does.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from .. import extras, proc
from ..config.policy import Deciders, givers_to
from ..decision.pull_request import Person
from ..decision.who_may import Identity, VoterFacts
from ..errors import HelixError, UsageError
from ..proc import run
from . import client, fetch
from .access import api_url, server
from .client import text_field
from .event import person
from .write import Writer

if TYPE_CHECKING:
    from github.Repository import Repository

_QUERY = "query { viewer { login } }"


def bot_login(name: str, token: str, environment: Mapping[str, str]) -> str:
    """Return the login of a bot by its token, e.g. github-actions[bot].

    Raises:
        HelixError: GitHub can't be reached, or does not name the holder.
    """
    with client.reached():
        # The Writer sends GraphQL; a query changes nothing.
        writer = Writer(client.repository(name, token, api_url(environment)))
        viewer = writer.change(_QUERY, {}).get("viewer")
    login = text_field(viewer, "login")
    if not login:
        raise HelixError("GitHub does not name the holder of this token")
    return login


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


def login(name: str, token: str, environment: Mapping[str, str]) -> str:
    """Return the login of the holder. The repository only gives the connection."""
    with client.reached():
        return user(_repository(name, token, environment)).login


def identity_in(
    name: str, token: str, environment: Mapping[str, str], deciders: Deciders, at: int
) -> Identity:
    """Return the holder, with the facts on which their right in a repository depends at a time."""
    with client.reached():
        return identity(_repository(name, token, environment), deciders, at)


def identity_of(
    person: str,
    name: str,
    token: str,
    environment: Mapping[str, str],
    deciders: Deciders,
    at: int = 0,
) -> Identity:
    """Return another person than the holder, with the facts on which their right depends.

    The caller must know who the person is, e.g. from a proxy with a sign-in.
    """
    repository = _repository(name, token, environment)
    with client.reached():
        role, number = fetch.account(repository, person)
        return identified(repository, Person(person, number), role, deciders, at)


def role_in(name: str, token: str, environment: Mapping[str, str], login: str) -> str:
    """Return the role of a user in a repository."""
    with client.reached():
        return fetch.role(_repository(name, token, environment), login)


def teams_of(
    name: str, token: str, environment: Mapping[str, str], login: str, teams: Iterable[str]
) -> tuple[str, ...]:
    """Return the teams of which a user is a member."""
    repository = _repository(name, token, environment)
    with client.reached():
        return tuple(team for team in teams if fetch.is_member(repository, team, login))


def _repository(name: str, token: str, environment: Mapping[str, str]) -> "Repository":
    extras.require("a decision that GitHub confirms", "github")
    return client.repository(name, token, api_url(environment))
