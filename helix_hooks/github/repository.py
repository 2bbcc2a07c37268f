"""Fetch the settings of a repository on GitHub as frozen facts.

A setting that GitHub does not show is `Unseen`, and the others are still fetched.
"""

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from ..errors import HelixError
from ..safety.branch import Guard
from ..safety.line import Unseen
from ..safety.server import Defaults
from .client import said
from .fetch import listed, one

if TYPE_CHECKING:
    from github.Repository import Repository

Fact = TypeVar("Fact")

_HIDDEN = (403, 404)
"""Status codes of GitHub for objects that a token may not see, or that do not exist."""


class RemoteSettings:
    """The settings of a repository, fetched one by one.

    `failed` says that GitHub could not answer. After a connection fails, no further request is
    sent.
    """

    def __init__(self, repository: "Repository") -> None:
        self._repository = repository
        self._out_of_reach: Unseen | None = None
        self.failed = False

    def default_branch(self) -> str | Unseen:
        return self._asked(lambda: str(one(self._repository, "")["default_branch"]))

    def rules(self, branch: str) -> Guard | Unseen:
        """Fetch the rules of all active rulesets, including those of the organisation."""
        return self._asked(
            lambda: _of_rules([*listed(self._repository, f"/rules/branches/{_part(branch)}")])
        )

    def protection(self, branch: str) -> Guard | Unseen:
        """Fetch the classic protection of a branch.

        GitHub answers 404 both without a protection and without a permission; the texts differ.
        """
        found = self._asked(
            lambda: _of_protection(one(self._repository, f"/branches/{_part(branch)}/protection"))
        )
        return (
            Guard()
            if isinstance(found, Unseen) and found.gone and "Branch not protected" in found.reason
            else found
        )

    def file(self, path: str, branch: str) -> bytes | Unseen | None:
        """Fetch a file of a branch; None if there is none.

        GitHub also answers 404 for a branch that the token may not see, so the branch is fetched
        too.
        """
        found = self._asked(
            lambda: _content(one(self._repository, f"/contents/{quote(path)}?ref={_part(branch)}"))
        )
        if isinstance(found, Unseen) and found.gone:
            branch_seen = self._asked(lambda: one(self._repository, f"/commits/{_part(branch)}"))
            return found if isinstance(branch_seen, Unseen) else None
        return found

    def passed_over(self, branch: str) -> tuple[str, ...] | Unseen:
        """Fetch the lines of a branch's CODEOWNERS that GitHub ignores, each with the reason.

        An owner that GitHub does not know owns nothing.
        """
        return self._asked(
            lambda: _wrong(one(self._repository, f"/codeowners/errors?ref={_part(branch)}"))
        )

    def defaults(self) -> Defaults | Unseen:
        return self._asked(
            lambda: _defaults(one(self._repository, "/actions/permissions/workflow"))
        )

    def limited(self, environment: str) -> bool | Unseen:
        """Return whether only some branches may use an environment."""
        return self._asked(
            lambda: bool(
                one(self._repository, f"/environments/{_part(environment)}").get(
                    "deployment_branch_policy"
                )
            )
        )

    def _asked(self, ask: Callable[[], Fact]) -> Fact | Unseen:
        from github import GithubException
        from requests.exceptions import RetryError

        if self._out_of_reach:
            return self._out_of_reach
        try:
            return ask()
        except GithubException as error:
            self.failed |= error.status not in _HIDDEN
            return Unseen(said(error), error.status == 404)
        except RetryError:  # an error of GitHub's own, in answer to this one question
            self.failed = True
            return Unseen("GitHub answered with errors, every time")
        except (OSError, HelixError) as error:
            self.failed = True
            self._out_of_reach = Unseen(
                str(error) if isinstance(error, HelixError) else said(error)
            )
            return self._out_of_reach
        except (AttributeError, KeyError, TypeError, ValueError):
            self.failed = True
            return Unseen("GitHub's answer is not what its description says")


def _part(name: str) -> str:
    """Return a name as one part of an address. Branch names may have slashes."""
    return quote(name, safe="")


def _of_rules(rules: list[dict[str, Any]]) -> Guard:
    """Combine several rules of one type: whatever one of them requires is required."""
    checks = [rule["parameters"] for rule in rules if rule["type"] == "required_status_checks"]
    pulls = [rule["parameters"] for rule in rules if rule["type"] == "pull_request"]
    return Guard(
        tuple(
            (check["context"], check.get("integration_id"))
            for found in checks
            for check in found["required_status_checks"]
        ),
        bool(pulls),
        any(found["require_code_owner_review"] for found in pulls),
        any(found["dismiss_stale_reviews_on_push"] for found in pulls),
    )


def _of_protection(answer: dict[str, Any]) -> Guard:
    """Read the classic protection. An App of -1 is any App (docs.github.com, "Update branch
    protection").
    """
    checks, pulls = (
        (answer.get("required_status_checks") or {}).get("checks", ()),
        answer.get("required_pull_request_reviews"),
    )
    sources = tuple(
        (check["context"], None if check["app_id"] == -1 else check["app_id"]) for check in checks
    )
    return (
        Guard(sources, True, pulls["require_code_owner_reviews"], pulls["dismiss_stale_reviews"])
        if pulls
        else Guard(sources)
    )


def _content(answer: dict[str, Any]) -> bytes:
    if answer["type"] != "file" or answer["encoding"] != "base64":
        raise ValueError
    return base64.b64decode("".join(answer["content"].split()), validate=True)


def _wrong(answer: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{error['path']}:{error['line']}: {error['kind']}" for error in answer["errors"])


def _defaults(answer: dict[str, Any]) -> Defaults:
    return Defaults(
        answer["default_workflow_permissions"] != "read",
        bool(answer["can_approve_pull_request_reviews"]),
    )
