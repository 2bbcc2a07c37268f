"""The one place that builds a PyGithub client. The client's defaults would post twice and wait for
an hour.

Only reads are retried here. After a 502 a write may have been stored, so `write` looks before it
sends again. Waiting for a rate limit ends after two minutes, and the run fails with a message
(docs.github.com, "Rate limits for the REST API").
"""

import contextlib
import logging
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import HelixError, UsageError

if TYPE_CHECKING:
    from github.Repository import Repository

    from .answers import StoredAnswers

LONGEST_WAIT = 120
"""Seconds for which a rate limit is waited for."""

_TRIES = 4
_BACKOFF = 0.5
_FAILURES = (500, 502, 503, 504)
_TIMEOUT = 20
_BETWEEN_WRITES = 1.0
"""Seconds, as GitHub asks for (docs.github.com, "Best practices for using the REST API")."""

_API = "https://api.github.com"
_VERSION = "2022-11-28"
"""Of the interface; Enterprise Servers know no younger one."""

_HINTS = {
    401: "is GITHUB_TOKEN a valid token?",
    403: "has the token the permissions that docs/github.md lists?",
    404: "are there this repository and pull request, and may the token read them?",
}
"""Hints on the cause, by the status of an answer."""


class RateLimitError(HelixError):
    """GitHub takes no more requests for a while, longer than is waited for. Exit 3."""


def repository(
    name: str,
    token: str,
    url: str = "",
    between_writes: float = _BETWEEN_WRITES,
    *,
    longest_wait: int = LONGEST_WAIT,
    answers: "StoredAnswers | None" = None,
) -> "Repository":
    """Return a repository, without a request.

    `url` is the address of the API, as in GITHUB_API_URL. A rate limit is waited for
    `longest_wait` seconds at most. With stored `answers` GitHub sends only what has changed. Raises
    UsageError without a token.
    """
    if not token:
        raise UsageError("GITHUB_TOKEN is empty; give the step `github-token`")
    from github import Auth, Github

    logging.getLogger("github").setLevel(logging.WARNING)  # a refusal is told by who asked
    if not re.match(r"https?://[^/]+", url or _API):
        raise UsageError(f"GITHUB_API_URL is {url!r}; an address is wanted, as in {_API}")
    found = Github(
        auth=Auth.Token(token),
        base_url=(url or _API).rstrip("/"),
        timeout=_TIMEOUT,
        user_agent="helix-hooks",
        per_page=100,
        retry=_retry(longest_wait),
        seconds_between_requests=0,
        seconds_between_writes=between_writes,
        lazy=True,
        api_version=_VERSION,
    )
    if answers is None:
        return found.get_repo(name)
    from .conditional import conditional_repository

    return conditional_repository(name, found.requester, answers)


def pause(environment: Mapping[str, str]) -> float:
    """Return the seconds between writes that the environment sets."""
    try:
        return float(environment.get("HELIX_GITHUB_PAUSE", _BETWEEN_WRITES))
    except ValueError:
        raise UsageError("HELIX_GITHUB_PAUSE is no number of seconds") from None


def _retry(longest_wait: int) -> Any:
    """Return what is sent again, and when. Without a wait, a rate limit is an answer at once."""
    from github import GithubRetry
    from urllib3 import Retry as PlainRetry

    methods = frozenset({"GET", "HEAD"})
    if not longest_wait:
        return PlainRetry(
            total=_TRIES,
            backoff_factor=_BACKOFF,
            allowed_methods=methods,
            status_forcelist=_FAILURES,
            respect_retry_after_header=False,
        )

    class Retry(GithubRetry):
        def get_retry_after(self, response: Any) -> float | None:
            wanted = super().get_retry_after(response)
            if wanted is not None and wanted * max(1, len(self.history)) > longest_wait:
                raise RateLimitError(
                    f"GitHub asks to wait for {wanted:.0f} s, and {longest_wait} s is the most"
                )
            return wanted

    return Retry(
        total=_TRIES,
        backoff_factor=_BACKOFF,
        allowed_methods=methods,
        status_forcelist=[429, *_FAILURES],
        secondary_rate_wait=60,
        max_rate_limit_wait=longest_wait,
    )


@contextlib.contextmanager
def reached() -> Iterator[None]:
    """Turn errors of GitHub within this context into one line for a person. Raises HelixError."""
    from github import GithubException

    try:
        yield
    except (GithubException, OSError) as error:
        hint = _HINTS.get(getattr(error, "status", 0), "")
        raise HelixError(f"{said(error)}{hint and f'; {hint}'}") from None


def said(error: BaseException) -> str:
    """Return an error of GitHub or of the connection as text, without a token or an address."""
    data = getattr(error, "data", None)
    message = data.get("message") if isinstance(data, dict) else None
    status = getattr(error, "status", "")
    if status:
        return f"GitHub answered {status}: {message or 'no reason given'}"
    again = re.search(r"too many \d+ error responses", str(error))
    return (
        f"GitHub failed again and again: {again[0]}"
        if again
        else f"GitHub could not be reached: {type(error).__name__}"
    )
