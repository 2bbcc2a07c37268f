"""GitHub requests with a person's own token: login, roles and teams.

Messages never quote a query, a header or a body, because these contain the token.
"""

import functools
import ssl
from typing import NamedTuple

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import OAuth2Client

from ..errors import HelixError
from ..pull.access import is_name
from .options import OAuth

_SECONDS = 15
_FLAGS = {
    "admin": "admin",
    "maintain": "maintain",
    "push": "write",
    "triage": "triage",
    "pull": "read",
}
"""The permissions in GitHub's answers, from most to least, and their roles."""

AUTHORIZE, TOKEN = "/login/oauth/authorize", "/login/oauth/access_token"


class TokenEndedError(HelixError):
    """GitHub no longer accepts the token of a session."""


class GitHubUser(NamedTuple):
    login: str
    token: str


def authorize_url(app: OAuth, back: str, state: str, verifier: str) -> str:
    """Return the address of GitHub at which a person authorizes the sign-in.

    GitHub then sends the browser to the address `back`.
    """
    client = _client(app, back)
    url, _ = client.create_authorization_url(
        f"{app.server}{AUTHORIZE}", state=state, code_verifier=verifier
    )
    client.close()
    return str(url)


def signed_in(app: OAuth, back: str, code: str, verifier: str) -> GitHubUser:
    """Return the user of a code from GitHub, with their token.

    Raises:
        HelixError: GitHub did not confirm the code, or does not name a user.
    """
    with _client(app, back) as client:
        try:
            answer = client.fetch_token(
                f"{app.server}{TOKEN}",
                code=code,
                code_verifier=verifier,
                headers={"Accept": "application/json"},
            )
        except (httpx2.HTTPError, AuthlibBaseError, ValueError):
            # `from None`: the original error may quote the request with its secrets.
            raise HelixError("GitHub did not confirm the sign-in") from None
    token = answer.get("access_token") if isinstance(answer, dict) else None
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
    """Return the certificates of the machine. Cached: reading them takes longer than a request."""
    return ssl.create_default_context()


def _login(app: OAuth, token: str) -> str:
    """Return the login of a token's user. Raises HelixError if it is not a person's."""
    answer = _get(app, token, "/user")
    user = _json(answer)
    login = user.get("login")
    is_person = answer.status_code == 200 and user.get("type") == "User"
    if not is_person or not isinstance(login, str) or not login:
        raise HelixError("GitHub did not name the user of the sign-in")
    return login


def role(app: OAuth, token: str, project: str) -> str:
    """Return the role of a person on a repository; "" if they may not read it.

    Raises:
        TokenEndedError: GitHub no longer accepts the token.
        HelixError: GitHub did not answer.
    """
    answer = _get(app, token, f"/repos/{project}")
    # 403: forbidden, e.g. without single sign-on. 404: no access. 451: blocked by law.
    if answer.status_code in (403, 404, 451):
        return ""
    flags = _json(answer).get("permissions")
    if answer.status_code != 200 or not isinstance(flags, dict):
        raise HelixError(f"GitHub answered {answer.status_code}")
    return next((name for flag, name in _FLAGS.items() if flags.get(flag) is True), "")


def is_member(app: OAuth, token: str, team: str, login: str) -> bool:
    """Return whether a person is in a team (`org/team`); False if the token may not read it."""
    if not is_name(team):
        return False
    org, _, name = team.partition("/")
    answer = _get(app, token, f"/orgs/{org}/teams/{name}/memberships/{login}")
    # A membership that was not accepted yet is "pending".
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
        raise TokenEndedError("GitHub no longer accepts this sign-in; sign in again")
    return answer


def _json(answer: httpx2.Response) -> dict[str, object]:
    try:
        value: object = answer.json()
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
