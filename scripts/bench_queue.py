"""Measure the store of the queue: listing and deciding among many requests, and what waiting costs.

All requests wait for a person, as on the worst day. What grows with their number would show.
"""

import contextlib
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from helix_hooks.config.policy import Policy
from helix_hooks.flow.place import FlowPlace
from helix_hooks.phases.run_state import Decider
from helix_hooks.queue import database, store
from helix_hooks.queue.schema import EVENTS, REQUESTS, TRAIL
from helix_hooks.queue.store import QueueStore
from helix_hooks.waiting.opening import RequestDraft, content_of, opened
from helix_hooks.waiting.request import PENDING, ApprovalRequest, Asker, RequestVote, document_of
from helix_hooks.waiting.request_events import opening_events
from helix_hooks.waiting.trail import TrailTip, row_of

Row = tuple[str, str, float, float]
FEW, MANY, TIMES, LISTED = 1_000, 10_000, 31, 100
GROWTH = 1.3
WAIT, WAITING = 20, 0.001
"""Seconds of a wait, and the part of a processor that it may take."""


def rows(scratch: Path) -> list[Row]:
    """Return the rows for SQLite, and for PostgreSQL where it is installed."""
    found: list[Row] = []
    (scratch / "queue").mkdir()
    for name, few, many in _places(scratch / "queue"):
        with store.opened(few) as small, store.opened(many) as large:
            _fill(few, FEW)
            _fill(many, MANY)
            found += [
                _compared(f"list {LISTED} requests, {name}", small, large, _list),
                _compared(f"decide a request, {name}", small, large, _decide),
                _waiting(name, large),
            ]
    return found


def _places(folder: Path) -> Iterator[tuple[str, FlowPlace, FlowPlace]]:
    few, many = (FlowPlace(str(folder), str(folder / size)) for size in ("few", "many"))
    yield "SQLite", few, many
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from tests.fakes import postgres

    if postgres.missing():
        print(f"queue: {postgres.missing()}")
        return
    with tempfile.TemporaryDirectory(prefix="helix-pg-") as name:
        Path(name).chmod(0o755)  # the server may run as another user
        with postgres.server(Path(name) / "server") as server:
            yield "PostgreSQL", *(place._replace(url=server.url()) for place in (few, many))


def _fill(place: FlowPlace, number: int) -> None:
    """Add requests as the store would, in one transaction."""
    tip, rows, events = TrailTip(), [], []
    for place_in_line in range(number):
        request = _request(place_in_line)
        due = {"due_at": request.expires_at, "document": document_of(request)}
        known = {"id": request.id, "project": request.project, "status": PENDING}
        rows.append({"number": tip.number + 1, "content": content_of(request), **known, **due})
        for event in opening_events(request):
            row = row_of(event, tip)
            events.append({"request": request.id, **row._asdict()})
            tip = TrailTip(row.number, row.hash)
    engine = database.engine_of(place)
    with database.transaction(engine) as connection:
        connection.execute(REQUESTS.insert(), rows)
        connection.execute(EVENTS.insert(), events)
        connection.execute(TRAIL.update().values(tip._asdict()))
    with contextlib.suppress(Exception), engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
        connection.commit()
    engine.dispose()


def _request(number: int) -> ApprovalRequest:
    draft = RequestDraft(
        id=str(uuid.uuid4()),
        project="acme/shop",
        action="production_deployment",
        title=f"Deploy {number}",
        requested_by=Asker("jane", verified=True),
    )
    policy = Policy(deadlines=(("critical", 30 * 86_400),))
    return opened(draft, policy, int(time.time()))


def _list(db: QueueStore) -> None:
    db.requests("acme/shop", (PENDING,), LISTED)


def _decide(db: QueueStore) -> None:
    request = db.requests("acme/shop", (PENDING,), 1)[0]
    vote = RequestVote(Decider("max", verified=True), approves=True, at=int(time.time()))
    db.answer(request.id[:8], vote, Policy())


def _compared(
    what: str, small: QueueStore, large: QueueStore, work: Callable[[QueueStore], None]
) -> Row:
    """Time the work in both stores in turn, and return how much longer the large one takes."""
    for db in (small, large):
        work(db)
    pairs = [(_timed(work, small), _timed(work, large)) for _ in range(TIMES)]
    few, many = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"queue: {what}: {many * 1000:.1f} ms among {MANY}, {few * 1000:.1f} ms among {FEW}")
    return what, f"among {FEW}", many / few, GROWTH


def _timed(work: Callable[[QueueStore], None], db: QueueStore) -> float:
    begun = time.perf_counter()
    work(db)
    return time.perf_counter() - begun


def _waiting(name: str, db: QueueStore) -> Row:
    begun = time.process_time()
    db.wait_for_event(db.newest(), WAIT)
    used = (time.process_time() - begun) / WAIT
    print(f"queue: waiting for a minute takes {used * 60 * 1000:.0f} ms of processor time, {name}")
    return f"waiting, {name}", "a thousandth of a processor", used / WAITING, 1.0
