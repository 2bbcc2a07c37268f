"""GitHub requests with a person's own token: login, roles and teams.

A message never has an address with a query, a header or a body: these have the token.
"""

import functools
import ssl
from typing import NamedTuple

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import OAuth2Client

from ..errors import HelixError
from ..safety.remote import is_name
from .options import OAuth

_SECONDS = 15
_FLAGS = {
    "admin": "admin",
    "maintain": "maintain",
    "push": "write",
    "triage": "triage",
    "pull": "read",
}
"""The permissions of an answer, from most to least, with the role that each stands for."""

AUTHORIZE, TOKEN = "/login/oauth/authorize", "/login/oauth/access_token"


class TokenEndedError(HelixError):
    """GitHub does not take the token of a session any more."""


class GitHubUser(NamedTuple):
    login: str
    token: str


def authorize_url(app: OAuth, back: str, state: str, verifier: str) -> str:
    """Return the address of GitHub at which a person agrees to sign in."""
    client = _client(app, back)
    url, _ = client.create_authorization_url(
        f"{app.server}{AUTHORIZE}", state=state, code_verifier=verifier
    )
    client.close()
    return str(url)


def signed_in(app: OAuth, back: str, code: str, verifier: str) -> GitHubUser:
    """Return who a code of GitHub is about, with their token. Raises HelixError."""
    with _client(app, back) as client:
        try:
            found = client.fetch_token(
                f"{app.server}{TOKEN}",
                code=code,
                code_verifier=verifier,
                headers={"Accept": "application/json"},
            )
        except (httpx2.HTTPError, AuthlibBaseError, ValueError):
            raise HelixError("GitHub did not confirm the sign-in") from None
    token = found.get("access_token") if isinstance(found, dict) else None
    if not isinstance(token, str) or not token:
        raise HelixError("GitHub did not confirm the sign-in")
    return GitHubUser(_login(app, token), token)


def _client(app: OAuth, back: str) -> OAuth2Client:
    return OAuth2Client(
        client_id=app.client_id,
        client_secret=app.client_secret,
        token_endpoint_auth_method="client_secret_post",  # noqa: S106 - no password
        scope=app.scope,
        redirect_uri=back,
        code_challenge_method="S256",
        timeout=_SECONDS,
        verify=_certificates(),
    )


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates of the machine; to read them takes longer than a request."""
    return ssl.create_default_context()


def _login(app: OAuth, token: str) -> str:
    """Return the user of a token. Raises HelixError where it is no person's."""
    answer = _get(app, token, "/user")
    found = _json(answer)
    if answer.status_code != 200 or found.get("type") != "User":
        raise HelixError("GitHub did not say whose sign-in this is")
    login = found.get("login")
    if not isinstance(login, str) or not login:
        raise HelixError("GitHub did not say whose sign-in this is")
    return login


def role(app: OAuth, token: str, project: str) -> str:
    """Return the role of a person on a repository, "" where they may not read it.

    Raises TokenEndedError, and HelixError where GitHub does not answer.
    """
    if not is_name(project):
        return ""
    answer = _get(app, token, f"/repos/{project}")
    if answer.status_code in (403, 404, 451):
        return ""
    found = _json(answer)
    flags = found.get("permissions")
    if answer.status_code != 200 or not isinstance(flags, dict):
        raise HelixError(f"GitHub answered {answer.status_code}")
    return next((name for flag, name in _FLAGS.items() if flags.get(flag) is True), "")


def is_member(app: OAuth, token: str, team: str, login: str) -> bool:
    """Return whether a person is in a team (`org/team`); false where the token can't tell."""
    if not is_name(team):
        return False
    org, _, name = team.partition("/")
    answer = _get(app, token, f"/orgs/{org}/teams/{name}/memberships/{login}")
    return answer.status_code == 200 and _json(answer).get("state") == "active"


def _get(app: OAuth, token: str, path: str) -> httpx2.Response:
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    try:
        answer = httpx2.get(
            f"{app.api}{path}", headers=headers, timeout=_SECONDS, verify=_certificates()
        )
    except httpx2.HTTPError as error:
        raise HelixError(f"GitHub did not answer ({type(error).__name__})") from None
    if answer.status_code == 401:
        raise TokenEndedError("GitHub does not take this sign-in any more; sign in again")
    return answer


def _json(answer: httpx2.Response) -> dict[str, object]:
    try:
        found: object = answer.json()
    except ValueError:
        return {}
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}
