"""What GitHub says of a repository's settings, to frozen facts. What it does not show is `Unseen`, and keeps nothing else from being asked."""

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
"""How GitHub answers for what a token may not see, and for what is not there."""


class RemoteSettings:
    """The settings of a repository, asked for one by one. `failed` says that GitHub could not answer; out of reach, it is asked no more."""

    def __init__(self, repository: "Repository") -> None:
        self._repository = repository
        self._out_of_reach: Unseen | None = None
        self.failed = False

    def default_branch(self) -> str | Unseen:
        return self._asked(lambda: str(one(self._repository, "")["default_branch"]))

    def rules(self, branch: str) -> Guard | Unseen:
        """The rules of all active rulesets, of the organisation too."""
        return self._asked(
            lambda: _of_rules([*listed(self._repository, f"/rules/branches/{_part(branch)}")])
        )

    def protection(self, branch: str) -> Guard | Unseen:
        """The classic protection of a branch. GitHub answers 404 in two ways, of which one says that there is none."""
        found = self._asked(
            lambda: _of_protection(one(self._repository, f"/branches/{_part(branch)}/protection"))
        )
        return (
            Guard()
            if isinstance(found, Unseen) and found.gone and "Branch not protected" in found.reason
            else found
        )

    def file(self, path: str, branch: str) -> bytes | Unseen | None:
        """A file of a branch, None where there is none: GitHub answers 404 for that too, so the branch is asked whether it can be seen."""
        found = self._asked(
            lambda: _content(one(self._repository, f"/contents/{quote(path)}?ref={_part(branch)}"))
        )
        if isinstance(found, Unseen) and found.gone:
            branch_seen = self._asked(lambda: one(self._repository, f"/commits/{_part(branch)}"))
            return found if isinstance(branch_seen, Unseen) else None
        return found

    def passed_over(self, branch: str) -> tuple[str, ...] | Unseen:
        """The lines of a branch's CODEOWNERS that GitHub does not go by, each with the reason: an owner that it does not know is nobody."""
        return self._asked(
            lambda: _wrong(one(self._repository, f"/codeowners/errors?ref={_part(branch)}"))
        )

    def defaults(self) -> Defaults | Unseen:
        return self._asked(
            lambda: _defaults(one(self._repository, "/actions/permissions/workflow"))
        )

    def limited(self, environment: str) -> bool | Unseen:
        """Whether only some branches may use an environment."""
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
    """A name as one part of an address; branches have slashes in them."""
    return quote(name, safe="")


def _of_rules(rules: list[dict[str, Any]]) -> Guard:
    """Several rules of one type hold together, so what one of them asks for is asked for."""
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


def _of_protection(found: dict[str, Any]) -> Guard:
    """An App of -1 is any App (docs.github.com, "Update branch protection")."""
    checks, pulls = (
        (found.get("required_status_checks") or {}).get("checks", ()),
        found.get("required_pull_request_reviews"),
    )
    sources = tuple(
        (check["context"], None if check["app_id"] == -1 else check["app_id"]) for check in checks
    )
    return (
        Guard(sources, True, pulls["require_code_owner_reviews"], pulls["dismiss_stale_reviews"])
        if pulls
        else Guard(sources)
    )


def _content(found: dict[str, Any]) -> bytes:
    if found["type"] != "file" or found["encoding"] != "base64":
        raise ValueError
    return base64.b64decode("".join(found["content"].split()), validate=True)


def _wrong(found: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{error['path']}:{error['line']}: {error['kind']}" for error in found["errors"])


def _defaults(found: dict[str, Any]) -> Defaults:
    return Defaults(
        found["default_workflow_permissions"] != "read",
        bool(found["can_approve_pull_request_reviews"]),
    )
