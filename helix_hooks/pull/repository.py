"""Files of branches, and the other repositories of an owner.

GitHub cuts the list of a very large tree. Then the folder in question is listed by itself: a cut
list is no evidence that a file is absent.
"""

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..errors import HelixError, UsageError
from .client import answer, listed_at, one, text_field

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


class ListedBranches:
    """The paths of files on branches; each branch is fetched once."""

    def __init__(self, repository: "Repository") -> None:
        self._repository = repository
        self._branches: dict[str, tuple[frozenset[str], bool]] = {}
        self._folders: dict[tuple[str, str], frozenset[str]] = {}

    def below(self, branch: str, folder: str) -> frozenset[str]:
        """Return the paths of all files below a folder of a branch; "" is the root.

        Raises:
            HelixError: GitHub does not list all of them.
        """
        if branch not in self._branches:
            entries, is_cut = self._tree(branch, "?recursive=1")
            self._branches[branch] = _files(entries, ""), is_cut
        paths, is_cut = self._branches[branch]
        if is_cut:
            if (branch, folder) not in self._folders:
                self._folders[branch, folder] = self._of_folder(branch, folder)
            paths = self._folders[branch, folder]
        prefix = f"{folder}/" if folder else ""
        return frozenset(path for path in paths if path.startswith(prefix))

    def _of_folder(self, branch: str, folder: str) -> frozenset[str]:
        """Return the files of a folder, found from the root of the branch."""
        tree = branch
        for part in filter(None, folder.split("/")):
            entries, is_cut = self._tree(tree, "")
            shas = [str(item["sha"]) for item in entries if item["path"] == part]
            if not shas and not is_cut:
                return frozenset()
            if not shas:
                raise _cut(branch, folder)
            tree = shas[0]
        entries, is_cut = self._tree(tree, "?recursive=1")
        if is_cut:
            raise _cut(branch, folder)
        return _files(entries, f"{folder}/" if folder else "")

    def _tree(self, name: str, query: str) -> tuple[list[dict[str, Any]], bool]:
        """Fetch the entries of a tree, and whether GitHub has cut them."""
        path = f"/git/trees/{quote(name, safe='')}{query}"
        data = answer(self._repository, path, "tree")[1]
        return data["tree"], bool(data["truncated"])


def _files(entries: list[dict[str, Any]], prefix: str) -> frozenset[str]:
    return frozenset(f"{prefix}{item['path']}" for item in entries if item["type"] == "blob")


def _cut(branch: str, folder: str) -> HelixError:
    where = f"{folder} on {branch}" if folder else branch
    return HelixError(
        f"GitHub does not list all files of {where}, so the ids of ADRs were not compared"
    )


MOST_BYTES = 300_000
"""Maximum size of a text that a person reads; GitHub sends files of up to 1 MB."""


def text_at(repository: "Repository", path: str, commit: str) -> str | None:
    """Fetch the text of a file at a commit.

    Return "" if there is no file, and None for a folder, a link or a file of more than 300 kB.

    Raises:
        HelixError: The content is not valid base64.
    """
    from github import GithubException

    place = quote(path, errors="surrogateescape")
    try:
        answer: object = one(repository, f"/contents/{place}?ref={quote(commit)}")
    except GithubException as error:
        if error.status != 404:
            raise
        return ""
    if not isinstance(answer, dict) or answer.get("encoding") != "base64":
        return None
    try:
        data = base64.b64decode(text_field(answer, "content"))
    except binascii.Error:
        raise HelixError(f"{path}: GitHub sent invalid base64") from None
    if len(data) > MOST_BYTES:
        return None
    return data.decode(errors="replace")
