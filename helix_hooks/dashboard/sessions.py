"""Sessions of signed-in people, in the memory of this process.

The cookie has a random name of a session. The session has the token for GitHub, which leaves the
process only in requests to GitHub. A restart ends all sessions.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping
from typing import NamedTuple

from starlette.responses import Response

from ..pages.view import DecisionLine
from .options import PublicAddress

IDLE, LONGEST = 2 * 3600, 8 * 3600
"""Seconds after which a session ends: without a request, and in any case. Tokens of a GitHub App
are valid for eight hours.
"""
_MOST = 10_000
"""Maximum number of sessions; with more, the oldest ones end."""


class Session(NamedTuple):
    """A signed-in person. Times are in seconds.

    `secret` signs the tokens of forms, and `used` has the tokens that were sent. `happened` is
    shown on the next page.
    """

    key: str
    login: str
    token: str
    secret: bytes
    began: float
    seen: float
    used: frozenset[str] = frozenset()
    happened: tuple[DecisionLine, ...] = ()


class Sessions:
    """All sessions, by the hash of their cookie. For one thread, that of the server."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._sessions: dict[str, Session] = {}

    def begin(self, login: str, token: str = "") -> str:
        """Start a session, and return the value of its cookie."""
        self._forget_ended()
        value, now = secrets.token_urlsafe(32), self._clock()
        key = _hashed(value)
        self._sessions[key] = Session(
            key=key,
            login=login,
            token=token,
            secret=secrets.token_bytes(32),
            began=now,
            seen=now,
        )
        return value

    def find(self, cookie: str) -> Session | None:
        """Return the session of a cookie, and prolong it; None if it has ended."""
        session = self.look(_hashed(cookie)) if cookie else None
        if not session:
            return None
        return self.replace(session._replace(seen=self._clock()))

    def look(self, key: str) -> Session | None:
        """Return a session without prolonging it; None if it has ended."""
        session = self._sessions.get(key)
        if session and self._has_ended(session):
            del self._sessions[key]
            return None
        return session

    def replace(self, session: Session) -> Session:
        """Store a changed session, unless it has ended."""
        if session.key in self._sessions:
            self._sessions[session.key] = session
        return session

    def end(self, key: str) -> None:
        """End a session."""
        self._sessions.pop(key, None)

    def _has_ended(self, session: Session) -> bool:
        now = self._clock()
        return now - session.seen > IDLE or now - session.began > LONGEST

    def _forget_ended(self) -> None:
        for key in [key for key, item in self._sessions.items() if self._has_ended(item)]:
            del self._sessions[key]
        while len(self._sessions) >= _MOST:
            del self._sessions[next(iter(self._sessions))]


def _hashed(value: str) -> str:
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()


# The tokens of forms: each form on a page has its own, and each is accepted once.


def form_token(session: Session) -> str:
    """Return the token of a new form."""
    number = secrets.token_urlsafe(12)
    return f"{number}.{_signed(session, number)}"


def is_token_of(session: Session, token: str) -> bool:
    """Return whether a token was made for a form of this session."""
    number, _, signature = token.partition(".")
    expected = _signed(session, number)
    return hmac.compare_digest(signature.encode(), expected.encode())


def _signed(session: Session, number: str) -> str:
    return hmac.new(session.secret, number.encode(), hashlib.sha256).hexdigest()[:32]


# Cookies.


def cookie_name(address: PublicAddress, name: str) -> str:
    """Return the name of a cookie with the prefix that makes a browser check its attributes."""
    # Browsers accept `__Host-` only with https and the path /, and `__Secure-` only with https.
    if not address.is_https:
        return f"helix-{name}"
    if address.prefix:
        return f"__Secure-helix-{name}"
    return f"__Host-helix-{name}"


def set_cookie(
    answer: Response, address: PublicAddress, name: str, value: str, seconds: int
) -> None:
    """Add a cookie to an answer; 0 seconds remove it."""
    answer.set_cookie(
        cookie_name(address, name),
        value,
        max_age=seconds,
        path=address.prefix or "/",
        secure=address.is_https,
        httponly=True,
        samesite="lax",
    )


def cookie_value(cookies: Mapping[str, str], address: PublicAddress, name: str) -> str:
    """Return the value of a cookie; "" without one."""
    return cookies.get(cookie_name(address, name), "")
