"""The requests and notifications of a client, each passed on to the server."""

from lsprotocol import types

from ..paths import PYPROJECT, RULES_FILE, SETTINGS
from . import answers, values
from .buffers import Root, file_of
from .project import Project
from .server import AdrLanguageServer, place_of, range_of
from ..editor.positions import BufferText, TextPosition, TextRange

_WATCHED = ("**/*.md", f"**/{SETTINGS}", f"**/{PYPROJECT}", f"**/{RULES_FILE}", "**/*baseline*")
_TRIGGERS = ["-", "#", " ", '"', "'", "[", ":"]
"""Characters behind which a client asks for completion."""


def server() -> AdrLanguageServer:
    """Return a server with all its handlers."""
    made = AdrLanguageServer()
    _notifications(made)
    _requests(made)
    return made


def _notifications(made: AdrLanguageServer) -> None:
    @made.feature(types.INITIALIZED)
    async def initialized(ls: AdrLanguageServer, _: types.InitializedParams) -> None:
        await _watch(ls)

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: AdrLanguageServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.forget_soon(ls.root(params.text_document.uri))

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: AdrLanguageServer, params: types.DidChangeTextDocumentParams) -> None:
        ls.check_soon(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: AdrLanguageServer, params: types.DidSaveTextDocumentParams) -> None:
        ls.forget_soon(ls.root(params.text_document.uri))

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: AdrLanguageServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)

    @made.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: AdrLanguageServer, params: types.DidChangeWatchedFilesParams) -> None:
        concerned = {ls.root(change.uri) for change in params.changes}
        for root in concerned & ls.roots():
            ls.forget_soon(root, pause=0.05)

    @made.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(
        ls: AdrLanguageServer, _: types.DidChangeWorkspaceFoldersParams
    ) -> None:
        for root in ls.roots():
            ls.forget_soon(root)


async def _watch(ls: AdrLanguageServer) -> None:
    """Ask the client to say when settings or ADRs change on the disk, if it can."""
    workspace = ls.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if not watching or not watching.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(glob_pattern=glob) for glob in _WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    registration = types.Registration(
        id="files", method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=options
    )
    await ls.client_register_capability_async(
        types.RegistrationParams(registrations=[registration])
    )


def _requests(made: AdrLanguageServer) -> None:
    @made.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: AdrLanguageServer, params: types.HoverParams) -> types.Hover | None:
        def answer(project: Project, path: str, text: BufferText) -> types.Hover | None:
            place = place_of(params.position, text, ls)
            found = answers.hover(project, path, place)
            if not found:
                return None
            content = types.MarkupContent(kind=types.MarkupKind.Markdown, value=found.markdown)
            return types.Hover(content, range=values.range_(found.range, text, ls.encoding))

        return await ls.asked(params.text_document.uri, answer)

    @made.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(
        ls: AdrLanguageServer, params: types.DefinitionParams
    ) -> types.Location | None:
        def answer(project: Project, path: str, text: BufferText) -> types.Location | None:
            found = answers.definition(project, path, place_of(params.position, text, ls))
            if not found:
                return None
            start = values.position(found.position, found.text, ls.encoding)
            uri = values.uri_of(project.root, found.path)
            return types.Location(uri, types.Range(start, start))

        return await ls.asked(params.text_document.uri, answer)

    @made.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS)
    )
    async def completion(
        ls: AdrLanguageServer, params: types.CompletionParams
    ) -> types.CompletionList | None:
        def answer(project: Project, path: str, text: BufferText) -> types.CompletionList:
            place = place_of(params.position, text, ls)
            found = answers.completion(project, path, place)
            items = [
                values.completion_item(item, number, place, text, ls.encoding)
                for number, item in enumerate(found)
            ]
            return types.CompletionList(is_incomplete=False, items=items)

        return await ls.asked(params.text_document.uri, answer)

    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]

    @made.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds)
    )
    async def code_action(
        ls: AdrLanguageServer, params: types.CodeActionParams
    ) -> list[types.CodeAction] | None:
        def answer(project: Project, path: str, text: BufferText) -> list[types.CodeAction]:
            place = range_of(params.range, text, ls)
            found = answers.actions(project, path, place)
            made = (_action(ls, project, item, text) for item in found)
            return [item for item in made if item and _is_wanted(item, params.context.only)]

        return await ls.asked(params.text_document.uri, answer)


def _action(
    ls: AdrLanguageServer, project: Project, item: answers.ActionAnswer, text: BufferText
) -> types.CodeAction | None:
    """Return a code action; None if the client cannot apply it."""
    edit = _encoder(ls, project)(item)
    if not edit:
        return None
    if not item.finding:
        return types.CodeAction(item.fix.title, kind=types.CodeActionKind.SourceFixAll, edit=edit)
    shown = answers.shown(item.finding, text)
    return types.CodeAction(
        item.fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[values.diagnostic(shown, text, ls.encoding)],
        is_preferred=item.preferred or None,
        edit=edit,
    )
