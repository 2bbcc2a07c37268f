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
from typing import Any, TypeVar

from cattrs.errors import BaseValidationError
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage

from .. import __version__
from ..errors import HelixError
from ..paths import MARKDOWN, PYPROJECT, RULES_FILE, SETTINGS
from ..text import printable
from .actions import QUICK, actions
from .diagnostics import diagnostics, not_checked
from .hover import hover
from .project import OpenFile, Project, open_file, root_of

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
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._published: dict[str, set[str]] = {}

    def _opened(self, root: str) -> list[OpenFile]:
        documents = list(self.workspace.text_documents.values())
        return [
            open_file(root, item.uri, item.version, item.source)
            for item in documents
            if root_of(item.uri) == root
        ]

    def check_soon(self, root: str, pause: float = 0) -> None:
        """Check the open ADRs of a repository after a pause, with what is open then.

        A check that has not ended yet is dropped: its texts are old.
        """
        if root:
            if root in self._checks:
                self._checks[root].cancel()
            loop = asyncio.get_running_loop()
            self._checks[root] = loop.create_task(self._check(root, pause))

    async def _check(self, root: str, pause: float) -> None:
        """Publish the diagnostics of open files, and remove those of files that have none now."""
        await asyncio.sleep(pause)
        opened = self._opened(root)
        try:
            shown = await self._work(root, opened, diagnostics)
        except HelixError as error:
            shown = not_checked(opened, str(error))
        except Exception as error:  # noqa: BLE001 -- the next check may succeed
            _log.exception("a check failed")
            self._say(f"internal error: {type(error).__name__}: {error}")
            return
        gone = self._published.get(root, set()) - shown.keys()
        self._published[root] = set(shown)
        versions = {file.uri: file.version for file in opened}
        for uri, items in {**{uri: [] for uri in gone}, **shown}.items():
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, items, versions.get(uri))
            )

    async def answer(self, uri: str, function: Callable[[Project, str], Value]) -> Value | None:
        """Return the result of a function of an open document; None if it is not an open file."""
        root = root_of(uri)
        opened = self._opened(root) if root else []
        path = next((file.path for file in opened if file.uri == uri), None)
        if not root or path is None:
            return None
        try:
            return await self._work(root, opened, lambda project: function(project, path))
        except HelixError as error:
            self._say(str(error))
            return None

    async def _work(
        self, root: str, opened: list[OpenFile], function: Callable[[Project], Value]
    ) -> Value:
        """Return the result of a function of a repository, computed by the worker."""
        # pygls gives a text or a member of an enumeration, which are equal but printed differently.
        encoding = types.PositionEncodingKind(self.workspace.position_encoding or "utf-16").value

        def compute() -> Value:
            with closing(Project(root, opened, encoding)) as project:
                return function(project)

        return await asyncio.get_running_loop().run_in_executor(self._worker, compute)

    def _say(self, error: str) -> None:
        """Write an error into the client's log."""
        params = types.LogMessageParams(types.MessageType.Error, printable(error))
        self.window_log_message(params)

    def end(self) -> None:
        """Cancel the tasks of the worker that have not started."""
        self._worker.shutdown(wait=False, cancel_futures=True)


def server() -> AdrServer:
    """Return a server with all its handlers."""
    made = AdrServer()
    made.feature(types.INITIALIZED)(_watch)
    for method in _AT_ONCE:
        made.feature(method)(partial(_check_document, pause=0))
    made.feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(_check_document, pause=_PAUSE))
    made.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_check_changed)
    made.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    kinds = types.CodeActionOptions([QUICK])
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
    ls.check_soon(root_of(params.text_document.uri), pause)


def _check_changed(ls: AdrServer, params: types.DidChangeWatchedFilesParams) -> None:
    opened = {root_of(uri) for uri in ls.workspace.text_documents}
    for root in {root_of(change.uri) for change in params.changes} & opened:
        ls.check_soon(root, _SHORT_PAUSE)


async def _hover(ls: AdrServer, params: types.HoverParams) -> types.Hover | None:
    uri = params.text_document.uri
    return await ls.answer(uri, lambda project, path: hover(project, path, params.position))


async def _code_actions(
    ls: AdrServer, params: types.CodeActionParams
) -> list[types.CodeAction] | None:
    uri = params.text_document.uri
    return await ls.answer(uri, lambda project, path: actions(project, path, params))


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
