"""The store of the queue: requests and the audit trail, in the database of the flows.

A writer locks the end of the trail first. So only one program writes at a time, and it decides by
what the others have written. A method returns when the transaction is committed.
"""

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import sqlalchemy as sa

from ..config.policy import Policy
from ..errors import HelixError, UsageError
from ..flow.durable import engine_of, time_of, transaction
from ..flow.place import FlowPlace
from ..flow.storage import explained
from ..notify.notify_file import lock_file, notify_path
from ..waiting.answering import (
    AlreadyDecidedError,
    already_decided,
    is_repeated,
    refusal,
    with_vote,
)
from ..waiting.opening import content_of
from ..waiting.request import PENDING, ApprovalRequest, Note, RequestVote
from ..waiting.request_events import answer_event, note_event
from ..waiting.talk import noted
from ..waiting.trail import IMPORTED, TrailEvent
from . import listening
from .confirmed import StoredRequest, confirmed, request_in
from .schema import REQUESTS, ready
from .write import Writing, due_requests, tip_of

if TYPE_CHECKING:
    from dbos import DBOSClient  # its import takes 0.3 s

RECORD_KEY = "HELIX_RECORD_KEY"
"""The variable with the secret by which events are signed."""

_SHORTEST = 4
"""Minimum characters of a prefix of an id."""

_NAMED = 3
"""Requests that a message names if several have the prefix."""

_PAUSES = (0.2, 0.5, 1.0, 2.0)
"""Seconds between attempts to write again after the server was cut off."""

_T = TypeVar("_T")
Changed = tuple[ApprovalRequest, TrailEvent]


class ListedRequests(NamedTuple):
    """Requests of a list; `faults` names those that can't be read, a line each.

    `left` is the number of those that were not listed because of a limit.
    """

    requests: tuple[ApprovalRequest, ...]
    faults: tuple[str, ...]
    left: int


class QueueStore:
    """Requests and their audit trail. Every method raises HelixError; threads may share it."""

    def __init__(
        self,
        place: FlowPlace,
        engine: sa.Engine,
        clock: Callable[[], int] | None,
        key: bytes,
        outbox: "DBOSClient | None",
    ) -> None:
        """The news of requests is enqueued with `outbox`, None if nobody gets messages."""
        self._place, self._engine, self._clock, self._key = place, engine, clock, key
        self._outbox, self._is_prepared = outbox, outbox is None

    @property
    def is_shared(self) -> bool:
        """Return whether the database is a server, which may be away for a while."""
        return self._place.is_shared

    def now(self) -> int:
        """Return the time in seconds since 1970, by the clock of the database's server."""
        with explained(self._place), self._engine.connect() as connection:
            return self._now(connection)

    def add(
        self,
        request: ApprovalRequest,
        key: str = "",
        *,
        reuse_open: bool = False,
        most_open: int = 0,
    ) -> ApprovalRequest:
        """Add a request, and return it, or the one that the same question has opened before.

        That is the one with the same `key`; with `reuse_open` also one that is still open. Raises
        UsageError where the key belongs to another question, and where the project has `most_open`
        open requests already, 0 for no limit.
        """
        mark = _mark(request.project, key)
        content = content_of(request)

        def work(writing: Writing) -> ApprovalRequest:
            duplicate = writing.find_duplicate(request, mark, content, reuse_open=reuse_open)
            if duplicate:
                return writing.swept(duplicate, self._now(writing.connection))[0].request
            if most_open and request.status == PENDING:
                writing.require_below_limit(request.project, most_open)
            writing.insert(request, mark, content)
            return request

        return self._write(work)

    def request(self, id: str, project: str = "") -> ApprovalRequest:
        """Return a request by its id or a beginning of it. Raises UsageError where none has it."""
        return self._find(id, project).request

    def requests(
        self, project: str = "", statuses: tuple[str, ...] = (), limit: int = 1000
    ) -> tuple[ApprovalRequest, ...]:
        """Return requests as `listed` does. Raises HelixError where one can't be read."""
        found = self.listed(project, statuses, limit)
        if found.faults:
            raise HelixError(found.faults[0])
        return found.requests

    def listed(
        self, project: str = "", statuses: tuple[str, ...] = (), limit: int = 1000
    ) -> ListedRequests:
        """Return requests, the oldest first, all projects and statuses without a choice."""
        query = sa.select(REQUESTS.c.id, REQUESTS.c.document).order_by(REQUESTS.c.number)
        if project:
            query = query.where(REQUESTS.c.project == project)
        if statuses:
            query = query.where(REQUESTS.c.status.in_(statuses))
        with explained(self._place), self._engine.connect() as connection:
            self._sweep_due(connection)
            rows = connection.execute(query.limit(limit)).all()
            counting = sa.select(sa.func.count()).select_from(query.order_by(None).subquery())
            total = connection.scalar(counting) if len(rows) == limit else len(rows)
        requests, faults = list[ApprovalRequest](), list[str]()
        for row in rows:
            try:
                requests.append(request_in(row.id, row.document))
            except HelixError as error:
                faults.append(str(error))
        return ListedRequests(tuple(requests), tuple(faults), (total or 0) - len(rows))

    def select(self, query: sa.Executable) -> Sequence[sa.Row[Any]]:
        """Return the rows of a query, after deadlines that have passed are recorded."""
        with explained(self._place), self._engine.connect() as connection:
            self._sweep_due(connection)
            return connection.execute(query).all()

    def pending_elsewhere(self, project: str) -> tuple[tuple[str, int], ...]:
        """Return the number of pending requests of each other project."""
        with explained(self._place), self._engine.connect() as connection:
            self._sweep_due(connection)
            query = (
                sa.select(REQUESTS.c.project, sa.func.count(REQUESTS.c.number))
                .where(REQUESTS.c.status == PENDING, REQUESTS.c.project != project)
                .group_by(REQUESTS.c.project)
                .order_by(REQUESTS.c.project)
            )
            return tuple((row[0], row[1]) for row in connection.execute(query))

    def answer(
        self, id: str, vote: RequestVote, policy: Policy, notes: int | None = None
    ) -> ApprovalRequest:
        """Record the answer of a person who has the right to give it, and return the request.

        `notes` is the number of questions and replies that the person has seen, None for all.

        The same answer of the same person again changes nothing. Raises AlreadyDecidedError where
        another person or the deadline was first, and UsageError if the answer does not count.
        """

        def step(request: ApprovalRequest) -> Changed | None:
            """Add the vote. Raises UsageError where it does not count."""
            if why := already_decided(request, vote):
                raise AlreadyDecidedError(why)
            if is_repeated(request, vote):
                return None
            if why := refusal(request, vote, policy):
                raise UsageError(why)
            if vote.approves and notes not in (None, len(request.notes)):
                raise UsageError(f"{id} has changed since it was shown; look at it again")
            after = with_vote(request, vote, policy)
            return after, answer_event(after, vote)

        return self._change(id, vote.at, step)

    def note(self, id: str, kind: str, note: Note, to: str = "") -> ApprovalRequest:
        """Record a note; `kind` and `to` are as for `talk.noted`.

        Raises UsageError if the request was decided, or has no question to reply to.
        """

        def step(request: ApprovalRequest) -> Changed | None:
            if request.notes[-1:] == (note,):
                return None  # recorded before the connection was lost
            after = noted(request, kind, note, to)
            return after, note_event(after, kind)

        return self._change(id, note.at, step)

    def _change(
        self, id: str, at: int, step: Callable[[ApprovalRequest], Changed | None]
    ) -> ApprovalRequest:
        """Change a request, after its passed deadline is recorded, and return it.

        `step` returns the changed request with its event, None if nothing changes.
        """
        number = self._find(id).number

        def work(writing: Writing) -> ApprovalRequest | UsageError:
            current, _ = writing.swept(writing.row(number), at)
            try:
                changed = step(current.request)
            except UsageError as error:
                return error
            if changed:
                writing.change(current, *changed)
            return changed[0] if changed else current.request

        after = self._write(work)
        if isinstance(after, UsageError):
            raise after  # after the commit, which may have recorded that the deadline has passed
        return after

    def sweep(self, now: int) -> tuple[TrailEvent, ...]:
        """Record passed deadlines, and return the events.

        Events recorded by other processes are not returned.
        """
        recorded: list[TrailEvent] = []
        while True:
            events, is_more = self._write(lambda writing: writing.sweep(now))
            recorded += events
            if not is_more:
                return tuple(recorded)

    def newest(self) -> int:
        """Return the number of the newest event, 0 for none."""
        with explained(self._place), self._engine.connect() as connection:
            return tip_of(connection).number

    def wait_for_event(self, after: int, seconds: float) -> int:
        """Wait up to `seconds` for an event above `after`; return the newest number."""
        return listening.wait(self._place, self._engine, after, seconds)

    def record(self, kind: str, fields: dict[str, object], key: str, project: str = "") -> bool:
        """Add an event that comes from elsewhere, once for each key.

        Returns whether it was added. `kind` becomes a field, since the kind is "imported".
        """
        mark = _mark(project, key)

        def work(writing: Writing) -> bool:
            if writing.has_event(mark):
                return False
            at = self._now(writing.connection)
            event = TrailEvent(
                number=0,
                at=at,
                kind=IMPORTED,
                request="",
                project=project,
                fields={"kind": kind, **fields},
            )
            writing.append(event, mark)
            return True

        return self._write(work)

    def _now(self, connection: sa.Connection) -> int:
        return self._clock() if self._clock else time_of(connection)

    def _find(self, id: str, project: str = "") -> StoredRequest:
        with explained(self._place), self._engine.connect() as connection:
            self._sweep_due(connection)
            return _by_id(connection, id, project)

    def _sweep_due(self, connection: sa.Connection) -> None:
        """Record the deadlines that have passed, so that a reader sees current statuses."""
        now = self._now(connection)
        if connection.scalar(due_requests(now).limit(1)) is not None:
            connection.rollback()  # what was read is older than what is written next
            self.sweep(now)

    def _write(self, work: Callable[[Writing], _T]) -> _T:
        """Run `work` in a transaction, and again if the connection was lost.

        `work` must be idempotent: the first attempt may have been committed.
        """
        is_cut = False
        if not self._is_prepared:
            from ..flow.database import make_tables

            make_tables(self._place)  # those of DBOS
            self._is_prepared = True
        with explained(self._place):
            for pause in _PAUSES:
                try:
                    return self._write_once(work)
                except sa.exc.DBAPIError as error:
                    # After a lost connection the next one may fail with another error for a while.
                    is_cut = is_cut or error.connection_invalidated
                    if not is_cut:
                        raise
                time.sleep(pause)
            return self._write_once(work)

    def _write_once(self, work: Callable[[Writing], _T]) -> _T:
        with transaction(self._engine) as connection:
            return work(Writing(connection, self._key, self._outbox))


@contextlib.contextmanager
def opened(
    place: FlowPlace, *, clock: Callable[[], int] | None = None, record_key: bytes | None = None
) -> Iterator[QueueStore]:
    """Return the store at a place. Raises HelixError.

    Events are signed with `record_key`, by default the one of the environment. A `clock` of one's
    own is for tests.
    """
    engine = engine_of(place)
    key = os.environ.get(RECORD_KEY, "").strip().encode() if record_key is None else record_key
    try:
        ready(place, engine)
        with contextlib.ExitStack() as stack:
            outbox = None
            if place.is_shared or any(
                map(os.path.exists, (notify_path(os.environ), lock_file(place.folder)))
            ):
                from ..notify.outbox import client_of

                outbox = stack.enter_context(client_of(engine))
            yield QueueStore(place, engine, clock, key, outbox)
    finally:
        engine.dispose()


def _by_id(connection: sa.Connection, id: str, project: str) -> StoredRequest:
    """Return the one request with a prefix of its id. Raises UsageError."""
    prefix = id.strip().casefold()
    if not re.fullmatch(rf"[0-9a-f-]{{{_SHORTEST},36}}", prefix):
        raise UsageError(
            f"{id!r} is not the id of a request, or at least {_SHORTEST} characters of one"
        )
    # "g" sorts after every hex digit.
    condition = (REQUESTS.c.id >= prefix) & (REQUESTS.c.id < f"{prefix}g")
    if project:
        condition &= REQUESTS.c.project == project
    rows = confirmed(connection, condition, limit=_NAMED)
    if not rows:
        raise UsageError(f"there is no request {prefix}")
    if len(rows) > 1:
        some = ", ".join(row.request.id for row in rows)
        raise UsageError(f"several requests begin with {prefix}, as {some}; use more characters")
    return rows[0]


def _mark(project: str, key: str) -> str | None:
    """Return the hash of a key in a project, None without a key."""
    return hashlib.sha256(f"{project}\0{key}".encode()).hexdigest() if key else None
