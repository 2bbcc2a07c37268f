"""All writes to GitHub. Each write is stored once, even if its answer is lost.

The answer of a stored write may be lost: a 502, a closed connection, an error page of a proxy. So
the Writer waits, checks what is stored, and only then sends again. It waits for a rate limit (403
or 429); any other refusal is final.
"""

import contextlib
import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import sleep
from typing import TYPE_CHECKING, Any

from ..errors import HelixError
from .client import LONGEST_WAIT, MovedError, RateLimitError, reached, text_field

if TYPE_CHECKING:
    from github import GithubException
    from github.Repository import Repository

Stored = dict[str, Any]
"""An object of GitHub as JSON: what is sent, or the answer with what is stored."""

_TRIES = 4
_BACKOFF = 0.5
_SECONDARY = 60
"""Seconds to wait if GitHub does not say how long (docs.github.com, "Rate limits for the REST
API").
"""

_NOT_GITHUB = "the answer is not from the API of GitHub"
_LIMITED = (
    "api rate limit exceeded",
    "secondary rate limit",
    "please retry your request again later",
    "please wait a few minutes before you try again",
)
"""Texts in a 403 for a rate limit; a 403 for a missing permission has none of them."""


class LostAnswerError(HelixError):
    """An answer that is not from GitHub: the request may have been stored or not. Exit code 3."""


def is_object(answer: object) -> bool:
    """Return whether an answer is an object that GitHub stores: each one has a number.

    The page of a proxy has none.
    """
    return isinstance(answer, dict) and isinstance(answer.get("id"), int)


def not_stored() -> Stored | None:
    """Return None: the `look` of a write that may be repeated."""
    return None


class Writer:
    """The writes of one run. They wait at most `longest_wait` seconds in total.

    `reset_wait` gives the most important write the full time.
    """

    def __init__(self, repository: "Repository", longest_wait: int = LONGEST_WAIT) -> None:
        self._repository, self._longest_wait = repository, longest_wait
        self._left = float(longest_wait)

    def reset_wait(self) -> None:
        self._left = float(self._longest_wait)

    def post(self, path: str, body: Stored, look: Callable[[], Stored | None]) -> Stored:
        """Create an object. `look` returns the object if it is stored already, else None."""
        return self._write(lambda: self._send("POST", path, body), look)

    def patch(
        self, path: str, body: Stored, look: Callable[[], Stored | None] = not_stored
    ) -> Stored:
        return self._write(lambda: self._send("PATCH", path, body), look)

    def delete(self, path: str) -> None:
        """Delete an object. A 404 counts as deleted."""
        from github import GithubException

        try:
            self._write(lambda: self._send("DELETE", path, None), not_stored)
        except GithubException as error:
            if error.status != 404:
                raise

    def change(self, mutation: str, variables: Stored) -> Stored:
        """Send a GraphQL mutation that may run twice. The data of a failed part is null."""
        return self._write(lambda: self._send_query(mutation, variables), not_stored)

    def query(self, query: str, variables: Stored) -> Stored:
        """Send a GraphQL query. Unlike `change`, fail if any part of the answer is missing."""
        return self._write(lambda: self._send_query(query, variables, is_whole=True), not_stored)

    def _send(self, verb: str, path: str, body: Stored | None) -> Stored:
        answer = self._answer(verb, f"{self._repository.url}{path}", body)[1]
        if answer is None and verb == "DELETE":
            return {}
        if not is_object(answer):
            raise LostAnswerError(_NOT_GITHUB)
        self._require_place(answer)
        return dict(answer)

    def _require_place(self, stored: Stored) -> None:
        """Check that an object is stored in this repository.

        Raises:
            MovedError: It is stored elsewhere.
        """
        place = f"{self._repository.url}/".partition("/repos/")[2].casefold()
        # Reactions have no address; a review has that of its pull request.
        url = str(stored.get("url") or stored.get("pull_request_url") or "")
        if url and not url.partition("/repos/")[2].casefold().startswith(place):
            raise MovedError(f"{self._repository.full_name} has moved: it was written to {url}")

    def _send_query(self, mutation: str, variables: Stored, *, is_whole: bool = False) -> Stored:
        body = {"query": mutation, "variables": variables}
        url = self._repository.requester.graphql_url
        headers, answer = self._answer("POST", url, body)
        if not isinstance(answer, dict) or not {"data", "errors"} & set(answer):
            raise LostAnswerError(_NOT_GITHUB)
        data, errors = answer.get("data") or {}, answer.get("errors") or []
        if is_whole and errors:
            raise _refusal(errors[0], headers)
        # A deleted comment is null in `data`, with an error of its own.
        is_gone = all(error.get("type") == "NOT_FOUND" for error in errors)
        if any(data.values()) or is_gone:
            return dict(data)
        raise _refusal(errors[0], headers)

    def _answer(self, verb: str, url: str, body: Stored | None) -> tuple[dict[str, Any], Any]:
        try:
            return self._repository.requester.requestJsonAndCheck(verb, url, input=body)
        except ValueError:
            # The connection ended within the JSON.
            raise LostAnswerError(_NOT_GITHUB) from None

    def _write(self, send: Callable[[], Stored], look: Callable[[], Stored | None]) -> Stored:
        from github import GithubException

        last_error: Exception | None = None
        for tried in range(_TRIES):
            try:
                return send()
            except (GithubException, LostAnswerError, OSError) as error:
                last_error = error
                self._wait(error, tried)
            # The write may have been stored although its answer was an error.
            stored = look()
            if stored is not None:
                return stored
        raise last_error or HelixError("nothing was sent")

    def _wait(self, error: Exception, tried: int) -> None:
        """Wait before the next try.

        Raises:
            Exception: The error itself, if it is final or no time is left.
            HelixError: A rate limit lasts longer than the time that is left.
        """
        seconds = _seconds(error, tried)
        if seconds is None:
            raise error
        if seconds <= self._left:
            self._left -= seconds
            sleep(seconds)
        elif is_limit(error) and self._longest_wait:
            raise HelixError(
                f"GitHub requires a wait of {seconds:.0f} s (maximum {self._longest_wait} s)"
            )
        else:
            raise error


def _refusal(error: dict[str, Any], headers: dict[str, Any]) -> "GithubException":
    """Return an error of GraphQL as the REST API would report it."""
    from github import GithubException

    # An error without a type is an internal error of GitHub.
    status = {"RATE_LIMITED": 429, "NOT_FOUND": 404, None: 502}.get(error.get("type"), 403)
    return GithubException(status, {"message": error.get("message")}, headers)


def _seconds(error: Exception, tried: int) -> float | None:
    """Return the seconds to wait before the next try; None if the error is final."""
    from github import GithubException

    backoff: float = _BACKOFF * 2**tried
    if not isinstance(error, GithubException):
        return backoff
    if is_limit(error):
        return _limit_seconds(error)
    if error.status >= 500:
        return backoff
    return None


def is_limit(error: Exception) -> bool:
    """Return whether an error is a rate limit.

    GitHub answers 403 to both a limit and a missing permission.
    """
    from github import GithubException

    if not isinstance(error, GithubException):
        return False
    if error.status != 403:
        return bool(error.status == 429)
    headers = error.headers or {}
    if "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0":
        return True
    message = text_field(error.data, "message").lower()
    return any(sign in message for sign in _LIMITED)


@contextlib.contextmanager
def reached_within_limits() -> Iterator[None]:
    """Turn errors of GitHub into one line as `reached` does.

    Raises:
        RateLimitError: GitHub limits requests.
        HelixError: GitHub refused a request, or could not be reached.
    """
    from github import GithubException

    with reached():
        try:
            yield
        except GithubException as error:
            if not is_limit(error):
                raise
            minutes = math.ceil(_limit_seconds(error) / 60)
            raise RateLimitError(
                f"the rate limit of GitHub is reached; try again in {minutes} min"
            ) from None


def _limit_seconds(error: "GithubException") -> float:
    """Return the seconds until GitHub accepts requests again."""
    headers = error.headers or {}
    after, reset = str(headers.get("retry-after", "")), str(headers.get("x-ratelimit-reset", ""))
    if after.isdigit():
        return float(after)
    if headers.get("x-ratelimit-remaining") != "0" or not reset.isdigit():
        return _SECONDARY
    # The reset is a time of GitHub's clock, and the clock of a runner may be wrong.
    now = datetime.now(UTC)
    if "date" in headers:
        now = parsedate_to_datetime(headers["date"])
    return max(0.0, int(reset) - now.timestamp()) + 1
