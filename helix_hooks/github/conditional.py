"""Conditional requests: GitHub sends an answer only if it has changed (`ETag`, `If-None-Match`).

Each read is sent to GitHub, so no answer is older than its request.
"""

import hashlib
import json
from typing import TYPE_CHECKING

from .answers import StoredAnswer, StoredAnswers

if TYPE_CHECKING:
    from github.Repository import Repository
    from github.Requester import Requester


def conditional_repository(name: str, like: "Requester", answers: StoredAnswers) -> "Repository":
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
            """Send a request; a read with the ETag of the stored answer."""
            send = super().requestJsonAndCheck
            if verb != "GET":
                return send(verb, url, parameters, headers, input, follow_302_redirect)
            key = _key(self, url, parameters)
            stored = answers.find(key)
            sent = dict(headers or {})
            if stored:
                sent["If-None-Match"] = stored.etag
            received, data = send(verb, url, parameters, sent, input, follow_302_redirect)
            # A 304 has no body.
            is_not_modified = data is None
            if is_not_modified and stored:
                # In a 304 GitHub leaves out the header `Link` of the next page.
                return {**received, "link": stored.link}, json.loads(stored.body)
            if received.get("etag") and data is not None:
                answers.keep(key, _stored_answer(received, data))
            return received, data

    return Repository(ConditionalRequester(**like.kwargs), url=f"/repos/{name}")


def _key(requester: "Requester", url: str, parameters: dict[str, object] | None) -> str:
    """Return the key of an answer. The token is part of it: another token may see less."""
    token = ""
    if requester.auth:
        token = requester.auth.token
    request = json.dumps([requester.base_url, url, parameters or {}, token], sort_keys=True)
    # Hashed, so that the file has neither tokens nor names of private repositories.
    return hashlib.sha256(request.encode()).hexdigest()


def _stored_answer(headers: dict[str, object], data: object) -> StoredAnswer:
    body = json.dumps(data).encode()
    return StoredAnswer(str(headers["etag"]), str(headers.get("link", "")), body)
