"""A request about an open document, with the state from which it is answered."""

from typing import NamedTuple

from lsprotocol import types

from ..editor.positions import BufferText, TextPosition, column_of
from .buffers import OpenFile, uri_in
from .project import Project


class EditorRequest(NamedTuple):
    """A document of a repository at the time of the request. `opened` are all open documents."""

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
        """Return the URI of a file; that of an open file as the client spells it."""
        for file in self.opened:
            if file.path == path and file.uri:
                return file.uri
        return uri_in(self.project.root, path)

    def version_of(self, path: str) -> int | None:
        """Return the version of an open document; None for a file on the disk."""
        return next((item.version for item in self.opened if item.path == path), None)
