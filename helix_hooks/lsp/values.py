"""Conversion of values to the types of the Language Server Protocol."""

from typing import NamedTuple, Self

from lsprotocol import types

from ..editor import diagnostics
from ..editor.completion import ID, KEY, SECTION, STATUS, Proposal
from ..editor.positions import BufferText, TextPosition, TextRange, buffer_text, units
from ..finding import Finding
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
    """Return a position in code units of the encoding."""
    column = units(text.line(place.line)[: place.column], encoding)
    return types.Position(line=place.line, character=column)


def range_of(place: TextRange, text: BufferText, encoding: str) -> types.Range:
    """Return a range in code units of the encoding."""
    start, end = (position_of(part, text, encoding) for part in place)
    return types.Range(start=start, end=end)


def diagnostic(finding: Finding, text: BufferText, encoding: str) -> types.Diagnostic:
    """Return a finding as a diagnostic of the protocol."""
    address = diagnostics.address_of(finding)
    return types.Diagnostic(
        range=range_of(diagnostics.range_of(finding, text), text, encoding),
        message=diagnostics.message_of(finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.check or None,
        code_description=types.CodeDescription(href=address) if address else None,
        source=diagnostics.SOURCE,
    )


def completion_item(
    proposal: Proposal, number: int, cursor: TextPosition, text: BufferText, encoding: str
) -> types.CompletionItem:
    """Return a proposal with its rank."""
    start = TextPosition(cursor.line, proposal.start)
    replaced = range_of(TextRange(start, cursor), text, encoding)
    return types.CompletionItem(
        label=proposal.label,
        kind=_KINDS[proposal.kind],
        detail=proposal.detail or None,
        filter_text=proposal.search or proposal.new,
        sort_text=f"{number:05}",  # clients sort by this text, so the digits are padded
        text_edit=types.TextEdit(range=replaced, new_text=proposal.new),
    )


class Ability(NamedTuple):
    """The edits that a client supports: with versions of documents, and renames of files."""

    versions: bool
    renames: bool

    @classmethod
    def of(cls, client: types.ClientCapabilities) -> Self:
        """Return the supported edits by the capabilities of a client."""
        edits = client.workspace.workspace_edit if client.workspace else None
        if not edits or not edits.document_changes:
            return cls(versions=False, renames=False)
        operations = edits.resource_operations or ()
        return cls(versions=True, renames=types.ResourceOperationKind.Rename in operations)


def workspace_edit(
    fix: Fix, ability: Ability, request: EditorRequest
) -> types.WorkspaceEdit | None:
    """Return the edits of a fix; None if the client does not support them.

    None also if a file can't be read.
    """
    if fix.renames and not ability.renames:
        return None
    edits: dict[str, list[types.TextEdit]] = {}
    for path in dict.fromkeys(edit.path for edit in fix.edits):
        items = _text_edits(fix, path, request)
        if items is None:
            return None
        edits[path] = items
    if not ability.versions:
        changes = {request.uri_of(path): items for path, items in edits.items()}
        return types.WorkspaceEdit(changes=changes)
    documents = [_document_edit(path, items, request) for path, items in edits.items()]
    # Edits first: they name the documents by their old paths.
    renames = [
        types.RenameFile(request.uri_of(item.path), request.uri_of(item.new_path))
        for item in fix.renames
    ]
    return types.WorkspaceEdit(document_changes=[*documents, *renames])


def _document_edit(
    path: str, items: list[types.TextEdit], request: EditorRequest
) -> types.TextDocumentEdit:
    identifier = types.OptionalVersionedTextDocumentIdentifier(
        uri=request.uri_of(path), version=request.version_of(path)
    )
    return types.TextDocumentEdit(text_document=identifier, edits=[*items])


def _text_edits(fix: Fix, path: str, request: EditorRequest) -> list[types.TextEdit] | None:
    """Return the edits of one file; None if it can't be read."""
    content = request.project.text(path)
    if content is None:
        return None
    text = buffer_text(content)
    items = []
    for edit in fix.edits:
        if edit.path == path:
            place = TextRange(text.position(edit.start), text.position(edit.end))
            items.append(types.TextEdit(range_of(place, text, request.encoding), edit.new))
    return items
