"""A GitHub on loopback that remembers what it is told, checks it by GitHub's own description, and reads its commits from a real repository.

    with FakeGitHub(repository) as fake:
        fake.tokens["t"] = Token("github-actions[bot]", {"pull-requests": "write"})
        fake.open_pull(1, author="alice")
        github.Github(base_url=fake.url, auth=github.Auth.Token("t"))

Requests answer as GitHub's do; what people do on its pages are methods here. Paths in `faults` and `requests` are those of the API, without
the prefix that a GitHub Enterprise Server has before them.
"""

import json
import re
import sys
import threading
import urllib.parse
from collections.abc import Mapping
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.fakes.github import (
    asking,
    checks,
    comments,
    description,
    graphql,
    issues,
    mutations,
    oauth,
    payloads,
    pulls,
    reviews,
    settings,
)
from tests.fakes.github.description import Operation
from tests.fakes.github.payloads import Payload, Place
from tests.fakes.github.state import Answer, Call, Pull, RefusedError, Route, State, Token

__all__ = ["DROPPED", "GRAPHQL", "FakeGitHub", "Fault", "Seen", "Token"]

ROUTES: dict[str, Route] = {
    **asking.ROUTES,
    **issues.ROUTES,
    **pulls.ROUTES,
    **reviews.ROUTES,
    **comments.ROUTES,
    **checks.ROUTES,
    **settings.ROUTES,
}
DROPPED = 0
GRAPHQL = "/graphql"
_LEVELS = {"": 0, "read": 1, "write": 2, "admin": 3}
_DOCUMENTATION = "https://docs.github.com/rest"


ANY = "*"

READS = {
    "contents": "read",
    "pull-requests": "read",
    "checks": "read",
    "issues": "read",
    "metadata": "read",
}
"""The permissions of a token that reads a repository."""


class Fault(NamedTuple):
    """What goes wrong with the next `times` requests for a path, which is a regular expression for all of it.

    `after` says that the request is carried out and its answer lost behind this one. A `status` of DROPPED ends the connection instead,
    and a `body` that is text is the page of some proxy. `skip` requests come through before. With the verb ANY it happens to the request that
    comes then, whatever it is, and to its repetitions.
    """

    verb: str
    path: str
    status: int
    body: Payload | str | None = None
    headers: Mapping[str, str] = {}
    times: int = 1
    after: bool = False
    skip: int = 0


class Seen(NamedTuple):
    """A request that came, and what it was answered."""

    verb: str
    path: str
    query: dict[str, str]
    body: Any
    status: int
    token: str


class _Request(NamedTuple):
    verb: str
    path: str
    query: dict[str, str]
    body: Any
    token: str


class _Reply(NamedTuple):
    status: int
    payload: Any
    headers: Mapping[str, str] = {}


class FakeGitHub(State):
    """A server while the `with` block lasts. `wrong` is all that departs from GitHub's description; if it is not empty, leaving the block fails."""

    def __init__(self, repository: Path, name: str = "acme/decisions", prefix: str = "") -> None:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.fake = self
        host = f"http://127.0.0.1:{self._server.server_address[1]}"
        super().__init__(repository, Place(host, host + prefix, name))
        self.url, self.prefix = host + prefix, prefix
        self.requests: list[Seen] = []
        self.faults: list[Fault] = []
        self.wrong: list[str] = []
        self.oauth = oauth.App()
        self.others: dict[str, FakeGitHub] = {}

    def add(self, repository: Path, name: str) -> "FakeGitHub":
        """Another repository on this server, which knows the same tokens and people."""
        other = FakeGitHub(repository, name)
        other._server.server_close()
        other.place, other.url = self.place._replace(name=name), self.url
        other.tokens, other.people, other.now = self.tokens, self.people, self.now
        self.others[name.lower()] = other
        return other

    def names(self) -> list[str]:
        return [self.place.name, *(other.place.name for other in self.others.values())]

    def named(self, name: str) -> State:
        if name.lower() == self.place.name.lower():
            return self
        if name.lower() not in self.others:
            raise RefusedError(404, "Not Found")
        return self.others[name.lower()]

    def __enter__(self) -> Self:
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        if error is None and self.wrong:
            raise AssertionError("\n".join(self.wrong))

    def open_pull(
        self, number: int, base: str = "main", head: str = "change", author: str = "alice", draft: bool = False, from_fork: bool = False, title: str = "A change"
    ) -> None:  # fmt: skip
        """Its head and base are where the branches are, so a push moves them. The branches of a fork are in the same repository here."""
        fork = f"mallory/{self.place.name.partition('/')[2]}" if from_fork else self.place.name
        time = self.tick()
        self.pulls[number] = Pull(number, base, head, author, title, fork, time, time, draft)

    def close_pull(self, number: int, merged: bool = False) -> None:
        pull = self.pulls[number]
        self.pulls[number] = pull._replace(
            frozen=self.tips(pull), merged=merged, closed=self.touch(number)
        )

    def review(
        self,
        number: int,
        by: str,
        state: str = "APPROVED",
        commit: str | None = None,
        body: str = "",
    ) -> int:
        pull = self.pulls[number]
        return reviews.add_review(self, pull, by, state, body, commit or self.tips(pull)[1]).id

    def dismiss(self, review: int) -> None:
        self.reviews[review] = self.reviews[review]._replace(state="DISMISSED")

    def comment(self, number: int, by: str, body: str) -> int:
        return comments.add_comment(self, number, by, body).id

    def edit_comment(self, comment: int, body: str, within_the_second: bool = False) -> None:
        """A comment of the conversation or one in the diff."""
        if comment in self.comments:
            comments.change_comment(self, self.comments[comment], body, within_the_second)
        else:
            reviews.change_remark(self, self.remarks[comment], body)

    def hide_comment(self, comment: int) -> None:
        """What GitHub calls to minimize it."""
        self.comments[comment] = self.comments[comment]._replace(hidden=True)

    def delete_comment(self, comment: int) -> None:
        self.comments.pop(comment, None) or self.remarks.pop(comment)

    def remark(
        self, number: int, by: str, body: str, path: str, line: int, side: str = "RIGHT"
    ) -> int:
        """A comment in the diff."""
        pull = self.pulls[number]
        return reviews.remark_on(
            self,
            pull,
            by,
            {"path": path, "body": body, "line": line, "side": side},
            self.tips(pull)[1],
        ).id

    def reply(self, comment: int, by: str, body: str) -> int:
        """An answer to a comment in the diff."""
        return reviews.add_reply(self, self.remarks[comment], by, body).id

    def head(self, number: int) -> str:
        return self.tips(self.pulls[number])[1]

    def answer(self, request: _Request) -> _Reply:
        with self.lock:
            found, bad = self._measured(request)
            fault = self._fault(request)
            if fault is None or fault.after:
                reply = self._reply(request, found, bad)
            if fault:
                reply = _Reply(fault.status, fault.body, fault.headers)
            self.requests.append(
                Seen(
                    request.verb,
                    request.path,
                    request.query,
                    request.body,
                    reply.status,
                    request.token,
                )
            )
            return reply._replace(headers={**self._own_headers(), **reply.headers})

    def _fault(self, request: _Request) -> Fault | None:
        for number, fault in enumerate(self.faults):
            if fault.verb in (ANY, request.verb) and re.fullmatch(fault.path, request.path):
                if fault.skip:
                    self.faults[number] = fault._replace(skip=fault.skip - 1)
                    continue
                rest = fault._replace(times=fault.times - 1)
                if fault.verb == ANY:
                    rest = rest._replace(verb=request.verb, path=re.escape(request.path))
                self.faults[number : number + 1] = [rest] if rest.times else []
                return fault
        return None

    def _own_headers(self) -> dict[str, str]:
        left, reset = max(5000 - self.used, 0), int(self.now.timestamp()) + 3600
        limits = {
            "limit": "5000",
            "remaining": str(left),
            "used": str(self.used),
            "reset": str(reset),
            "resource": "core",
        }
        version = {"x-github-enterprise-version": "3.17.0"} if self.prefix else {}
        return (
            {f"x-ratelimit-{key}": value for key, value in limits.items()}
            | {"x-github-request-id": f"{len(self.requests):X}"}
            | version
        )

    def _measured(self, request: _Request) -> tuple[Operation | None, list[str]]:
        """What a request asks for, and what is wrong with its body; all that is wrong is noted down."""
        if (request.verb, request.path) == ("POST", GRAPHQL):
            return None, []
        found = description.operation(request.verb, request.path)
        if not found or f"{found.verb} {found.template}" not in ROUTES:
            self._note(request, ["not played here" if found else "GitHub has no such operation"])
            return None, []
        bad = description.body_errors(found, request.body)
        self._note(request, [*description.query_errors(found, request.query), *bad])
        return found, bad

    def _reply(self, request: _Request, found: Operation | None, bad: list[str]) -> _Reply:
        """What it is answered, with all that is wrong about that noted down as well."""
        if (request.verb, request.path) == ("POST", GRAPHQL):
            return self._of_graphql(request)
        if found is None:
            return _refusal(RefusedError(404, "Not Found"), None)
        try:
            reply = self._carried_out(request, found, bad)
        except RefusedError as refused:
            reply = _refusal(refused, found)
        self._note(
            request,
            [
                f"answered {reply.status}: {error}"
                for error in description.response_errors(found, reply.payload, reply.status)
            ],
        )
        return reply

    def _of_graphql(self, request: _Request) -> _Reply:
        asks = isinstance(request.body, dict) and str(
            request.body.get("query", "")
        ).lstrip().startswith("query")
        try:
            actor = self._actor(request.token)
            if asks:
                payload, wrong = graphql.answer(self, actor, request.body)
                self._note(request, wrong)
                return _Reply(200, payload)
            payload = mutations.carried_out(self, request.body, actor)
        except RefusedError as refused:
            return _refusal(refused, None)
        self._note(
            request,
            [
                error["message"]
                for error in payload.get("errors", ())
                if error["type"].startswith(("NOT_PLAYED", "argument"))
            ],
        )
        return _Reply(200, payload)

    def _note(self, request: _Request, errors: list[str]) -> None:
        self.wrong += [f"{request.verb} {request.path}: {error}" for error in errors]

    def _carried_out(self, request: _Request, found: Operation, bad: list[str]) -> _Reply:
        route, values = (
            ROUTES[f"{found.verb} {found.template}"],
            description.values(found, request.path),
        )
        actor = self._actor(request.token)
        self.used += 1
        place: State = self
        if found.template.startswith("/repos/"):
            place = self.named(f"{values['owner']}/{values['repo']}")
        if not _may(actor, route.permissions):
            kind = "integration" if payloads.is_bot(actor.login) else "personal access token"
            raise RefusedError(403, f"Resource not accessible by {kind}")
        if bad:
            raise RefusedError(422, "Invalid request.\n\n" + "\n".join(bad))
        return self._paged(
            request, route.handler(place, Call(values, request.query, request.body, actor))
        )

    def _actor(self, token: str) -> Token:
        if token not in self.tokens:
            raise RefusedError(401, "Bad credentials" if token else "Requires authentication")
        return self.tokens[token]

    def _paged(self, request: _Request, answer: Answer) -> _Reply:
        items = (
            answer.payload
            if isinstance(answer.payload, list)
            else answer.payload[answer.listed]
            if answer.listed
            else None
        )
        if items is None:
            return _Reply(answer.status, answer.payload)
        size = min(_positive(request.query.get("per_page"), answer.size), answer.most)
        page, last = _positive(request.query.get("page"), 1), max(-(-len(items) // size), 1)
        shown = items[(page - 1) * size : page * size]
        payload = {**answer.payload, answer.listed: shown} if answer.listed else shown
        links = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        wanted = [
            *(("prev", "first") if page > 1 else ()),
            *(("next", "last") if page < last else ()),
        ]
        link = ", ".join(f'<{self._url(request, links[name])}>; rel="{name}"' for name in wanted)
        return _Reply(answer.status, payload, {"link": link} if link else {})

    def _url(self, request: _Request, page: int) -> str:
        return f"{self.url}{request.path}?{urllib.parse.urlencode({**request.query, 'page': page})}"


def _positive(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdigit() and int(text) else otherwise


def _may(actor: Token, permissions: tuple[str, ...]) -> bool:
    """Each of the permissions is enough."""
    pairs = [permission.split(":") for permission in permissions]
    return not pairs or any(
        _LEVELS[actor.permissions.get(name, "")] >= _LEVELS[level] for name, level in pairs
    )


def _refusal(refused: RefusedError, found: Operation | None) -> _Reply:
    payload: Payload = {
        "message": refused.message,
        "documentation_url": found.documentation if found else _DOCUMENTATION,
    }
    return _Reply(refused.status, payload | ({"errors": refused.errors} if refused.errors else {}))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    fake: FakeGitHub

    def handle_error(self, request: object, client_address: object) -> None:
        """A client may go away; anything else is a fault of the fake itself."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            self.fake.wrong.append(f"the fake failed: {error!r}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one piece, or each waits for the client to acknowledge its head
    server: _Server

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The fake's clock, in the header `Date`."""
        return formatdate(
            self.server.fake.now.timestamp() if timestamp is None else timestamp, usegmt=True
        )

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PATCH(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    def _serve(self) -> None:
        fake, url = self.server.fake, urllib.parse.urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        token = self.headers.get("authorization", "").rpartition(" ")[2]
        path = url.path
        if path.startswith("/login/oauth/"):
            self._send(_Reply(*oauth.answer(fake, self.command, path, query, raw)))
            return
        if path == f"{fake.prefix.removesuffix('/v3')}{GRAPHQL}":
            path = f"{fake.prefix}{GRAPHQL}"
        if not path.startswith(f"{fake.prefix}/"):
            fake.wrong.append(f"{self.command} {url.path}: not under {fake.prefix}")
            self._send(_refusal(RefusedError(404, "Not Found"), None))
        else:
            body = json.loads(raw) if raw else None
            self._send(
                fake.answer(
                    _Request(self.command, path.removeprefix(fake.prefix), query, body, token)
                )
            )

    def _send(self, reply: _Reply) -> None:
        if reply.status == DROPPED:
            self.close_connection = True
            return
        text = isinstance(reply.payload, str)
        body = (
            b""
            if reply.payload is None
            else (reply.payload if text else json.dumps(reply.payload)).encode()
        )
        self.send_response(reply.status)
        if body:
            self.send_header(
                "content-type", "text/html" if text else "application/json; charset=utf-8"
            )
        if reply.status != 204:
            self.send_header("content-length", str(len(body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
