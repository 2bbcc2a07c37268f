"""All writes to GitHub. Each write is carried out once, also if its answer is lost.

An answer may be lost behind a write that was stored: a 502, a connection that ends, a page of a
proxy. So the Writer waits, looks at what is stored, and only then sends again. A rate limit (403 or
429) is waited for; any other refusal is an answer.
"""

import contextlib
import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import sleep
from typing import TYPE_CHECKING, Any

from ..errors import HelixError
from .client import LONGEST_WAIT, RateLimitError, reached

if TYPE_CHECKING:
    from github import GithubException
    from github.Repository import Repository

Stored = dict[str, Any]
"""The stored object, as JSON from GitHub's answer."""

_TRIES = 4
_BACKOFF = 0.5
_SECONDARY = 60
"""Seconds that GitHub wants where it does not say how many (docs.github.com, "Rate limits for the
REST API").
"""

_NOT_GITHUB = "an answer came that is not one of GitHub's interface"
_LIMITED = (
    "api rate limit exceeded",
    "secondary rate limit",
    "please retry your request again later",
    "please wait a few minutes before you try again",
)
"""Words by which GitHub reports a limit, not a missing permission."""


class LostAnswerError(HelixError):
    """An answer that is not GitHub's: it is unknown whether the request was carried out. Exit 3."""


def not_stored() -> Stored | None:
    """Return None, to look for what is the same when it is stored twice."""
    return None


class Writer:
    """The writes of one run, which wait `longest_wait` seconds in all; `patient` starts that time
    anew.

    It is called for the write that counts most.
    """

    def __init__(self, repository: "Repository", longest_wait: int = LONGEST_WAIT) -> None:
        self._repository, self._longest_wait = repository, longest_wait
        self._left = float(longest_wait)

    def patient(self) -> None:
        self._left = float(self._longest_wait)

    def post(self, path: str, body: Stored, look: Callable[[], Stored | None]) -> Stored:
        """Create something. `look` returns what is stored of it, None where nothing is."""
        return self._carried_out(lambda: self._sent("POST", path, body), look)

    def patch(
        self, path: str, body: Stored, look: Callable[[], Stored | None] = not_stored
    ) -> Stored:
        return self._carried_out(lambda: self._sent("PATCH", path, body), look)

    def delete(self, path: str) -> None:
        """Delete something. A 404 counts as deleted."""
        from github import GithubException

        try:
            self._carried_out(lambda: self._sent("DELETE", path, None), not_stored)
        except GithubException as error:
            if error.status != 404:
                raise

    def change(self, mutation: str, variables: Stored) -> Stored:
        """Send a GraphQL mutation that may be carried out twice.

        Where parts of it fail, their data is null.
        """
        return self._carried_out(lambda: self._asked(mutation, variables), not_stored)

    def _sent(self, verb: str, path: str, body: Stored | None) -> Stored:
        found = self._answer(verb, f"{self._repository.url}{path}", body)[1]
        if found is None and verb == "DELETE":
            return {}
        if not isinstance(found, dict) or not {"id", "url"} & set(found):
            raise LostAnswerError(_NOT_GITHUB)
        return found

    def _asked(self, mutation: str, variables: Stored) -> Stored:
        given = {"query": mutation, "variables": variables}
        url = self._repository.requester.graphql_url
        headers, found = self._answer("POST", url, given)
        if not isinstance(found, dict) or not {"data", "errors"} & set(found):
            raise LostAnswerError(_NOT_GITHUB)
        data, errors = found.get("data") or {}, found.get("errors") or []
        gone = all(error.get("type") == "NOT_FOUND" for error in errors)
        if any(data.values()) or gone:
            return dict(data)
        raise _refusal(errors[0], headers)

    def _answer(self, verb: str, url: str, body: Stored | None) -> tuple[dict[str, Any], Any]:
        try:
            return self._repository.requester.requestJsonAndCheck(verb, url, input=body)
        except ValueError:  # the beginning of some JSON
            raise LostAnswerError(_NOT_GITHUB) from None

    def _carried_out(self, send: Callable[[], Stored], look: Callable[[], Stored | None]) -> Stored:
        from github import GithubException

        failed: Exception | None = None
        for tried in range(_TRIES):
            try:
                return send()
            except (GithubException, LostAnswerError, OSError) as error:
                failed = error
                self._wait(error, tried)
            stored = look()
            if stored is not None:
                return stored
        raise failed or HelixError("nothing was sent")

    def _wait(self, error: Exception, tried: int) -> None:
        """Wait before sending again. Raises the error if it is an answer, or if no time is left."""
        seconds = _seconds(error, tried)
        if seconds is None:
            raise error
        if seconds > self._left:
            said = f"GitHub asks to wait for {seconds:.0f} s"
            raise (
                HelixError(f"{said}, and {self._longest_wait} s is the most")
                if is_limit(error)
                else error
            )
        self._left -= seconds
        sleep(seconds)


def _refusal(error: dict[str, Any], headers: dict[str, Any]) -> "GithubException":
    """Return what an error of GraphQL would be in the REST API; one without a type is GitHub's
    own.
    """
    from github import GithubException

    status = {"RATE_LIMITED": 429, None: 502}.get(error.get("type"), 403)
    return GithubException(status, {"message": error.get("message")}, headers)


def _seconds(error: Exception, tried: int) -> float | None:
    """Return how long to wait before sending again; None where the error says no, and sending again
    would not change that.
    """
    from github import GithubException

    backoff: float = _BACKOFF * 2**tried
    if not isinstance(error, GithubException):
        return backoff
    if is_limit(error):
        return _asked_for(error)
    return backoff if error.status >= 500 else None


def is_limit(error: Exception) -> bool:
    """Return whether an error is a rate limit.

    GitHub answers 403 to both a limit and a missing permission.
    """
    from github import GithubException

    if not isinstance(error, GithubException):
        return False
    headers, message = error.headers or {}, str(_message(error)).lower()
    signs = (
        "retry-after" in headers
        or headers.get("x-ratelimit-remaining") == "0"
        or any(sign in message for sign in _LIMITED)
    )
    return error.status == 429 or (error.status == 403 and signs)


@contextlib.contextmanager
def reached_within_limits() -> Iterator[None]:
    """Do as `reached`, and raise RateLimitError where GitHub takes no more requests."""
    from github import GithubException

    with reached():
        try:
            yield
        except GithubException as error:
            if not is_limit(error):
                raise
            minutes = math.ceil(_asked_for(error) / 60)
            raise RateLimitError(f"GitHub takes no more requests for {minutes} min") from None


def _message(error: "GithubException") -> Any:
    return error.data.get("message") or "" if isinstance(error.data, dict) else ""


def _asked_for(error: "GithubException") -> float:
    """Return the seconds that GitHub asks for, by its own clock."""
    headers = error.headers or {}
    now = parsedate_to_datetime(headers["date"]) if "date" in headers else datetime.now(UTC)
    after, reset = str(headers.get("retry-after", "")), str(headers.get("x-ratelimit-reset", ""))
    if after.isdigit():
        return float(after)
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        return max(0.0, int(reset) - now.timestamp()) + 1
    return _SECONDARY
