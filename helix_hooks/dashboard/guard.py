"""Checks of each request: its host, sender and size, and the headers of its answer."""

import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .options import DashboardOptions, Network, PublicAddress, is_prefix

LARGEST = 200_000
"""Maximum number of bytes of a form."""

_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})")
_CONTENT = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HEADERS = {
    "Content-Security-Policy": _CONTENT,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    # NOTE: With `no-referrer`, browsers send `Origin: null` even for our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class RequestGuard:
    """Refuse invalid requests, and add the public address and the user to valid ones."""

    def __init__(self, app: ASGIApp, options: DashboardOptions) -> None:
        self._app, self._options = app, options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = self._with_headers(send)
        headers = Headers(scope=scope)
        if scope["method"] == "GET" and _is_other_loopback(headers, self._options.address):
            query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
            url = f"{self._options.address.origin}{quote(scope['path'])}{query}"
            await RedirectResponse(url, 307)(scope, receive, send)
            return
        refusal = self._refusal(scope, headers)
        if refusal:
            status, text = refusal
            await PlainTextResponse(f"{text}\n", status)(scope, receive, send)
            return
        address = self._address(scope, headers)
        state = {"address": address, "proxied": self._user(headers)}
        path = _without(address.prefix, scope["path"])
        await self._app({**scope, "path": path, "root_path": "", "state": state}, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Return the status and the reason if a request is refused, else None."""
        options = self._options
        # Any other host may be DNS rebinding: a foreign page whose name leads to this server.
        if [value.lower() for value in headers.getlist("host")] != [options.address.host]:
            return 421, f"Wrong host. This server is at {options.address.url}."
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "Only GET and POST are allowed."
        if options.user_header and not _is_from(scope, options.proxies):
            return 403, "Only requests through the proxy are allowed."
        if options.user_header and not self._user(headers):
            return 403, f"The proxy did not say who you are in {options.user_header}."
        if scope["method"] == "POST" and not _has_small_body(headers):
            return 413, f"A form needs a length of at most {LARGEST} bytes."
        return None

    def _user(self, headers: Headers) -> str:
        """Return the user whom the proxy names; "" without a proxy or a valid name."""
        if not self._options.user_header:
            return ""
        names = headers.getlist(self._options.user_header)
        # Several values: a client may have sent one that the proxy did not remove.
        if len(names) != 1 or not _LOGIN.fullmatch(names[0]):
            return ""
        return names[0]

    def _address(self, scope: Scope, headers: Headers) -> PublicAddress:
        """Return the public address, with the prefix that a trusted proxy has removed."""
        address = self._options.address
        prefixes = headers.getlist("x-forwarded-prefix")
        if address.prefix or len(prefixes) != 1 or not _is_from(scope, self._options.proxies):
            return address
        prefix = prefixes[0].rstrip("/")
        if not is_prefix(prefix):
            return address
        return address._replace(prefix=prefix)

    def _with_headers(self, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
                if self._options.address.is_https:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
            await send(message)

        return send_with_headers


def _is_other_loopback(headers: Headers, address: PublicAddress) -> bool:
    """Return whether the host is another name of this machine for a server on loopback."""
    server, _, port = address.host.rpartition(":")
    others = {f"{name}:{port}" for name in _LOOPBACK if name != server}
    hosts = headers.getlist("host")
    return server in _LOOPBACK and len(hosts) == 1 and hosts[0].lower() in others


def _is_from(scope: Scope, proxies: Iterable[Network]) -> bool:
    """Return whether the peer of the connection is one of the proxies."""
    client = scope.get("client")
    if not client:
        return False
    try:
        address = ipaddress.ip_address(client[0])
    except ValueError:
        return False
    return any(address in network for network in proxies)


def _has_small_body(headers: Headers) -> bool:
    lengths = headers.getlist("content-length")
    # A body without a length has chunks, and its size is unknown before it is read.
    if len(lengths) != 1 or not lengths[0].isascii() or not lengths[0].isdigit():
        return False
    return int(lengths[0]) <= LARGEST


def _without(prefix: str, path: str) -> str:
    """Return a path without the prefix, which some proxies remove and others do not."""
    if prefix and (path == prefix or path.startswith(f"{prefix}/")):
        return path[len(prefix) :] or "/"
    return path
