"""The verification of the store: audit trail and requests, read in one transaction."""

import os
from collections.abc import Iterator

import sqlalchemy as sa

from ..errors import HelixError
from ..flow.durable import engine_of
from ..flow.place import FlowPlace
from ..flow.storage import DatabaseError, described, explained
from ..waiting.stored import StoredRow, TrailReport, request_faults, state_after
from ..waiting.trail import TrailRow, TrailTip, event_of, verified
from .schema import EVENTS, REQUESTS, ready, require_tables
from .store import RECORD_KEY
from .write import tip_of

_CHUNK = 1000
_MOST_FAULTS = 50


def verify(place: FlowPlace, noted: TrailTip | None = None) -> TrailReport:
    """Verify the store of a place; `noted` is an end of the trail that was stored elsewhere.

    Raises HelixError where it can't be read, and where there is none.
    """
    engine = engine_of(place)
    key = os.environ.get(RECORD_KEY, "").strip().encode()
    try:
        require_tables(place, engine)
        ready(place, engine)
        with explained(place), engine.connect() as connection:
            _begin(connection)
            report = _report(connection, key, noted)
    finally:
        engine.dispose()
    if not (report.events or report.requests or report.faults):
        raise DatabaseError(
            f"{described(place)} has no events and no requests, so nothing was verified; "
            "whether there were any before, only an earlier end shows: --noted NUMBER:HASH"
        )
    return report


def _begin(connection: sa.Connection) -> None:
    """Begin a transaction that reads one consistent state."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection.execution_options(isolation_level="REPEATABLE READ")


class _TrailScan:
    """One pass over the trail. Its totals grow only while `events` is consumed."""

    def __init__(self, noted: TrailTip | None) -> None:
        self.states, self.count, self.signed = dict[str, str](), 0, 0
        # Events whose column `request` differs from the request in their hashed body.
        self.foreign_events = list[str]()
        self.noted = noted
        self.has_noted = noted is None or noted == TrailTip()

    def events(self, connection: sa.Connection) -> Iterator[TrailRow]:
        """Yield all events in their order, and remember the state of each request."""
        query = sa.select(EVENTS).order_by(EVENTS.c.number)
        options = connection.execution_options(yield_per=_CHUNK)
        for found in options.execute(query):
            row = TrailRow(found.number, found.body, found.hash, found.signature)
            self.count += 1
            self.signed += bool(row.signature)
            self.has_noted = self.has_noted or self.noted == TrailTip(row.number, row.hash)
            self._remember(row, found.request)
            yield row

    def _remember(self, row: TrailRow, request: str) -> None:
        try:
            event = event_of(row)
        except HelixError:
            return  # which `verified` reports
        if event.request != request:
            self.foreign_events.append(f"event {row.number} belongs to another request")
        if event.request:
            self.states[event.request] = state_after(event)


def _report(connection: sa.Connection, key: bytes, noted: TrailTip | None) -> TrailReport:
    tip = tip_of(connection)
    scan = _TrailScan(noted)
    # `list` reads all events, which fills the totals that are used below.
    faults = list(verified(scan.events(connection), tip, key))
    faults += scan.foreign_events
    if noted and not scan.has_noted:
        faults.append(f"event {noted.number} with the hash {noted.hash} is not in the audit trail")
    faults += request_faults(_requests(connection), scan.states)
    count = connection.scalar(sa.select(sa.func.count(REQUESTS.c.number)))
    return TrailReport(
        events=scan.count,
        requests=count or 0,
        tip=tip,
        faults=tuple(faults[:_MOST_FAULTS]),
        left_out=max(0, len(faults) - _MOST_FAULTS),
        signed=scan.signed,
        has_key=bool(key),
    )


def _requests(connection: sa.Connection) -> Iterator[StoredRow]:
    columns = (REQUESTS.c[name] for name in StoredRow._fields)
    query = sa.select(*columns).order_by(REQUESTS.c.number)
    for found in connection.execution_options(yield_per=_CHUNK).execute(query):
        yield StoredRow(*found)
