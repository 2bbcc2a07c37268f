"""Fetch the settings of a repository on GitHub as values.

A setting that GitHub does not show is `Unseen`; the others are still fetched.
"""

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import quote

from ..errors import HelixError
from ..pull.client import error_text, listed, one

if TYPE_CHECKING:
    from github.Repository import Repository

Fact = TypeVar("Fact")

_BRANCH_POLICY = "deployment_branch_policy"

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


class Defaults(NamedTuple):
    """The defaults of workflows without `permissions`: they may write, and they may approve."""

    writes: bool
    approves: bool


class RemoteSettings:
    """The settings of a repository, fetched one by one.

    `failed` is true after an error that is not a missing permission. After a failed connection no
    more requests are sent.
    """

    def __init__(self, repository: "Repository") -> None:
        self._repository = repository
        self._unreachable: Unseen | None = None
        self.failed = False

    def default_branch(self) -> str | Unseen:
        return self._fetch(lambda: str(one(self._repository, "")["default_branch"]))

    def rules(self, branch: str) -> Guard | Unseen:
        """Fetch the rules of all active rulesets, including those of the organisation."""
        return self._fetch(
            lambda: _guard_of_rules([*listed(self._repository, f"/rules/branches/{_part(branch)}")])
        )

    def protection(self, branch: str) -> Guard | Unseen:
        """Fetch the classic protection of a branch."""
        path = f"/branches/{_part(branch)}/protection"
        guard = self._fetch(lambda: _guard_of_protection(one(self._repository, path)))
        # GitHub answers 404 without a protection and without a permission; only the texts differ.
        if isinstance(guard, Unseen) and guard.gone and "Branch not protected" in guard.reason:
            return Guard()
        return guard

    def file(self, path: str, branch: str) -> bytes | Unseen | None:
        """Fetch a file of a branch; None if there is none."""
        address = f"/contents/{quote(path)}?ref={_part(branch)}"
        content = self._fetch(lambda: _content(one(self._repository, address)))
        if not isinstance(content, Unseen) or not content.gone:
            return content
        # GitHub answers 404 too for a branch that the token may not see.
        commit = self._fetch(lambda: one(self._repository, f"/commits/{_part(branch)}"))
        if isinstance(commit, Unseen):
            return content
        return None

    def codeowners_errors(self, branch: str) -> tuple[str, ...] | Unseen:
        """Fetch the lines of a branch's CODEOWNERS that GitHub ignores, each with the reason.

        For example, GitHub ignores an owner that does not exist.
        """
        path = f"/codeowners/errors?ref={_part(branch)}"
        return self._fetch(lambda: _errors(one(self._repository, path)))

    def defaults(self) -> Defaults | Unseen:
        path = "/actions/permissions/workflow"
        return self._fetch(lambda: _defaults(one(self._repository, path)))

    def roles(self) -> dict[str, str] | Unseen:
        """Fetch the roles of all people who may write to the repository, by login."""
        people = self._fetch(
            lambda: [*listed(self._repository, "/collaborators", permission="push")]
        )
        if isinstance(people, Unseen):
            return people
        return {str(item["login"]): str(item["role_name"]) for item in people}

    def is_limited(self, environment: str) -> bool | Unseen:
        """Return whether only some branches may use an environment."""
        path = f"/environments/{_part(environment)}"
        return self._fetch(lambda: bool(one(self._repository, path).get(_BRANCH_POLICY)))

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
        except HelixError as error:
            return self._give_up(str(error))
        except OSError as error:
            return self._give_up(error_text(error))
        except (AttributeError, KeyError, TypeError, ValueError):
            self.failed = True
            return Unseen("the answer of GitHub is not what it documents")

    def _give_up(self, reason: str) -> Unseen:
        """Send no more requests, for example after a failed connection or a rate limit."""
        self.failed = True
        self._unreachable = Unseen(reason)
        return self._unreachable


def _part(name: str) -> str:
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


def _errors(answer: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{error['path']}:{error['line']}: {error['kind']}" for error in answer["errors"])


def _defaults(answer: dict[str, Any]) -> Defaults:
    return Defaults(
        answer["default_workflow_permissions"] != "read",
        bool(answer["can_approve_pull_request_reviews"]),
    )
