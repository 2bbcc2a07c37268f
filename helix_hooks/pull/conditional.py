"""Conditional requests: GitHub sends an answer only if it has changed (`ETag`, `If-None-Match`).

Each read is sent to GitHub, so no answer is older than its request. GitHub answers 304 if nothing
has changed; such a request does not count against the rate limit (docs.github.com, "Best practices
for using the REST API"). The answers are in the memory of this process: a server looks twice a
minute, and would have no requests left after a few minutes.
"""

import json
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from github.Repository import Repository
    from github.Requester import Requester

_MOST = 20_000
"""Maximum number of answers; the least recently used ones are dropped."""


class _Answer(NamedTuple):
    """An answer: its ETag, its header `Link`, and its body as JSON."""

    etag: str
    link: str
    body: bytes


class LastAnswers:
    """The last answer to each request, for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: OrderedDict[str, _Answer] = OrderedDict()

    def find(self, key: str) -> _Answer | None:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def keep(self, key: str, answer: _Answer) -> None:
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            if len(self._answers) > _MOST:
                self._answers.popitem(last=False)


ANSWERS = LastAnswers()
"""The answers to this process."""


def conditional_repository(name: str, like: "Requester") -> "Repository":
    """Return a repository whose reads are conditional, without a request.

    `like` has the settings of the connection. Only one thread may use the repository at a time.
    """
    from github.Repository import Repository
    from github.Requester import Requester

    class ConditionalRequester(Requester):
        def requestJsonAndCheck(  # noqa: N802 - it takes the place of PyGithub's
            self,
            verb: str,
            url: str,
            parameters: dict[str, object] | None = None,
            headers: dict[str, str] | None = None,
            input: object = None,
            follow_302_redirect: bool = False,
        ) -> tuple[dict[str, object], object]:
            """Send a request; a read with the ETag of the last answer."""
            send = super().requestJsonAndCheck
            if verb != "GET":
                return send(verb, url, parameters, headers, input, follow_302_redirect)
            key = _key(self, url, parameters)
            last = ANSWERS.find(key)
            sent = dict(headers or {})
            if last:
                sent["If-None-Match"] = last.etag
            received, data = send(verb, url, parameters, sent, input, follow_302_redirect)
            # A 304 has no body.
            is_not_modified = data is None
            if is_not_modified and last:
                # In a 304 GitHub leaves out the header `Link` of the next page.
                return {**received, "link": last.link}, json.loads(last.body)
            if received.get("etag") and data is not None:
                ANSWERS.keep(key, _answer(received, data))
            return received, data

    return Repository(ConditionalRequester(**like.kwargs), url=f"/repos/{name}")


def _key(requester: "Requester", url: str, parameters: dict[str, object] | None) -> str:
    """Return the key of an answer. The token is part of it: another token may see less."""
    token = ""
    if requester.auth:
        token = requester.auth.token
    return json.dumps([requester.base_url, url, parameters or {}, token], sort_keys=True)


def _answer(headers: dict[str, object], data: object) -> _Answer:
    body = json.dumps(data).encode()
    return _Answer(str(headers["etag"]), str(headers.get("link", "")), body)
