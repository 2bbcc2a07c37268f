"""The language server: requests of the client, and checks of open ADRs.

One thread computes everything, so that another one can answer the protocol meanwhile.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from .. import __version__
from ..editor.positions import BufferText, buffer_text
from ..errors import HelixError
from ..finding import Finding
from ..text.sanitize import printable
from . import answers, values
from .buffers import OpenFile, Root, file_of, opened_file, path_in, root_of, uri_in
from .project import Project
from .protocol import AnsweringProtocol
from .request import EditorRequest

NAME = "helix-hooks"
_PAUSE = 0.15
"""Seconds without a change after which the open ADRs are checked."""

_log = logging.getLogger(__name__)
Value = TypeVar("Value")
Published = dict[str, tuple[int | None, list[types.Diagnostic]]]
"""Diagnostics by the address of their file, with the version that was checked."""


class AdrLanguageServer(LanguageServer):
    """A server with the state of its repositories."""

    def __init__(self) -> None:
        super().__init__(
            NAME,
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=AnsweringProtocol,
        )
        self._projects: dict[Root, Project] = {}
        # One worker: a Project is for one thread.
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="adrs")
        self._due: dict[Root, asyncio.TimerHandle] = {}
        self._running: set[Root] = set()
        self._again: set[Root] = set()
        self._noted: dict[Root, set[str]] = {}
        self._logged: dict[Root, str] = {}
        # References to running tasks; the loop has only weak ones.
        self._tasks: set[asyncio.Task[None]] = set()

    # Open files.

    @property
    def encoding(self) -> str:
        return str(self.workspace.position_encoding or "utf-16")

    def root(self, uri: str) -> Root | None:
        """Return the repository of a document; None if it is not a file."""
        file = file_of(uri)
        if not file:
            return None
        folders = [file_of(folder.uri) for folder in self.workspace.folders.values()]
        return root_of(file, [folder for folder in folders if folder])

    def open_files(self, root: Root) -> list[OpenFile]:
        """Return the open documents of a repository."""
        documents = list(self.workspace.text_documents.values())
        return [opened_file(item, root.folder) for item in documents if self.root(item.uri) == root]

    # Checks.

    def check_soon(self, uri: str, *, pause: float = _PAUSE) -> None:
        """Check the open ADRs of the repository of a document after a pause."""
        root = self.root(uri)
        if root:
            self.check_root_soon(root, pause=pause)

    def check_root_soon(self, root: Root, *, pause: float = _PAUSE) -> None:
        """Check the open ADRs of a repository after a pause; a later call restarts the pause."""
        if root in self._due:
            self._due.pop(root).cancel()
        self._due[root] = asyncio.get_running_loop().call_later(pause, self._begin, root)

    def _begin(self, root: Root) -> None:
        self._due.pop(root, None)
        if root in self._running:
            self._again.add(root)
            return
        self._running.add(root)
        task = asyncio.get_running_loop().create_task(self._check(root))
        self._tasks.add(task)
        task.add_done_callback(self._report_failure)

    def _report_failure(self, task: "asyncio.Task[None]") -> None:
        """Report a failed check; the next one may succeed."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error:
            _log.error("a check failed", exc_info=error)
            self.say(types.MessageType.Error, f"internal error: {type(error).__name__}: {error}")

    async def _check(self, root: Root) -> None:
        try:
            opened = self.open_files(root)
            published, broken = await self.work(
                root, opened, lambda project: self._published(project, opened)
            )
        finally:
            self._running.discard(root)
            if root in self._again:
                self._again.discard(root)
                self.check_root_soon(root, pause=0)
        self._log_broken(root, broken)
        self._publish_all(root, published)

    def _publish_all(self, root: Root, published: Published) -> None:
        """Publish the diagnostics of a check, and remove those of an earlier one."""
        versions = {item.uri: item.version for item in self.open_files(root)}
        for uri in self._noted.get(root, set()) - published.keys():
            self._publish(uri, None, [])
        self._noted[root] = {uri for uri in published if uri not in versions}
        for uri, (version, items) in published.items():
            # A document that changed since is checked again.
            if uri not in versions or versions[uri] == version:
                self._publish(uri, version, items)

    def _published(self, project: Project, opened: list[OpenFile]) -> tuple[Published, str]:
        """Return the diagnostics of open files and the error in the settings ("" without one).

        Runs in the worker.
        """
        by_path = {item.path: item for item in opened}
        published: Published = {}
        for path, items in answers.diagnostics(project, list(by_path)).items():
            uri, version = uri_in(project.root, path), None
            if path in by_path:
                uri, version = by_path[path].uri, by_path[path].version
            text = buffer_text(project.text(path) or "")
            published[uri] = version, self._diagnostics(items, text)
        broken = project.broken
        return published, str(broken) if broken else ""

    def _log_broken(self, root: Root, broken: str) -> None:
        """Log an error in the settings once."""
        if broken and self._logged.get(root) != broken:
            self.say(types.MessageType.Warning, broken)
        self._logged[root] = broken

    def _diagnostics(self, items: list[Finding], text: BufferText) -> list[types.Diagnostic]:
        return [values.diagnostic(item, text, self.encoding) for item in items]

    def _publish(self, uri: str, version: int | None, items: list[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=items, version=version)
        )

    def say(self, kind: types.MessageType, message: str) -> None:
        """Write a line into the client's log."""
        self.window_log_message(types.LogMessageParams(type=kind, message=printable(message)))

    def closed(self, uri: str) -> None:
        """Remove the diagnostics of a closed document, and check the others."""
        self._publish(uri, None, [])
        self.forget_soon(self.root(uri))

    def forget_soon(self, root: Root | None, *, pause: float = 0) -> None:
        """Read a repository again, and check its open ADRs."""
        if root:
            self._worker.submit(self._forget, root)
            self.check_root_soon(root, pause=pause)

    def _forget(self, root: Root) -> None:
        if root in self._projects:
            self._projects[root].forget()

    def roots(self) -> set[Root]:
        """Return the repositories of all open documents."""
        roots = {self.root(item.uri) for item in self.workspace.text_documents.values()}
        return {root for root in roots if root}

    # Work in the other thread.

    async def work(
        self, root: Root, opened: list[OpenFile], function: Callable[[Project], Value]
    ) -> Value:
        """Return the result of a function of a repository, computed by the worker."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, self._call, root, opened, function)

    def _call(
        self, root: Root, opened: list[OpenFile], function: Callable[[Project], Value]
    ) -> Value:
        project = self._projects.get(root)
        if not project:
            project = Project(root.folder, is_repository=root.is_repository)
            self._projects[root] = project
        project.update({item.path: item.data for item in opened})
        return function(project)

    async def answer(
        self, uri: str, function: Callable[[EditorRequest], Value | None]
    ) -> Value | None:
        """Return the result of a function of an open document; None if it is not a file."""
        root = self.root(uri)
        if not root:
            return None
        opened = self.open_files(root)
        path = path_in(root.folder, file_of(uri))
        if path not in {item.path for item in opened}:
            return None
        text = buffer_text(self.workspace.get_text_document(uri).source)

        def compute(project: Project) -> Value | None:
            request = EditorRequest(
                project=project, path=path, text=text, opened=opened, encoding=self.encoding
            )
            return function(request)

        try:
            return await self.work(root, opened, compute)
        except HelixError as error:
            self.say(types.MessageType.Error, str(error))
            return None

    def end(self) -> None:
        """Cancel the tasks of the worker that have not started."""
        self._worker.shutdown(wait=False, cancel_futures=True)
