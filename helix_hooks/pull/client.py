"""The client of GitHub: PyGithub without its defaults, which would post twice and wait for an hour.

No redirect is followed: the facts of a repository at another address are not those of this one.

Only reads are retried here. After a 502 a write may have been stored, so `write` checks before it
sends again. A rate limit is waited for at most two minutes; then the run fails with a message
(docs.github.com, "Rate limits for the REST API"). Objects and lists are read as plain JSON.
"""

import contextlib
import logging
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from ..errors import HelixError, UsageError
from ..text import printable

if TYPE_CHECKING:
    from github.Repository import Repository

LONGEST_WAIT = 120
"""Maximum number of seconds to wait for a rate limit."""

_TRIES = 4
_BACKOFF = 0.5
_FAILURES = (500, 502, 503, 504)
_REDIRECTS = (301, 302, 303, 307, 308)
_LONGEST_ADDRESS = 300
_TIMEOUT = 20
_BETWEEN_WRITES = 1.0
"""Seconds, as GitHub recommends (docs.github.com, "Best practices for using the REST API")."""

_API = "https://api.github.com"
_VERSION = "2022-11-28"
"""Version of the API; Enterprise Server supports no newer one."""

_HINTS = {
    401: "is GITHUB_TOKEN a valid token?",
    403: "does the token have the permissions in docs/github.md?",
    404: "do the repository and the pull request exist, and can the token read them?",
}
"""Hints on the cause, by the status of an answer."""


class MovedError(HelixError):
    """GitHub redirects a request, so nothing was read or stored. Exit code 3."""


class RateLimitError(HelixError):
    """GitHub limits requests for longer than the allowed wait. Exit code 3."""


def repository(
    name: str,
    token: str,
    url: str = "",
    between_writes: float = _BETWEEN_WRITES,
    *,
    longest_wait: int = LONGEST_WAIT,
) -> "Repository":
    """Return a repository, without a request.

    `url` is the address of the API, as in GITHUB_API_URL. `longest_wait` is the maximum wait for a
    rate limit in seconds.

    Raises:
        UsageError: There is no token, or `url` is not an address.
    """
    if not token:
        raise UsageError("GITHUB_TOKEN is empty; pass `github-token` to the step")
    from github import Auth, Github

    # PyGithub logs each refused request; the caller reports it in its own words.
    logging.getLogger("github").setLevel(logging.WARNING)
    if not re.match(r"https?://[^/]+", url or _API):
        raise UsageError(f"invalid GITHUB_API_URL {url!r} (expected an address, e.g. {_API})")
    hub = Github(
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
    return hub.get_repo(name)


def pause(environment: Mapping[str, str]) -> float:
    """Return the seconds between writes that the environment sets.

    Raises:
        UsageError: HELIX_GITHUB_PAUSE is not a number.
    """
    try:
        return float(environment.get("HELIX_GITHUB_PAUSE", _BETWEEN_WRITES))
    except ValueError:
        raise UsageError("HELIX_GITHUB_PAUSE is not a number of seconds") from None


def _retry(longest_wait: int) -> Any:
    """Return the retries of reads. With `longest_wait` 0, a rate limit is an error at once."""
    from github import GithubRetry
    from urllib3 import Retry as PlainRetry

    class NoRedirect(PlainRetry):
        """For PyGithub a 301 is to be followed, and the body of any other redirect is data."""

        def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:
            """Return whether `increment` is called with an answer."""
            is_failure = super().is_retry(method, status_code, has_retry_after)
            return is_failure or status_code in _REDIRECTS

        def increment(self, *args: Any, **named: Any) -> Any:
            """Count a try.

            Raises:
                MovedError: The answer is a redirect.
            """
            answer = named.get("response")
            if answer is not None and answer.status in _REDIRECTS:
                place = answer.headers.get("location") or "an address that it does not name"
                answer.close()  # nobody else does after an exception
                raise MovedError(
                    f"GitHub redirects to {printable(place, _LONGEST_ADDRESS)}, so nothing was "
                    "read or stored; if the repository has a new name, use that name"
                )
            return super().increment(*args, **named)

    methods = frozenset({"GET", "HEAD"})
    if not longest_wait:
        return NoRedirect(
            total=_TRIES,
            backoff_factor=_BACKOFF,
            allowed_methods=methods,
            status_forcelist=_FAILURES,
            respect_retry_after_header=False,
        )

    class Retry(NoRedirect, GithubRetry):
        def get_retry_after(self, response: Any) -> float | None:
            """Return the seconds to wait.

            Raises:
                RateLimitError: That is longer than `longest_wait`.
            """
            seconds = super().get_retry_after(response)
            if seconds is None:
                return None
            # Each try before this one has waited too.
            if seconds * max(1, len(self.history)) > longest_wait:
                raise RateLimitError(
                    f"GitHub requires a wait of {seconds:.0f} s (maximum {longest_wait} s)"
                )
            return seconds

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
    """Turn errors of GitHub within this context into one line for a person.

    Raises:
        HelixError: GitHub refused a request, or could not be reached.
    """
    from github import GithubException

    try:
        yield
    except (GithubException, OSError) as error:
        hint = _HINTS.get(getattr(error, "status", 0), "")
        raise HelixError("; ".join(filter(None, (error_text(error), hint)))) from None


def error_text(error: BaseException) -> str:
    """Return an error of GitHub or of the connection as text, without a token or an address."""
    status = getattr(error, "status", "")
    if status:
        message = text_field(getattr(error, "data", None), "message")
        return f"GitHub answered {status}: {message or 'no reason given'}"
    repeated = re.search(r"too many \d+ error responses", str(error))
    if repeated:
        return f"GitHub failed repeatedly: {repeated[0]}"
    # The text of a connection error has the address, and may have a token.
    return f"GitHub could not be reached: {type(error).__name__}"


def text_field(answer: object, name: str) -> str:
    """Return a field of a JSON object as text; "" if there is no such object or field."""
    if not isinstance(answer, dict):
        return ""
    return str(answer.get(name) or "")


_MOST_PAGES = 100
LARGEST_PAGE = 100
"""Maximum number of entries on a page (docs.github.com, "Using pagination in the REST API")."""


def seconds(time: str | None) -> int:
    """Return a time of GitHub in seconds since 1970; 0 for none."""
    if not time:
        return 0
    return int(datetime.fromisoformat(time).timestamp())


def server_time(headers: dict[str, Any]) -> int:
    """Return the time of an answer by GitHub's clock."""
    # The clock of a runner may be wrong, and GitHub's clock dates the comments.
    if "date" in headers:
        return int(parsedate_to_datetime(headers["date"]).timestamp())
    return int(datetime.now(UTC).timestamp())


def answer(repository: "Repository", path: str, key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fetch headers and an object, which must have a key.

    Raises:
        HelixError: The answer has no such key, so it is not from the API of GitHub.
    """
    headers, data = repository.requester.requestJsonAndCheck("GET", f"{repository.url}{path}")
    if not isinstance(data, dict) or key not in data:
        raise _not_github(repository)
    return headers, data


def _not_github(repository: "Repository") -> HelixError:
    return HelixError(f"{repository.url} is not the API of GitHub; is GITHUB_API_URL right?")


def one(repository: "Repository", path: str) -> Any:
    """Fetch the object at a path."""
    return repository.requester.requestJsonAndCheck("GET", f"{repository.url}{path}")[1]


def listed(
    repository: "Repository", path: str, key: str = "", **parameters: str
) -> Iterator[dict[str, Any]]:
    """Fetch all entries of a list, page by page; `key` is their key in the answer.

    Raises:
        HelixError: The list has too many pages; a part of it is never taken for all of it.
    """
    yield from listed_at(repository, f"{repository.url}{path}", key, **parameters)


def listed_at(
    repository: "Repository", url: str, key: str = "", **parameters: str
) -> Iterator[dict[str, Any]]:
    """Fetch all entries of a list at an address, which need not be of the repository.

    Raises:
        HelixError: The answer is not from the API of GitHub, or has too many pages.
    """
    for _, page in pages_of(repository, url, parameters):
        items = page
        if key and isinstance(page, dict):
            items = page.get(key)
        if not isinstance(items, list):
            raise _not_github(repository)
        yield from items


def pages_of(
    repository: "Repository", address: str, parameters: dict[str, str]
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Fetch headers and content of each page.

    Raises:
        HelixError: The list has too many pages.
    """
    url = address
    query: dict[str, Any] | None = {"per_page": LARGEST_PAGE, **parameters}
    for _ in range(_MOST_PAGES):
        headers, data = repository.requester.requestJsonAndCheck("GET", url, query)
        yield headers, data
        # The address of the next page has the parameters already.
        url, query = _next(headers.get("link", "")), None
        if not url:
            return
    path = address.removeprefix(repository.url)
    raise HelixError(f"GitHub has more than {_MOST_PAGES} pages of {path}")


def _next(links: str) -> str:
    """Return the address of the next page from the header `Link`; "" on the last page.

    Documented at docs.github.com, "Using pagination in the REST API".
    """
    for link in links.split(","):
        address, _, attributes = link.partition(";")
        if 'rel="next"' in attributes:
            return address.strip(" <>")
    return ""
