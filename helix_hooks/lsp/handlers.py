"""The requests and notifications of a client, each passed to the server."""

from collections.abc import Iterable
from functools import partial

from lsprotocol import types

from ..editor.positions import TextRange
from ..paths import MARKDOWN, PYPROJECT, RULES_FILE, SETTINGS
from . import answers, values
from .request import EditorRequest
from .server import AdrLanguageServer

_WATCHED = (
    f"**/*{{{','.join(MARKDOWN)}}}",
    f"**/{SETTINGS}",
    f"**/{PYPROJECT}",
    f"**/{RULES_FILE}",
    "**/*baseline*",
)
_TRIGGERS = ["-", "#", " ", '"', "'", "[", ":"]
"""Characters after which a client requests completion."""


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
    def folders_changed(ls: AdrLanguageServer, _: types.DidChangeWorkspaceFoldersParams) -> None:
        for root in ls.roots():
            ls.forget_soon(root)


async def _watch(ls: AdrLanguageServer) -> None:
    """Register for changes of settings and ADRs on the disk, if the client supports it."""
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
        return await ls.answer(params.text_document.uri, partial(_hover, params.position))

    @made.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(
        ls: AdrLanguageServer, params: types.DefinitionParams
    ) -> types.Location | None:
        return await ls.answer(params.text_document.uri, partial(_definition, params.position))

    options = types.CompletionOptions(trigger_characters=_TRIGGERS)

    @made.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    async def completion(
        ls: AdrLanguageServer, params: types.CompletionParams
    ) -> types.CompletionList | None:
        return await ls.answer(params.text_document.uri, partial(_completion, params.position))

    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]

    @made.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds))
    async def code_action(
        ls: AdrLanguageServer, params: types.CodeActionParams
    ) -> list[types.CodeAction] | None:
        ability = values.Ability.of(ls.client_capabilities)
        return await ls.answer(params.text_document.uri, partial(_actions, params, ability))


def _hover(position: types.Position, request: EditorRequest) -> types.Hover | None:
    answer = answers.hover(request.project, request.path, request.place(position))
    if not answer:
        return None
    content = types.MarkupContent(kind=types.MarkupKind.Markdown, value=answer.markdown)
    return types.Hover(content, range=values.range_of(answer.range, request.text, request.encoding))


def _definition(position: types.Position, request: EditorRequest) -> types.Location | None:
    answer = answers.definition(request.project, request.path, request.place(position))
    if not answer:
        return None
    start = values.position_of(answer.position, answer.text, request.encoding)
    return types.Location(request.uri_of(answer.path), types.Range(start, start))


def _completion(position: types.Position, request: EditorRequest) -> types.CompletionList:
    place = request.place(position)
    proposals = answers.completion(request.project, request.path, place)
    items = [
        values.completion_item(item, number, place, request.text, request.encoding)
        for number, item in enumerate(proposals)
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def _actions(
    params: types.CodeActionParams, ability: values.Ability, request: EditorRequest
) -> list[types.CodeAction]:
    place = TextRange(request.place(params.range.start), request.place(params.range.end))
    only = params.context.only
    actions = []
    for answer in answers.actions(request.project, request.path, place):
        action = _action(answer, ability, request)
        if action and (not only or _is_among(str(action.kind), only)):
            actions.append(action)
    return actions


def _is_among(kind: str, only: Iterable[str]) -> bool:
    """Return whether a kind of action is one of `only`, or below one, as in `source.fixAll`."""
    return any(kind == other or kind.startswith(f"{other}.") for other in map(_plain, only))


def _plain(kind: str) -> str:
    # Some of lsprotocol's kinds are members of an enumeration, unknown ones are strings.
    if isinstance(kind, types.CodeActionKind):
        return kind.value
    return kind


def _action(
    item: answers.ActionAnswer, ability: values.Ability, request: EditorRequest
) -> types.CodeAction | None:
    """Return a code action; None if the client cannot apply it."""
    edit = values.workspace_edit(item.fix, ability, request)
    if not edit:
        return None
    if not item.finding:
        kind = types.CodeActionKind.SourceFixAll.value
        return types.CodeAction(item.fix.title, kind=kind, edit=edit)
    return types.CodeAction(
        item.fix.title,
        kind=types.CodeActionKind.QuickFix.value,
        diagnostics=[values.diagnostic(item.finding, request.text, request.encoding)],
        is_preferred=item.preferred or None,
        edit=edit,
    )
