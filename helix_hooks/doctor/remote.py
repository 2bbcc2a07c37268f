"""Fetch the settings of a repository on GitHub as values.

A setting that GitHub does not show is `Unseen`; the others are still fetched.
"""

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import quote

from ..errors import HelixError
from ..github.client import error_text
from ..github.reading import listed, one

if TYPE_CHECKING:
    from github.Repository import Repository

Fact = TypeVar("Fact")

_HIDDEN = (403, 404)
"""Status codes of GitHub for an object that the token may not see, or that does not exist."""

_ANY_APP = -1
"""The number that classic protection has for any App (docs.github.com, "Update branch
protection").
"""


class Unseen(NamedTuple):
    """The reason why something is not visible.

    `gone`: GitHub answered 404, so it does not exist, or the token has no access.
    """

    reason: str
    gone: bool = False


class Guard(NamedTuple):
    """The rules of a branch for a merge.

    `checks` are the names of required checks, each with the App that must write it, or None for any
    source. `dismisses`: new commits dismiss the approvals of code owners.
    """

    checks: tuple[tuple[str, int | None], ...] = ()
    pull_request: bool = False
    code_owners: bool = False
    dismisses: bool = False


class RemoteSettings:
    """The settings of a repository, fetched one by one.

    `failed` is true after an error that is not a missing permission. After a failed connection no
    more requests are sent.
    """

    def __init__(self, repository: "Repository") -> None:
        self._repository = repository
        self._unreachable: Unseen | None = None
        self.failed = False

    def one(self, path: str, fact: Callable[[dict[str, Any]], Fact]) -> Fact | Unseen:
        """Return a fact about the object at a path."""
        return self._fetch(lambda: fact(one(self._repository, path)))

    def all(
        self, path: str, fact: Callable[[list[dict[str, Any]]], Fact], **parameters: str
    ) -> Fact | Unseen:
        """Return a fact about the list at a path."""
        return self._fetch(lambda: fact([*listed(self._repository, path, **parameters)]))

    def rules(self, branch: str) -> Guard | Unseen:
        """Return the rules of all active rulesets, including those of the organisation."""
        return self.all(f"/rules/branches/{part(branch)}", _guard_of_rules)

    def protection(self, branch: str) -> Guard | Unseen:
        """Return the classic protection of a branch."""
        guard = self.one(f"/branches/{part(branch)}/protection", _guard_of_protection)
        # GitHub answers 404 without a protection and without a permission; only the texts differ.
        if isinstance(guard, Unseen) and guard.gone and "Branch not protected" in guard.reason:
            return Guard()
        return guard

    def file(self, path: str, branch: str) -> bytes | Unseen | None:
        """Return a file of a branch; None if there is none."""
        content = self.one(f"/contents/{quote(path)}?ref={part(branch)}", _content)
        if not isinstance(content, Unseen) or not content.gone:
            return content
        # GitHub answers 404 too for a branch that the token may not see.
        commit = self.one(f"/commits/{part(branch)}", bool)
        return content if isinstance(commit, Unseen) else None

    def _fetch(self, fetch: Callable[[], Fact]) -> Fact | Unseen:
        from github import GithubException
        from requests.exceptions import RetryError

        if self._unreachable:
            return self._unreachable
        try:
            return fetch()
        except GithubException as error:
            self.failed |= error.status not in _HIDDEN
            return Unseen(error_text(error), error.status == 404)
        except RetryError:
            # GitHub had errors for this one request; the next one may succeed.
            self.failed = True
            return Unseen("GitHub answered each try with an error")
        except (HelixError, OSError) as error:
            # For example a failed connection or a rate limit: no more requests are sent.
            self.failed = True
            reason = str(error) if isinstance(error, HelixError) else error_text(error)
            self._unreachable = Unseen(reason)
            return self._unreachable
        except (AttributeError, KeyError, TypeError, ValueError):
            self.failed = True
            return Unseen("the answer of GitHub is not what it documents")


def part(name: str) -> str:
    """Return a name as one part of an address. Branch names may have slashes."""
    return quote(name, safe="")


def _guard_of_rules(rules: list[dict[str, Any]]) -> Guard:
    """Combine the rules of all rulesets: GitHub requires what any of them requires."""
    sources: list[tuple[str, int | None]] = []
    pulls = []
    for rule in rules:
        if rule["type"] == "pull_request":
            pulls.append(rule["parameters"])
        elif rule["type"] == "required_status_checks":
            checks = rule["parameters"]["required_status_checks"]
            sources += [(check["context"], check.get("integration_id")) for check in checks]
    return Guard(
        tuple(sources),
        bool(pulls),
        any(pull["require_code_owner_review"] for pull in pulls),
        any(pull["dismiss_stale_reviews_on_push"] for pull in pulls),
    )


def _guard_of_protection(answer: dict[str, Any]) -> Guard:
    checks = (answer.get("required_status_checks") or {}).get("checks", ())
    apps = {_ANY_APP: None}
    sources = tuple((item["context"], apps.get(item["app_id"], item["app_id"])) for item in checks)
    reviews = answer.get("required_pull_request_reviews")
    if not reviews:
        return Guard(sources)
    return Guard(
        sources, True, reviews["require_code_owner_reviews"], reviews["dismiss_stale_reviews"]
    )


def _content(answer: dict[str, Any]) -> bytes:
    if answer["type"] != "file" or answer["encoding"] != "base64":
        raise ValueError
    return base64.b64decode("".join(answer["content"].split()), validate=True)
