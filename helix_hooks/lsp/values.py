"""Our values in the types of the Language Server Protocol."""

import os
from collections.abc import Callable, Iterable

from lsprotocol import types
from pygls.uris import from_fs_path

from ..editor.completion import ID, KEY, SECTION, STATUS, Proposal
from ..editor.diagnostics import SOURCE, EditorDiagnostic
from ..editor.positions import BufferText, TextPosition, TextRange, buffer_text, column_of, units
from ..fixes.edit import Fix

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
_KINDS = {
    ID: types.CompletionItemKind.Reference,
    KEY: types.CompletionItemKind.Property,
    SECTION: types.CompletionItemKind.Class,
    STATUS: types.CompletionItemKind.EnumMember,
}


def position(place: TextPosition, text: BufferText, encoding: str) -> types.Position:
    """Return a position in code units."""
    column = units(text.line(place.line)[: place.column], encoding)
    return types.Position(line=place.line, character=column)


def range_(place: TextRange, text: BufferText, encoding: str) -> types.Range:
    """Return a range in code units."""
    start, end = (position(part, text, encoding) for part in place)
    return types.Range(start=start, end=end)


def place_of(asked: types.Position, text: BufferText, encoding: str) -> TextPosition:
    """Return a position of the client in characters."""
    return TextPosition(
        asked.line, column_of(text.line(asked.line), asked.character, encoding)
    )


def uri_of(root: str, path: str) -> str:
    """Return the address of a file of a repository."""
    return from_fs_path(os.path.join(root, path)) or ""


def diagnostic(item: EditorDiagnostic, text: BufferText, encoding: str) -> types.Diagnostic:
    """Return a diagnostic of the protocol."""
    address = types.CodeDescription(href=item.address) if item.address else None
    return types.Diagnostic(
        range=range_(item.range, text, encoding),
        message=item.message,
        severity=_SEVERITIES[item.severity],
        code=item.code or None,
        code_description=address,
        source=SOURCE,
    )


def completion_item(
    proposal: Proposal, number: int, cursor: TextPosition, text: BufferText, encoding: str
) -> types.CompletionItem:
    """Return a proposal with its rank, which clients sort by."""
    start = TextPosition(cursor.line, proposal.start)
    replaced = range_(TextRange(start, cursor), text, encoding)
    return types.CompletionItem(
        label=proposal.label,
        kind=_KINDS[proposal.kind],
        detail=proposal.detail or None,
        filter_text=proposal.search or proposal.new,
        sort_text=f"{number:05}",
        text_edit=types.TextEdit(range=replaced, new_text=proposal.new),
    )


class Encoder:
    """Edits of a repository's files in the types of the protocol."""

    def __init__(
        self,
        root: str,
        encoding: str,
        text_of: Callable[[str], str | None],
        version_of: Callable[[str], int | None],
        *,
        renames: bool,
    ) -> None:
        self._root, self._encoding, self._renames = root, encoding, renames
        self._text_of, self._version_of = text_of, version_of

    def workspace_edit(self, fix: Fix) -> types.WorkspaceEdit | None:
        """Return the edits of a fix; None where the client or a file does not allow them."""
        if fix.renames and not self._renames:
            return None
        changes: list[
            types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile
        ] = []
        for path in dict.fromkeys(edit.path for edit in fix.edits):
            edits = self._edits(fix, path)
            if edits is None:
                return None
            identifier = types.OptionalVersionedTextDocumentIdentifier(
                uri=uri_of(self._root, path), version=self._version_of(path)
            )
            changes.append(types.TextDocumentEdit(text_document=identifier, edits=edits))
        for rename in fix.renames:
            old, new = uri_of(self._root, rename.path), uri_of(self._root, rename.new_path)
            changes.append(types.RenameFile(old_uri=old, new_uri=new))
        return types.WorkspaceEdit(document_changes=changes)

    def plain_edit(self, fix: Fix) -> types.WorkspaceEdit | None:
        """Return the edits of a fix for clients that know no versions of documents."""
        paths = dict.fromkeys(edit.path for edit in fix.edits)
        found = {path: self._edits(fix, path) for path in paths}
        if fix.renames or None in found.values():
            return None
        return types.WorkspaceEdit(
            changes={uri_of(self._root, path): list(edits or ()) for path, edits in found.items()}
        )

    def _edits(self, fix: Fix, path: str) -> list[types.TextEdit] | None:
        content = self._text_of(path)
        if content is None:
            return None
        text = buffer_text(content)
        return [
            types.TextEdit(
                range=range_(
                    TextRange(text.position(edit.start), text.position(edit.end)),
                    text,
                    self._encoding,
                ),
                new_text=edit.new,
            )
            for edit in fix.edits
            if edit.path == path
        ]


def locations(targets: Iterable[tuple[str, types.Range]]) -> list[types.Location]:
    """Return locations from addresses and ranges."""
    return [types.Location(uri=uri, range=place) for uri, place in targets]
