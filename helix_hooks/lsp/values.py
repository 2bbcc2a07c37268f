"""Our values in the types of the Language Server Protocol."""

from typing import NamedTuple, Self

from lsprotocol import types

from ..editor.completion import ID, KEY, SECTION, STATUS, Proposal
from ..editor.diagnostics import SOURCE, EditorDiagnostic
from ..editor.positions import BufferText, TextPosition, TextRange, buffer_text, units
from ..fixes.edit import Fix
from .request import EditorRequest

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


def position_of(place: TextPosition, text: BufferText, encoding: str) -> types.Position:
    """Return a position in code units."""
    column = units(text.line(place.line)[: place.column], encoding)
    return types.Position(line=place.line, character=column)


def range_of(place: TextRange, text: BufferText, encoding: str) -> types.Range:
    """Return a range in code units."""
    start, end = (position_of(part, text, encoding) for part in place)
    return types.Range(start=start, end=end)


def diagnostic(item: EditorDiagnostic, text: BufferText, encoding: str) -> types.Diagnostic:
    """Return a diagnostic of the protocol."""
    address = types.CodeDescription(href=item.address) if item.address else None
    return types.Diagnostic(
        range=range_of(item.range, text, encoding),
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
    replaced = range_of(TextRange(start, cursor), text, encoding)
    return types.CompletionItem(
        label=proposal.label,
        kind=_KINDS[proposal.kind],
        detail=proposal.detail or None,
        filter_text=proposal.search or proposal.new,
        sort_text=f"{number:05}",
        text_edit=types.TextEdit(range=replaced, new_text=proposal.new),
    )


class Ability(NamedTuple):
    """The kinds of edits that a client applies: with versions of documents, renames of files."""

    versions: bool
    renames: bool

    @classmethod
    def of(cls, client: types.ClientCapabilities) -> Self:
        """Return the capabilities of a client."""
        workspace = client.workspace
        edits = workspace.workspace_edit if workspace else None
        operations = edits.resource_operations if edits else None
        has_versions = bool(edits and edits.document_changes)
        renames = types.ResourceOperationKind.Rename in (operations or ())
        return cls(has_versions, has_versions and renames)


def workspace_edit(fix: Fix, able: Ability, asked: EditorRequest) -> types.WorkspaceEdit | None:
    """Return the edits of a fix; None where the client or a file does not allow them."""
    paths = dict.fromkeys(edit.path for edit in fix.edits)
    edits = {path: _text_edits(fix, path, asked) for path in paths}
    if (fix.renames and not able.renames) or None in edits.values():
        return None
    found = {path: items or [] for path, items in edits.items()}
    if not able.versions:
        changes = {asked.uri_of(path): items for path, items in found.items()}
        return types.WorkspaceEdit(changes=changes)
    return types.WorkspaceEdit(
        document_changes=[
            *(_document_edit(path, items, asked) for path, items in found.items()),
            *(
                types.RenameFile(asked.uri_of(item.path), asked.uri_of(item.new_path))
                for item in fix.renames
            ),
        ]
    )


def _document_edit(
    path: str, items: list[types.TextEdit], asked: EditorRequest
) -> types.TextDocumentEdit:
    identifier = types.OptionalVersionedTextDocumentIdentifier(
        uri=asked.uri_of(path), version=asked.version_of(path)
    )
    return types.TextDocumentEdit(text_document=identifier, edits=[*items])


def _text_edits(fix: Fix, path: str, asked: EditorRequest) -> list[types.TextEdit] | None:
    """Return the edits of one file; None if it can't be read."""
    content = asked.project.text(path)
    if content is None:
        return None
    text = buffer_text(content)
    return [
        types.TextEdit(
            range_of(
                TextRange(text.position(edit.start), text.position(edit.end)), text, asked.encoding
            ),
            edit.new,
        )
        for edit in fix.edits
        if edit.path == path
    ]
