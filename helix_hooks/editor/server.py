"""The protocol of the language server, and its loop.

One thread reads repositories and checks, so that the loop can answer the protocol meanwhile.
"""

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from cattrs.errors import BaseValidationError
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage

from .. import __version__
from ..errors import HelixError
from ..paths import MARKDOWN, PYPROJECT, RULES_FILE, SETTINGS
from ..text.sanitize import printable
from .actions import ALL, QUICK, actions
from .diagnostics import diagnostics, not_checked
from .hover import hover
from .project import OpenFile, Project, Root, file_of, open_file, root_of

if TYPE_CHECKING:
    from ..config.settings import Settings

_PAUSE = 0.15
"""Seconds without a change after which the open ADRs are checked."""
_SHORT_PAUSE = 0.05
"""Seconds to wait for further files after one was changed on the disk."""
_WATCHED = (
    f"**/*{{{','.join(MARKDOWN)}}}",
    f"**/{SETTINGS}",
    f"**/{PYPROJECT}",
    f"**/{RULES_FILE}",
    "**/*baseline*",
)

_AT_ONCE = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_SAVE,
    types.TEXT_DOCUMENT_DID_CLOSE,
)
"""Notifications after which the open ADRs are checked without a pause."""
DocumentParams = (
    types.DidOpenTextDocumentParams
    | types.DidSaveTextDocumentParams
    | types.DidCloseTextDocumentParams
    | types.DidChangeTextDocumentParams
)

_log = logging.getLogger(__name__)
Value = TypeVar("Value")


class AnsweringProtocol(LanguageServerProtocol):
    """A protocol that answers an invalid request with an error, so that no client waits for ever.

    A notification that can't be read is ignored, since no client expects an answer.
    """

    def structure_message(self, data: dict[str, Any]) -> object:
        """Return a message as a value of the protocol; None if it is invalid."""
        if "jsonrpc" not in data or "method" not in data:
            return super().structure_message(data)
        number = data.get("id")
        generic = JsonRPCNotification if number is None else JsonRPCRequestMessage
        kind = self.get_message_type(str(data["method"])) or generic
        try:
            return self._converter.structure({"params": None, **data}, kind)
        except BaseValidationError:
            _log.error("%s has invalid params", printable(str(data["method"])))
            if isinstance(number, int | str):
                self._send_response(number, error=JsonRpcInvalidParams().to_response_error())
            return None

    def handle_message(self, message: Any) -> None:
        """Pass a valid message on."""
        if message is not None:
            super().handle_message(message)


class AdrServer(LanguageServer):
    """A server for the open ADRs of some repositories."""

    def __init__(self) -> None:
        super().__init__(
            "helix-hooks",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=AnsweringProtocol,
        )
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="adrs")
        self._checks: dict[Root, asyncio.Task[None]] = {}
        self._published: dict[Root, set[str]] = {}
        self._logged: dict[Root, str] = {}
        # The last valid ones, used by the worker only.
        self._settings: dict[Root, Settings] = {}

    def root(self, uri: str) -> Root | None:
        """Return the repository of a document; None if it is not a file."""
        file = file_of(uri)
        if not file:
            return None
        folders = [file_of(folder.uri) for folder in self.workspace.folders.values()]
        return root_of(file, [folder for folder in folders if folder])

    def roots(self) -> set[Root]:
        """Return the repositories of all open documents."""
        roots = {self.root(uri) for uri in self.workspace.text_documents}
        return {root for root in roots if root}

    def _opened(self, root: Root) -> list[OpenFile]:
        documents = list(self.workspace.text_documents.values())
        return [
            open_file(root, item.uri, item.version, item.source)
            for item in documents
            if self.root(item.uri) == root
        ]

    def check_soon(self, root: Root | None, pause: float = 0) -> None:
        """Check the open ADRs of a repository after a pause, with what is open then.

        A check that has not ended yet is dropped: its texts are old.
        """
        if root:
            if root in self._checks:
                self._checks[root].cancel()
            loop = asyncio.get_running_loop()
            self._checks[root] = loop.create_task(self._check(root, pause))

    async def _check(self, root: Root, pause: float) -> None:
        """Publish the diagnostics of open files, and remove those of files that have none now."""
        await asyncio.sleep(pause)
        opened = self._opened(root)
        try:
            shown, broken = await self._work(root, opened, _diagnostics)
        except HelixError as error:
            shown, broken = not_checked(opened, str(error)), ""
        except Exception as error:  # noqa: BLE001 -- the next check may succeed
            _log.exception("a check failed")
            self._say(types.MessageType.Error, f"internal error: {type(error).__name__}: {error}")
            return
        if broken and broken != self._logged.get(root):
            self._say(types.MessageType.Warning, broken)
        self._logged[root] = broken
        gone = self._published.get(root, set()) - shown.keys()
        self._published[root] = set(shown)
        versions = {file.uri: file.version for file in opened}
        for uri, items in {**{uri: [] for uri in gone}, **shown}.items():
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, items, versions.get(uri))
            )

    async def answer(self, uri: str, function: Callable[[Project, str], Value]) -> Value | None:
        """Return the result of a function of an open document; None if it is not an open file."""
        root = self.root(uri)
        opened = self._opened(root) if root else []
        path = next((file.path for file in opened if file.uri == uri), None)
        if not root or path is None:
            return None
        try:
            return await self._work(root, opened, lambda project: function(project, path))
        except HelixError as error:
            self._say(types.MessageType.Error, str(error))
            return None

    async def _work(
        self, root: Root, opened: list[OpenFile], function: Callable[[Project], Value]
    ) -> Value:
        """Return the result of a function of a repository, computed by the worker."""
        # pygls gives a text or a member of an enumeration, which are equal but printed differently.
        encoding = types.PositionEncodingKind(self.workspace.position_encoding or "utf-16").value

        def compute() -> Value:
            former = self._settings.get(root)
            with closing(Project(root, opened, encoding, former)) as project:
                if project.settings:
                    self._settings[root] = project.settings
                return function(project)

        return await asyncio.get_running_loop().run_in_executor(self._worker, compute)

    def _say(self, kind: types.MessageType, message: str) -> None:
        """Write a line into the client's log."""
        self.window_log_message(types.LogMessageParams(type=kind, message=printable(message)))

    def end(self) -> None:
        """Cancel the tasks of the worker that have not started."""
        self._worker.shutdown(wait=False, cancel_futures=True)


def _diagnostics(project: Project) -> tuple[dict[str, list[types.Diagnostic]], str]:
    """Return the diagnostics by URI, and the error in the settings ("" without one)."""
    return diagnostics(project), str(project.broken or "")


def server() -> AdrServer:
    """Return a server with all its handlers."""
    made = AdrServer()
    made.feature(types.INITIALIZED)(_watch)
    for method in _AT_ONCE:
        made.feature(method)(partial(_check_document, pause=0))
    made.feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(_check_document, pause=_PAUSE))
    made.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_check_changed)
    made.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_check_all)
    made.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    kinds = types.CodeActionOptions([QUICK, ALL])
    made.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_code_actions)
    return made


async def _watch(ls: AdrServer, _: types.InitializedParams) -> None:
    """Register for changes of settings and ADRs on the disk, if the client supports it."""
    workspace = ls.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if not watching or not watching.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(glob_pattern=glob) for glob in _WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    registration = types.Registration(id="files", method=method, register_options=options)
    await ls.client_register_capability_async(types.RegistrationParams([registration]))


def _check_document(ls: AdrServer, params: DocumentParams, *, pause: float) -> None:
    ls.check_soon(ls.root(params.text_document.uri), pause)


def _check_changed(ls: AdrServer, params: types.DidChangeWatchedFilesParams) -> None:
    for root in {ls.root(change.uri) for change in params.changes} & ls.roots():
        ls.check_soon(root, _SHORT_PAUSE)


def _check_all(ls: AdrServer, _: types.DidChangeWorkspaceFoldersParams) -> None:
    for root in ls.roots():
        ls.check_soon(root)


async def _hover(ls: AdrServer, params: types.HoverParams) -> types.Hover | None:
    uri = params.text_document.uri
    return await ls.answer(uri, lambda project, path: hover(project, path, params.position))


async def _code_actions(
    ls: AdrServer, params: types.CodeActionParams
) -> list[types.CodeAction] | None:
    workspace = ls.client_capabilities.workspace
    edits = workspace.workspace_edit if workspace else None
    has_versions = bool(edits and edits.document_changes)
    return await ls.answer(
        params.text_document.uri,
        lambda project, path: actions(project, path, params, has_versions=has_versions),
    )


def serve() -> int:
    """Answer the client on stdin until it ends the server or disconnects. Return the exit code."""
    gc.enable()  # the command line disables it, because other commands are short
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR, format="helix-hooks: %(message)s")
    # A print of a library would break the protocol, so its descriptor becomes stderr.
    protocol = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    made = server()
    try:
        made.start_io(sys.stdin.buffer, protocol)
    finally:
        made.end()
    return 0
