"""The open documents of an editor, by repository."""

import os
from typing import NamedTuple

from pygls.uris import from_fs_path, to_fs_path, urlparse
from pygls.workspace import TextDocument

from ..git import slashes


class OpenFile(NamedTuple):
    """An open document: URI, path in its repository, version and text."""

    uri: str
    path: str
    version: int | None
    text: str

    @property
    def data(self) -> bytes:
        """The content as it would be on the disk."""
        return self.text.encode("utf-8", "surrogatepass")


class Root(NamedTuple):
    """The folder of a repository; outside git, a folder of the editor."""

    folder: str
    is_repository: bool


def file_of(uri: str) -> str:
    """Return the absolute path of a URI; "" if it is not the URI of a file."""
    if urlparse(uri)[0] != "file":
        return ""
    return os.path.abspath(to_fs_path(uri) or "")


def root_of(file: str, folders: list[str]) -> Root:
    """Return the repository of a file.

    Outside git, it is the editor's innermost folder with the file, or else the file's folder.
    """
    own_folder = os.path.dirname(file)
    folder = own_folder
    # `.git` is a folder in a clone, and a file in a linked work tree or a submodule.
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            around = [name for name in folders if file.startswith(os.path.join(name, ""))]
            return Root(max(around, key=len, default=own_folder), is_repository=False)
        folder = parent
    return Root(folder, is_repository=True)


def path_in(root: str, file: str) -> str:
    """Return the path of a file in its repository."""
    return slashes(os.path.relpath(file, root))


def uri_in(root: str, path: str) -> str:
    """Return the URI of a file of a repository."""
    return from_fs_path(os.path.join(root, path)) or ""


def opened_file(document: TextDocument, root: str) -> OpenFile:
    """Return an open document of a repository."""
    path = path_in(root, file_of(document.uri))
    return OpenFile(document.uri, path, document.version, document.source)
