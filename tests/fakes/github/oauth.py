"""GitHub's pages for signing in to an App, with PKCE: docs.github.com, "Authorizing OAuth apps"."""

import base64
import hashlib
import secrets
import urllib.parse
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from tests.fakes.github.state import Token

Reply = tuple[int, object, Mapping[str, str]]
_WRONG = "bad_verification_code"


class Begun(NamedTuple):
    """A sign-in to which somebody has agreed."""

    login: str
    back: str
    challenge: str


class App:
    """An App as it is registered. `login` is who agrees; with "" somebody refuses."""

    client_id, client_secret = "Iv1.0123456789abcdef", "s3cr3t-of-the-app"

    def __init__(self) -> None:
        self.login = ""
        self.back = ""
        self.permissions: dict[str, str] = {"contents": "write", "pull-requests": "write", "issues": "write", "checks": "read"}  # fmt: skip
        self.codes: dict[str, Begun] = {}
        self.scopes: list[str] = []


class Fake(Protocol):
    """The part of the fake that is needed here."""

    oauth: App
    tokens: dict[str, Token]


def answer(fake: Fake, verb: str, path: str, query: Mapping[str, str], raw: bytes) -> Reply:
    if (verb, path) == ("GET", "/login/oauth/authorize"):
        return _authorize(fake.oauth, query)
    if (verb, path) == ("POST", "/login/oauth/access_token"):
        return _token(fake, dict(urllib.parse.parse_qsl(raw.decode())))
    return 404, {"message": "Not Found"}, {}


def _authorize(app: App, query: Mapping[str, str]) -> Reply:
    if query.get("client_id") != app.client_id or query.get("response_type") != "code":
        return 404, {"message": "Not Found"}, {}
    back = query.get("redirect_uri", "")
    if app.back and back != app.back:
        return 200, "The redirect_uri is not associated with this application.", {}
    app.scopes.append(query.get("scope", ""))
    state = {"state": query["state"]} if "state" in query else {}
    if not app.login:
        return _found(back, {"error": "access_denied", **state})
    assert query.get("code_challenge_method") == "S256"
    code = secrets.token_hex(10)
    app.codes[code] = Begun(app.login, back, query["code_challenge"])
    return _found(back, {"code": code, **state})


def _found(back: str, query: Mapping[str, str]) -> Reply:
    return 302, "", {"location": f"{back}?{urllib.parse.urlencode(query)}"}


def _token(fake: Fake, fields: Mapping[str, str]) -> Reply:
    """A wrong code is answered with 200, as GitHub does."""
    app = fake.oauth
    if (fields.get("client_id"), fields.get("client_secret")) != (app.client_id, app.client_secret):
        return 200, {"error": "incorrect_client_credentials"}, {}
    begun = app.codes.pop(fields.get("code", ""), None)
    verifier = hashlib.sha256(fields.get("code_verifier", "").encode()).digest()
    challenge = base64.urlsafe_b64encode(verifier).decode().rstrip("=")
    if begun is None or begun.challenge != challenge:
        return 200, {"error": _WRONG, "error_description": "The code is incorrect or expired."}, {}
    if fields.get("redirect_uri") != begun.back:
        return 200, {"error": "redirect_uri_mismatch"}, {}
    token = f"gho_{secrets.token_hex(18)}"
    fake.tokens[token] = Token(begun.login, app.permissions)
    return 200, {"access_token": token, "token_type": "bearer", "scope": "repo"}, {}
