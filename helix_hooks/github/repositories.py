"""The repositories of an owner on GitHub."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..errors import UsageError
from . import fetch

if TYPE_CHECKING:
    from github.Repository import Repository

_OWNED = {"affiliation": "owner"}
_NOT_A_PERSON = (401, 403)
"""Status codes for a token that is not valid, and for that of an App or a workflow."""


def of_owner(repository: "Repository", owner: str) -> tuple[str, ...]:
    """Fetch the names of an owner's repositories that this token may read and that are in use.

    Of an organisation these are all, of the token's own user too, and of another user the public
    ones. Any repository gives the connection. Raises UsageError for an unknown owner.
    """
    name = quote(owner, safe="")
    if _is_own(repository, owner):
        return _used(fetch.listed_at(repository, f"{_api(repository)}/user/repos", **_OWNED))
    for path in (f"/orgs/{name}/repos", f"/users/{name}/repos"):
        found = _listed(repository, path)
        if found is not None:
            return found
    raise UsageError(f"GitHub knows no user and no organisation {owner!r}, or the token may not")


def _is_own(repository: "Repository", owner: str) -> bool:
    """Return whether the token is that of the owner; a token of a workflow is nobody's."""
    from github import GithubException

    address = f"{_api(repository)}/user"
    try:
        found: object = repository.requester.requestJsonAndCheck("GET", address)[1]
    except GithubException as error:
        if error.status not in _NOT_A_PERSON:
            raise
        return False
    login = found.get("login") if isinstance(found, dict) else ""
    return isinstance(login, str) and login.casefold() == owner.casefold()


def _listed(repository: "Repository", path: str) -> tuple[str, ...] | None:
    """Return the names in a list, None where there is no such list."""
    from github import GithubException

    try:
        return _used(fetch.listed_at(repository, f"{_api(repository)}{path}"))
    except GithubException as error:
        if error.status != 404:
            raise
        return None


def _used(items: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    used = (item for item in items if not (item.get("archived") or item.get("disabled")))
    return tuple(str(item["full_name"]) for item in used)


def _api(repository: "Repository") -> str:
    return repository.url.partition("/repos/")[0]
