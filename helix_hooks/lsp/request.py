"""A request on an open document, with the state that answers it."""

from typing import NamedTuple

from lsprotocol import types

from ..editor.positions import BufferText, TextPosition, column_of
from .buffers import OpenFile, uri_in
from .project import Project


class EditorRequest(NamedTuple):
    """A document of a repository as it was when the client asked; `opened` are all open ones."""

    project: Project
    path: str
    text: BufferText
    opened: list[OpenFile]
    encoding: str

    def place(self, position: types.Position) -> TextPosition:
        """Return a position of the client in characters."""
        line = self.text.line(position.line)
        return TextPosition(position.line, column_of(line, position.character, self.encoding))

    def uri_of(self, path: str) -> str:
        """Return the address of a file, as the client spells it if it is open."""
        known = (item.uri for item in self.opened if item.path == path)
        return next(known, "") or uri_in(self.project.root, path)

    def version_of(self, path: str) -> int | None:
        """Return the version of an open document; None of a file on the disk."""
        return next((item.version for item in self.opened if item.path == path), None)
