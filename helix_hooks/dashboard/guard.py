"""Checks of each request: its host, sender and size, and the headers of its answer."""

import ipaddress
import re
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .options import DashboardOptions, Network, PublicAddress, is_prefix

LARGEST = 200_000
"""Bytes of a form."""

_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})")
_CONTENT = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _CONTENT,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    # NOTE: not no-referrer, with which browsers send `Origin: null` for our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class RequestGuard:
    """Refuse what is not meant for this server, and give the pages their address and user."""

    def __init__(self, app: ASGIApp, options: DashboardOptions) -> None:
        self._app, self._options = app, options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        why = self._refusal(scope, headers)
        address = self._address(scope, headers)
        if why:
            status, text = why
            app: ASGIApp = PlainTextResponse(f"{text}\n", status)
            given = scope
        else:
            app = self._app
            state = {"address": address, "proxied": self._user(headers)}
            path = _without(address.prefix, scope["path"])
            given = {**scope, "path": path, "root_path": "", "state": state}
        await app(given, receive, self._with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Return the status and the reason for a request that no page answers, None for others."""
        options = self._options
        if [value.lower() for value in headers.getlist("host")] != [options.address.host]:
            return 421, f"This server is at {options.address.url}."
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "GET and POST alone are answered here."
        if options.user_header and not _is_from(scope, options.proxies):
            return 403, "Only the proxy is answered here."
        if options.user_header and not self._user(headers):
            return 403, f"The proxy did not say who you are in {options.user_header}."
        if scope["method"] == "POST" and not _has_small_body(headers):
            return 413, f"A form needs a length of at most {LARGEST} bytes."
        return None

    def _user(self, headers: Headers) -> str:
        """Return the user whom the proxy names, "" for none."""
        names = headers.getlist(self._options.user_header) if self._options.user_header else []
        return names[0] if len(names) == 1 and _LOGIN.fullmatch(names[0]) else ""

    def _address(self, scope: Scope, headers: Headers) -> PublicAddress:
        """Return the public address; a proxy that we know may say that it has taken a prefix
        off.
        """
        address = self._options.address
        named = headers.getlist("x-forwarded-prefix")
        if address.prefix or len(named) != 1 or not _is_from(scope, self._options.proxies):
            return address
        prefix = named[0].rstrip("/")
        return address._replace(prefix=prefix) if is_prefix(prefix) else address

    def _with_headers(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
                if self._options.address.is_https:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
            await send(message)

        return sending


def _is_from(scope: Scope, proxies: Iterable[Network]) -> bool:
    """Return whether the other end of the connection is one of the proxies."""
    client = scope.get("client")
    try:
        found = ipaddress.ip_address(client[0]) if client else None
    except ValueError:
        return False
    return found is not None and any(found in network for network in proxies)


def _has_small_body(headers: Headers) -> bool:
    lengths = headers.getlist("content-length")
    is_known = len(lengths) == 1 and lengths[0].isascii() and lengths[0].isdigit()
    return is_known and int(lengths[0]) <= LARGEST


def _without(prefix: str, path: str) -> str:
    """Return a path without the prefix, which some proxies take off and others do not."""
    if prefix and (path == prefix or path.startswith(f"{prefix}/")):
        return path[len(prefix) :] or "/"
    return path
