"""The addresses of the server and the way to sign in, checked before the server starts."""

import ipaddress
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from ..errors import UsageError
from ..pull.access import api_url, server

URL, CLIENT_ID, CLIENT_SECRET, SCOPE = (
    "HELIX_DASHBOARD_URL",
    "HELIX_OAUTH_CLIENT_ID",
    "HELIX_OAUTH_CLIENT_SECRET",
    "HELIX_OAUTH_SCOPE",
)
_SCOPE = "repo read:org"
"""The scopes that an OAuth App requests: comments in private repositories, and teams.

A GitHub App ignores them.
"""
_API = "https://api.github.com"
_PREFIX = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)+")
_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_HOST = re.compile(r"[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class PublicAddress(NamedTuple):
    """The address in the browser: `origin` as browsers send it, and the `prefix` of all paths."""

    origin: str
    prefix: str = ""

    @property
    def is_https(self) -> bool:
        return self.origin.startswith("https://")

    @property
    def host(self) -> str:
        """The value of the header Host."""
        return self.origin.partition("://")[2]

    @property
    def url(self) -> str:
        return f"{self.origin}{self.prefix}"


class OAuth(NamedTuple):
    """The App with which people sign in. `server` and `api` are addresses of GitHub."""

    client_id: str
    client_secret: str
    server: str = "https://github.com"
    api: str = _API
    scope: str = _SCOPE


class DashboardOptions(NamedTuple):
    """The options of the server.

    Without `oauth` and `user_header` there is no sign-in, and the pages are read-only. The proxies
    in `proxies` set the header `user_header`. A decision takes effect after `undo_seconds`.
    """

    address: PublicAddress
    host: str = "127.0.0.1"
    port: int = 8480
    oauth: OAuth | None = None
    user_header: str = ""
    proxies: tuple[Network, ...] = ()
    undo_seconds: int = 10

    @property
    def signs_in(self) -> bool:
        return bool(self.oauth or self.user_header)


def options_of(
    environment: Mapping[str, str],
    *,
    host: str,
    port: int,
    path: str = "",
    user_header: str = "",
    proxies: Iterable[str] = (),
    undo: int = 10,
) -> DashboardOptions:
    """Return the options of the command line and the environment.

    Raises:
        UsageError: The options are invalid, contradictory or unsafe.
    """
    options = DashboardOptions(
        address=_address(host, port, path, environment.get(URL, "")),
        host=host,
        port=port,
        oauth=_oauth(environment),
        user_header=user_header,
        proxies=tuple(map(_network, proxies)),
        undo_seconds=undo,
    )
    if user_header:
        _check_header(options)
    _check_exposure(options)
    return options


def _check_header(options: DashboardOptions) -> None:
    """Raise UsageError if the header of a proxy can't be used."""
    if options.oauth:
        raise UsageError(
            f"--user-header and {CLIENT_ID} can't be used together; choose one way to sign in"
        )
    if not _HEADER.fullmatch(options.user_header):
        raise UsageError(
            f"--user-header is {options.user_header!r} (expected a header name such as X-User)"
        )
    if not options.proxies:
        raise UsageError(
            "--user-header requires --proxy, the address of the proxy that sets the header; "
            "otherwise any client could set it"
        )


def _check_exposure(options: DashboardOptions) -> None:
    """Raise UsageError if other machines could read the queue without sign-in or encryption."""
    address = options.address
    is_public = not _is_loopback(urlsplit(address.origin).hostname or "")
    if not options.signs_in and (is_public or not _is_loopback(options.host)):
        raise UsageError(
            f"{address.origin} would show the queue without sign-in; set {CLIENT_ID} "
            f"and {CLIENT_SECRET}, or --user-header and --proxy, or listen at 127.0.0.1 without "
            f"{URL}"
        )
    if is_public and not address.is_https:
        raise UsageError(
            f"{address.origin} is not encrypted; set {URL} to the https address of the proxy"
        )


def is_prefix(text: str) -> bool:
    """Return whether a text is a valid prefix of paths, such as /helix, or empty."""
    return not text or (bool(_PREFIX.fullmatch(text)) and len(text) <= 200)


def _address(host: str, port: int, path: str, url: str) -> PublicAddress:
    """Return the public address: `url`, or that of host and port if it is empty."""
    prefix = path.rstrip("/")
    if not is_prefix(prefix):
        raise UsageError(f"--path is {path!r} (expected a path such as /helix)")
    if not url:
        name = f"[{host}]" if ":" in host else host  # IPv6
        return PublicAddress(f"http://{name}:{port}", prefix)
    address = _parsed(url)
    if prefix and address.prefix != prefix:
        raise UsageError(
            f"--path is {prefix!r}, and {URL} ends in {address.prefix!r}; make them the same"
        )
    return address


def _parsed(url: str) -> PublicAddress:
    """Return the address of a URL, as browsers send it in the header Origin."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _bad_url(url) from None
    prefix = parts.path.rstrip("/")
    host = parts.netloc.rpartition(":")[0] if port else parts.netloc.rstrip(":")
    if parts.query or parts.fragment or "@" in parts.netloc or not is_prefix(prefix):
        raise _bad_url(url)
    if parts.scheme not in _DEFAULT_PORTS or not _HOST.fullmatch(host):
        raise _bad_url(url)
    origin = f"{parts.scheme}://{host.lower()}"
    if port not in (None, _DEFAULT_PORTS[parts.scheme]):
        origin = f"{origin}:{port}"
    return PublicAddress(origin, prefix)


_DEFAULT_PORTS = {"http": 80, "https": 443}
"""Ports that browsers leave out of the header Origin."""


def _bad_url(url: str) -> UsageError:
    return UsageError(f"{URL} is {url!r} (expected an address such as https://example.org/helix)")


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise UsageError(
            f"--proxy is {text!r} (expected an address or a network such as 10.0.0.0/24)"
        ) from None


def _oauth(environment: Mapping[str, str]) -> OAuth | None:
    names = (CLIENT_ID, CLIENT_SECRET)
    values = [environment.get(name, "").strip() for name in names]
    if not any(values):
        return None
    missing = [name for name, value in zip(names, values, strict=True) if not value]
    if missing:
        raise UsageError(f"{missing[0]} is not set; sign-in needs {' and '.join(names)}")
    return OAuth(
        client_id=values[0],
        client_secret=values[1],
        server=server(environment),
        api=api_url(environment) or _API,
        scope=environment.get(SCOPE, _SCOPE),
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
