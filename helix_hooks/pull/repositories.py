"""The repositories of an owner on GitHub."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..errors import UsageError
from .client import text_field
from .reading import listed_at

if TYPE_CHECKING:
    from github.Repository import Repository

_OWNED = {"affiliation": "owner"}
_NOT_A_PERSON = (401, 403)
"""Status codes for a token that is not valid, and for that of an App or a workflow."""


def of_owner(repository: "Repository", owner: str) -> tuple[str, ...]:
    """Fetch the names of an owner's repositories, without archived and disabled ones.

    These are all that the token may read; of another user than its own, only public ones. The
    repository in the arguments only gives the connection.

    Raises:
        UsageError: GitHub knows no such owner, or does not show it to the token.
    """
    name = quote(owner, safe="")
    if _is_own(repository, owner):
        return _used(listed_at(repository, f"{_api(repository)}/user/repos", **_OWNED))
    for path in (f"/orgs/{name}/repos", f"/users/{name}/repos"):
        names = _listed(repository, path)
        if names is not None:
            return names
    raise UsageError(f"there is no user or organisation {owner!r}, or the token cannot see it")


def _is_own(repository: "Repository", owner: str) -> bool:
    """Return whether the token belongs to the owner; the token of a workflow belongs to no user."""
    from github import GithubException

    address = f"{_api(repository)}/user"
    try:
        answer: object = repository.requester.requestJsonAndCheck("GET", address)[1]
    except GithubException as error:
        if error.status not in _NOT_A_PERSON:
            raise
        return False
    return text_field(answer, "login").casefold() == owner.casefold()


def _listed(repository: "Repository", path: str) -> tuple[str, ...] | None:
    """Return the names in a list; None if there is no such list."""
    from github import GithubException

    try:
        return _used(listed_at(repository, f"{_api(repository)}{path}"))
    except GithubException as error:
        if error.status != 404:
            raise
        return None


def _used(items: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    used = (item for item in items if not (item.get("archived") or item.get("disabled")))
    return tuple(str(item["full_name"]) for item in used)


def _api(repository: "Repository") -> str:
    return repository.url.partition("/repos/")[0]
