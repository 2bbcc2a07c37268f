"""People in front of the server: browsers without scripts, that keep cookies and send forms."""

import html
import re
import time
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

import httpx

from helix_hooks.waiting.entry import PULL_REQUEST
from tests.fakes import waiting
from tests.fakes.dashboard import Desk
from tests.fakes.github.server import FakeGitHub

KAFKA = "acme/decisions#12"
LOGIN = "acme/shop#46"
ENTRIES = tuple(
    entry._replace(project="acme/decisions", repository="acme/decisions")
    if entry.source == PULL_REQUEST
    else entry
    for entry in waiting.ENTRIES
)
"""Pull requests are those of the repository that the fake GitHub has."""


class Clock:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Place(NamedTuple):
    """The server, GitHub, and the time of sessions."""

    url: str
    desk: Desk
    github: FakeGitHub
    clock: Clock

    @property
    def origin(self) -> str:
        return "/".join(self.url.split("/")[:3])


class Person:
    def __init__(self, place: Place) -> None:
        self.place = place
        none = httpx.Limits(max_keepalive_connections=0)  # so that no connection is left open
        self.client = httpx.Client(follow_redirects=True, timeout=15, limits=none, verify=False)

    def sign_in(self, login: str, entry: str = "") -> httpx.Response:
        self.place.github.oauth.login = login
        query = {"entry": entry} if entry else {}
        return self.client.get(f"{self.place.url}/sign-in", params=query)

    def page(self, path: str = "/") -> str:
        return self.client.get(f"{self.place.url}{path}").text

    def opened(self, id: str) -> str:
        """Return the page of an entry."""
        return self.page(f"/entry?id={quote(id)}")

    def decide(self, id: str, answer: str, reason: str = "") -> httpx.Response:
        """Open an entry, and decide about it on its page."""
        fields = fields_of(self.opened(id), id, answer=answer, reason=reason)
        return self.send({**fields, "from": "entry"})

    def undo(self, page: str, id: str) -> httpx.Response:
        """Press the button beside the line of a decision."""
        form = re.search(rf'/undo"><input type="hidden" name="token" value="([^"]+)"><input type="hidden" name="id" value="(- {id})"', page)  # fmt: skip
        assert form, page
        return self.client.post(
            f"{self.place.url}/undo",
            data={"token": form[1], "id": form[2]},
            headers={"Origin": self.place.origin},
        )

    def send(self, fields: dict[str, str | list[str]], **headers: str) -> httpx.Response:
        """Send a form as a browser does; a header that is "" is left out."""
        known = {"Origin": self.place.origin, **headers}
        return self.client.post(
            f"{self.place.url}/decide",
            data=fields,
            headers={name: value for name, value in known.items() if value},
        )


def behind_proxy(place: Place, login: str) -> Person:
    """Return the person with this login, whom a proxy has signed in."""
    found = Person(place)
    found.client.headers["X-User"] = login
    return found


def eventually(read: Callable[[], str], is_there: Callable[[str], bool]) -> str:
    """Return what is read once it is as wanted; the server looks at its sources in between."""
    for _ in range(400):
        if is_there(found := read()):
            return found
        time.sleep(0.05)
    raise AssertionError(f"not within twenty seconds: {found}")


def fields_of(page: str, *ids: str, answer: str, reason: str = "") -> dict[str, str | list[str]]:
    """Return the fields of the form of decisions in a page, with some entries selected."""
    token = re.search(
        r'/decide"><button[^>]+>[^<]+</button><input type="hidden" name="token" value="([^"]+)"',
        page,
    )
    values = [html.unescape(value) for value in re.findall(r'name="id" value="([^"]+)"', page)]
    chosen = [value for value in values if value.partition(" ")[2] in ids]
    assert token and len(chosen) == len(ids), (ids, values)
    return {"token": token[1], "id": chosen, "answer": answer, "reason": reason}


def shown(page: str) -> str:
    """Return the text of a page without its marks."""
    return html.unescape(re.sub(r"<[^>]+>", " ", page))
