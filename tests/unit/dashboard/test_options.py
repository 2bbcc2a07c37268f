"""The options of the server: what is refused before it starts, since it would be unsafe."""

from typing import Any

import pytest
from starlette.responses import Response

from helix_hooks.dashboard.options import PublicAddress, options_of
from helix_hooks.dashboard.sessions import set_cookie
from helix_hooks.errors import UsageError

APP = {"HELIX_OAUTH_CLIENT_ID": "id", "HELIX_OAUTH_CLIENT_SECRET": "secret"}
PUBLIC = {"HELIX_DASHBOARD_URL": "https://queue.example.org"}


def flags(host: str = "127.0.0.1", path: str = "", user: str = "", *proxies: str) -> dict[str, Any]:  # fmt: skip
    return {"host": host, "port": 8480, "path": path, "user_header": user, "proxies": proxies}


@pytest.mark.parametrize(
    ("given", "environment", "words"),
    [
        (flags("0.0.0.0"), {}, "would show the queue without sign-in"),
        (flags("192.0.2.1"), {}, "would show the queue without sign-in"),
        (flags(), PUBLIC, "would show the queue without sign-in"),
        (flags("0.0.0.0"), APP, "is not encrypted"),
        (flags(), {**APP, "HELIX_DASHBOARD_URL": "http://queue.example.org"}, "is not encrypted"),
        (flags(user="X-User"), PUBLIC, "--user-header requires --proxy"),
        (flags("127.0.0.1", "", "X-User", "10.0.0.2"), {**PUBLIC, **APP}, "can't be used together"),
        (flags("127.0.0.1", "", "X User", "10.0.0.2"), PUBLIC, "expected a header name"),
        (flags("127.0.0.1", "", "X-User", "proxy.local"), PUBLIC, "expected an address or a network"),
        (flags(), {"HELIX_OAUTH_CLIENT_ID": "id"}, "HELIX_OAUTH_CLIENT_SECRET is not set"),
        (flags(path="helix"), {}, "expected a path"),
        (flags(path="//evil"), {}, "expected a path"),
        (flags(path="/a/../b"), {}, "expected a path"),
        (flags(path="/a;x=y"), {}, "expected a path"),
        (flags(path="/other"), {**APP, "HELIX_DASHBOARD_URL": "https://x.org/helix"}, "make them the same"),
        *(
            (flags(), {**APP, "HELIX_DASHBOARD_URL": url}, "expected an address")
            for url in ("queue.example.org", "ftp://x.org", "https://a@x.org", "https://x.org/?a", "https://x.org:99999", "https://x org", "https://")
        ),
    ],
)  # fmt: skip
def test_what_is_unsafe_is_refused(
    given: dict[str, Any], environment: dict[str, str], words: str
) -> None:
    with pytest.raises(UsageError, match=words) as error:
        options_of(environment, **given)
    assert "secret" not in str(error.value).replace("HELIX_OAUTH_CLIENT_SECRET", "")


@pytest.mark.parametrize(
    ("given", "environment", "url"),
    [
        (flags(), {}, "http://127.0.0.1:8480"),
        (flags("::1", "/helix/"), {}, "http://[::1]:8480/helix"),
        (flags("0.0.0.0"), {**PUBLIC, **APP}, "https://queue.example.org"),
        (flags(path="/helix"), {**APP, "HELIX_DASHBOARD_URL": "https://X.org:443/helix/"}, "https://x.org/helix"),
        (flags("0.0.0.0", "", "X-User", "10.0.0.0/8", "::1"), PUBLIC, "https://queue.example.org"),
    ],
)  # fmt: skip
def test_the_public_address(given: dict[str, Any], environment: dict[str, str], url: str) -> None:
    assert options_of(environment, **given).address.url == url


@pytest.mark.parametrize(
    ("address", "begins", "has"),
    [
        (PublicAddress("https://x.org"), "__Host-helix-session=v;", "Path=/; SameSite=lax; Secure"),
        (PublicAddress("https://x.org", "/q"), "__Secure-helix-session=v;", "Path=/q; SameSite=lax; Secure"),
        (PublicAddress("http://127.0.0.1:1"), "helix-session=v;", "Path=/; SameSite=lax"),
    ],
)  # fmt: skip
def test_cookies_are_as_strict_as_the_address_allows(
    address: PublicAddress, begins: str, has: str
) -> None:
    answer = Response()
    set_cookie(answer, address, "session", "v", 60)
    made = answer.headers["Set-Cookie"]
    assert made.startswith(begins) and made.endswith(has)
    assert "HttpOnly" in made and "Domain" not in made
