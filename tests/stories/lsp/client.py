"""A client that starts the server as an editor does, and speaks with it over its streams."""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.conftest import Repository

PROGRAM = str(Path(sys.executable).parent / "helix-hooks")
_PATIENCE = 30
"""Seconds after which an answer counts as missing, also on a loaded machine."""


class Editor:
    """An editor with open documents, and what the server has published of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.client = LanguageClient("test", "1")
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.log: list[str] = []
        self.registered: list[str] = []
        self._news = asyncio.Event()
        self._versions: dict[str, int] = {}
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._take))
        self.client.feature(types.WINDOW_LOG_MESSAGE)(partial(self._logged))
        self.client.feature(types.CLIENT_REGISTER_CAPABILITY)(partial(self._register))

    def _take(self, params: types.PublishDiagnosticsParams) -> None:
        self.published[params.uri] = params
        self._news.set()

    def _logged(self, params: types.LogMessageParams) -> None:
        self.log.append(params.message)
        self._news.set()

    def _register(self, params: types.RegistrationParams) -> None:
        self.registered += [item.method for item in params.registrations]
        self._news.set()

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str, *, language: str = "markdown") -> None:
        self._versions[path] = 1
        item = types.TextDocumentItem(self.uri(path), language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def open_from_disk(self, path: str) -> str:
        text = (self.root / path).read_text(encoding="utf-8")
        self.open(path, text)
        return text

    def change(self, path: str, text: str) -> None:
        self._versions[path] += 1
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        identifier = types.VersionedTextDocumentIdentifier(
            uri=self.uri(path), version=self._versions[path]
        )
        params = types.DidChangeTextDocumentParams(identifier, changes)
        self.client.text_document_did_change(params)

    def close(self, path: str) -> None:
        identifier = types.TextDocumentIdentifier(self.uri(path))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    def save(self, path: str) -> None:
        identifier = types.TextDocumentIdentifier(self.uri(path))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(identifier))

    def changed_on_disk(self, path: str) -> None:
        event = types.FileEvent(self.uri(path), types.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so after a message of the server."""
        async with asyncio.timeout(_PATIENCE):
            while not is_so():
                self._news.clear()
                await self._news.wait()

    async def diagnostics(self, path: str, *, version: int | None = None) -> list[types.Diagnostic]:
        """Return the diagnostics of the present version of an open document."""
        wanted = version or self._versions.get(path)
        uri = self.uri(path)
        await self.until(
            lambda: uri in self.published and self.published[uri].version in (wanted, None)
        )
        return list(self.published[uri].diagnostics)

    async def until_codes(self, path: str, is_so: Callable[[set[str]], bool]) -> None:
        """Wait until the rules that are shown in a document fulfil a condition."""
        await self.until(lambda: is_so(self.codes(path)))

    def codes(self, path: str) -> set[str]:
        found = self.published.get(self.uri(path))
        return {str(item.code) for item in found.diagnostics} if found else set()

    async def hover(self, path: str, line: int, character: int) -> types.Hover | None:
        params = types.HoverParams(self._at(path), types.Position(line, character))
        return await self.client.text_document_hover_async(params)

    async def actions(
        self, path: str, line: int, only: Sequence[str] | None = None
    ) -> list[types.CodeAction]:
        place = types.Range(types.Position(line, 0), types.Position(line, 0))
        context = types.CodeActionContext(diagnostics=[], only=only)
        params = types.CodeActionParams(self._at(path), place, context)
        found = await self.client.text_document_code_action_async(params) or []
        return [item for item in found if isinstance(item, types.CodeAction)]

    def _at(self, path: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(path))


def capabilities(encodings: Sequence[str] | None = ("utf-16",)) -> types.ClientCapabilities:
    """Return what an editor of today can do."""
    watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=encodings),
        workspace=types.WorkspaceClientCapabilities(
            did_change_watched_files=watching,
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        ),
    )


@asynccontextmanager
async def editor(
    root: Path,
    *folders: Path,
    able: types.ClientCapabilities | None = None,
    cwd: Path | None = None,
) -> AsyncIterator[Editor]:
    """Start the server in a folder, and end it as an editor does."""
    made = Editor(root)
    await made.client.start_io(PROGRAM, "lsp", cwd=str(cwd or root), env={**os.environ})
    places = [types.WorkspaceFolder(place.as_uri(), place.name) for place in (root, *folders)]
    params = types.InitializeParams(
        capabilities=able or capabilities(), root_uri=root.as_uri(), workspace_folders=places
    )
    await made.client.initialize_async(params)
    made.client.initialized(types.InitializedParams())
    try:
        yield made
    finally:
        await made.client.shutdown_async(None)
        made.client.exit(None)
        await made.client.stop()  # type: ignore[no-untyped-call]


def applied(text: str, edit: types.WorkspaceEdit, uri: str) -> str:
    """Return the text of a document after an edit; characters are counted in UTF-16."""
    items: list[types.TextEdit] = []
    for change in edit.document_changes or ():
        if isinstance(change, types.TextDocumentEdit) and change.text_document.uri == uri:
            items += [item for item in change.edits if isinstance(item, types.TextEdit)]
    rows = text.split("\n")
    for item in sorted(items, key=lambda item: _key(item.range.start), reverse=True):
        start, end = (_offset(rows, place) for place in (item.range.start, item.range.end))
        text = f"{text[:start]}{item.new_text}{text[end:]}"
    return text


def _key(place: types.Position) -> tuple[int, int]:
    return place.line, place.character


def _offset(rows: list[str], place: types.Position) -> int:
    units = (
        rows[place.line].encode("utf-16-le")[: place.character * 2]
        if place.line < len(rows)
        else b""
    )
    return sum(len(row) + 1 for row in rows[: place.line]) + len(units.decode("utf-16-le"))


def copied(repository: Repository, source: Path) -> None:
    """Copy a folder of files into a repository, and commit it."""
    shutil.copytree(source, repository.root, dirs_exist_ok=True)
    repository.git("add", "--all")
    repository.commit()
