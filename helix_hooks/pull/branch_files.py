"""List the files of branches, with one request for each branch.

GitHub cuts the list of a very large tree. Then the folder in question is listed by itself: a cut
list is no evidence that a file is absent.
"""

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..errors import HelixError
from .reading import answer

if TYPE_CHECKING:
    from github.Repository import Repository


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
