"""Conditional requests: GitHub sends an answer only if it has changed (`ETag`, `If-None-Match`).

Each answer is asked for anew, so none is older than the request.
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

    One thread uses it at a time.
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
            """Send a request; a read with the ETag of the answer that is kept."""
            send = super().requestJsonAndCheck
            if verb != "GET":
                return send(verb, url, parameters, headers, input, follow_302_redirect)
            key = _key(self, url, parameters)
            kept = answers.find(key)
            condition = {"If-None-Match": kept.etag} if kept else {}
            asked = {**(headers or {}), **condition}
            told, data = send(verb, url, parameters, asked, input, follow_302_redirect)
            if data is None and kept:  # 304: GitHub sends no body
                return {**told, "link": kept.link}, json.loads(kept.body)
            if told.get("etag") and data is not None:
                answers.keep(key, _stored(told, data))
            return told, data

    return Repository(ConditionalRequester(**like.kwargs), url=f"/repos/{name}")


def _key(requester: "Requester", url: str, parameters: dict[str, object] | None) -> str:
    """Return the key of an answer. What GitHub answers depends on the token."""
    token = requester.auth.token if requester.auth else ""
    about = json.dumps([requester.base_url, url, parameters or {}, token], sort_keys=True)
    return hashlib.sha256(about.encode()).hexdigest()


def _stored(headers: dict[str, object], data: object) -> StoredAnswer:
    body = json.dumps(data).encode()
    return StoredAnswer(str(headers["etag"]), str(headers.get("link", "")), body)
