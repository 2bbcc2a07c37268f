"""Sign-in with GitHub: OAuth with PKCE, and a state that is bound to the browser."""

import hashlib
import hmac
import secrets
import time

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ..errors import HelixError
from ..pages.shown import quoted
from ..pages.view import PREPARED
from . import github_user
from .options import OAuth, PublicAddress
from .sessions import LONGEST, Sessions, cookie_value, set_cookie

CALLBACK = "/sign-in/done"
_SECONDS = 600
"""Seconds within which a sign-in must be finished."""
_STATE = "sign-in"
SESSION = "session"
_LONGEST_ID = 300


class SignInError(HelixError):
    """A sign-in that expired, was started in another browser, or was not confirmed by GitHub."""


class SignIn:
    """The way to GitHub and back. The state is in a signed cookie of the browser."""

    def __init__(self, app: OAuth, sessions: Sessions) -> None:
        self._app, self._sessions = app, sessions
        self._key = secrets.token_bytes(32)

    def begin(self, request: Request) -> Response:
        """Send the browser to GitHub."""
        address: PublicAddress = request.state.address
        state = secrets.token_urlsafe(24)
        entry = request.query_params.get("entry", "")[:_LONGEST_ID]
        target = quoted(entry).replace(".", "%2E")
        prepared = request.query_params.get("answer", "")
        if prepared in PREPARED:
            target += f"&answer={prepared}"
        content = f"{state}.{int(time.time())}.{target}"
        url = github_user.authorize_url(self._app, _back(address), state, self._verifier(state))
        answer = RedirectResponse(url, 303)
        value = f"{content}.{self._signed(content)}"
        set_cookie(answer, address, _STATE, value, _SECONDS)
        return answer

    async def finish(self, request: Request) -> Response:
        """Start a session for the user that GitHub names.

        Raises:
            SignInError: The sign-in expired, or GitHub did not confirm it.
        """
        address: PublicAddress = request.state.address
        state, entry = self._begun(request, address)
        code = request.query_params.get("code", "")
        if not code:
            raise SignInError("GitHub did not confirm the sign-in; nothing has changed")
        try:
            user = await run_in_threadpool(
                github_user.signed_in, self._app, _back(address), code, self._verifier(state)
            )
        except HelixError as error:
            raise SignInError(str(error)) from None
        # A new session for each sign-in: a known cookie must not become a signed-in one.
        old = self._sessions.find(cookie_value(request.cookies, address, SESSION))
        if old:
            self._sessions.end(old.key)
        value = self._sessions.begin(user.login, user.token)
        query = f"entry?id={entry}" if entry else ""
        answer = RedirectResponse(f"{address.url}/{query}", 303)
        set_cookie(answer, address, SESSION, value, LONGEST)
        set_cookie(answer, address, _STATE, "", 0)
        return answer

    def _begun(self, request: Request, address: PublicAddress) -> tuple[str, str]:
        """Return the state with which this browser started, and the entry to show afterwards."""
        value = cookie_value(request.cookies, address, _STATE)
        content, _, signature = value.rpartition(".")
        parts = content.split(".")
        is_ours = hmac.compare_digest(signature.encode(), self._signed(content).encode())
        if not is_ours or len(parts) != 3 or time.time() - int(parts[1]) > _SECONDS:
            raise SignInError(_EXPIRED)
        state, _, entry = parts
        # A different state: the sign-in was started elsewhere, e.g. by a link to GitHub.
        answered = request.query_params.get("state", "")
        if not hmac.compare_digest(answered.encode(), state.encode()):
            raise SignInError(_EXPIRED)
        return state, entry

    def _signed(self, content: str) -> str:
        return hmac.new(self._key, f"state {content}".encode(), hashlib.sha256).hexdigest()

    def _verifier(self, state: str) -> str:
        """Return the secret of PKCE, which only this process can compute."""
        return hmac.new(self._key, f"verifier {state}".encode(), hashlib.sha256).hexdigest()


_EXPIRED = "the sign-in expired, or was started in another browser"


def _back(address: PublicAddress) -> str:
    return f"{address.url}{CALLBACK}"
