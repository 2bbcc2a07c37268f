"""A server of the queue on loopback, with a queue in memory at the seam of its sources."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import uvicorn

from helix_hooks.dashboard.app import application
from helix_hooks.dashboard.options import DashboardOptions, options_of
from helix_hooks.dashboard.sources import ChosenAnswer, Sources
from helix_hooks.errors import HelixError, UsageError
from helix_hooks.pages.view import DecisionLine
from helix_hooks.waiting.entry import EntryDetail, Queue, QueueEntry
from helix_hooks.waiting.figures import EndedQuestion, QueueFigures, queue_figures
from tests.fakes import waiting

MONTH = 30 * 86400
ENDED = tuple(
    EndedQuestion(
        project="acme/shop",
        type=("pr_merge", "architecture_decision", "production_deployment")[number % 3],
        outcome=("approved", "approved", "rejected", "expired")[number % 4],
        by=("people", "judge", "rules", "")[number % 4],
        asked_at=waiting.NOW - number * MONTH // 9 - 3600 * (1 + number % 5),
        ended_at=waiting.NOW - number * MONTH // 9,
    )
    for number in range(40)
)


class Desk(Sources):
    """A queue in memory. `taken` are the decisions that were carried out."""

    def __init__(self, entries: tuple[QueueEntry, ...] = waiting.ENTRIES) -> None:
        self.entries = {entry.id: entry for entry in entries}
        self.taken: list[ChosenAnswer] = []
        self.partial: tuple[str, ...] = ()
        self.roles: dict[tuple[str, str], str] = {}
        self.error: HelixError | None = None
        self.projects = ()
        self._number = 1
        self._changed = threading.Condition()

    def request(self, id: str) -> None:
        return None

    def role(self, project: str, login: str) -> str:
        return self.roles.get((project, login), "")

    def is_member(self, team: str, login: str) -> bool:
        return False

    def figures(self, projects: tuple[str, ...] | None) -> QueueFigures:
        return queue_figures(ENDED, waiting=len(self.entries))

    def put(self, entry: QueueEntry) -> None:
        self.entries[entry.id] = entry
        self.changed()

    def take(self, id: str) -> None:
        del self.entries[id]
        self.changed()

    def changed(self) -> None:
        with self._changed:
            self._number += 1
            self._changed.notify_all()

    @property
    def number(self) -> int:
        return self._number

    def forget(self) -> None:
        """Begin anew, as a store whose file was removed."""
        with self._changed:
            self.entries.clear()
            self._number = 1
            self._changed.notify_all()

    def collect(self) -> Queue:
        if self.error:
            raise self.error
        return Queue(tuple(self.entries.values()), int(time.time()), self.partial)

    def detail(self, entry: QueueEntry) -> EntryDetail:
        detail = waiting.DETAIL if entry.id == waiting.KAFKA.id else EntryDetail(entry)
        return detail._replace(entry=entry)

    def decide(self, choice: ChosenAnswer) -> DecisionLine:
        if choice.entry.id not in self.entries:
            raise UsageError("@bob has decided it before you")
        if "fail" in choice.answer.reason:
            raise HelixError(f"GitHub did not answer; the token was {choice.token}")
        self.taken.append(choice)
        self.take(choice.entry.id)
        done = "approved" if choice.answer.approves else f"rejected: {choice.answer.reason}"
        return DecisionLine(choice.entry.id, choice.entry.title, done, is_done=True)

    def wait(self, after: int, seconds: float) -> int:
        with self._changed:
            self._changed.wait_for(lambda: self._number > after, min(seconds, 0.5))
            return self._number


class Served(NamedTuple):
    url: str
    desk: Desk


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextlib.contextmanager
def served(
    desk: Desk,
    environment: dict[str, str] | None = None,
    *,
    path: str = "",
    user_header: str = "",
    proxies: tuple[str, ...] = (),
    clock: Callable[[], float] = time.monotonic,
    sources: Sources | None = None,
    undo: int = 0,
) -> Iterator[Served]:
    """Answer requests in a thread as long as the block lasts."""
    port = free_port()
    options = options_of(
        environment or {},
        host="127.0.0.1",
        port=port,
        path=path,
        user_header=user_header,
        proxies=proxies,
        undo=undo,
    )
    with running(options, sources or desk, clock):
        yield Served(f"http://127.0.0.1:{port}{path}", desk)


@contextlib.contextmanager
def running(
    options: DashboardOptions, sources: Sources, clock: Callable[[], float] = time.monotonic
) -> Iterator[None]:
    config = uvicorn.Config(
        application(options, sources, clock),
        host=options.host,
        port=options.port,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server has not started"
        time.sleep(0.01)
    yield
    server.should_exit = True
    thread.join(10)
