"""The open documents of an editor, by repository."""

import os

from pygls.uris import from_fs_path, to_fs_path, urlparse
from pygls.workspace import TextDocument

from ..records import NamedTuple
from ..repository.git import slashes


class OpenFile(NamedTuple):
    """An open document: address, path in its repository, version and text."""

    uri: str
    path: str
    version: int | None
    text: str

    @property
    def data(self) -> bytes:
        """Return the content as it would be on the disk."""
        return self.text.encode("utf-8", "surrogatepass")


class Root(NamedTuple):
    """The folder of a repository, or outside of git that of the editor."""

    folder: str
    is_repository: bool


def file_of(uri: str) -> str:
    """Return the absolute path of an address; "" of one that is no file."""
    if urlparse(uri)[0] != "file":
        return ""
    return os.path.abspath(to_fs_path(uri) or "")


def root_of(file: str, folders: list[str]) -> Root:
    """Return the repository of a file; outside of git the editor's folder around it, or its own."""
    folder = os.path.dirname(file)
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            around = [name for name in folders if file.startswith(os.path.join(name, ""))]
            return Root(max(around, key=len, default=os.path.dirname(file)), is_repository=False)
        folder = above
    return Root(folder, is_repository=True)


def path_in(root: str, file: str) -> str:
    """Return the path of a file in its repository."""
    return slashes(os.path.relpath(file, root))


def uri_in(root: str, path: str) -> str:
    """Return the address of a file of a repository."""
    return from_fs_path(os.path.join(root, path)) or ""


def opened_file(document: TextDocument, root: str) -> OpenFile:
    """Return an open document of a repository."""
    path = path_in(root, file_of(document.uri))
    return OpenFile(document.uri, path, document.version, document.source)
