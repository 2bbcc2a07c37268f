"""Compare stored requests with the audit trail, and show the result. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..errors import HelixError
from ..text import at_line_start, counted, dumped, printable
from .request import hash_of, request_of
from .trail import STATE, TrailEvent, TrailRow, TrailTip, event_of, hashed


class StoredRow(NamedTuple):
    """A request in the store: its columns, and its complete text."""

    id: str
    project: str
    status: str
    due_at: int
    document: str


class TrailReport(NamedTuple):
    """The result of a verification. `left_out` counts faults that are not listed."""

    events: int
    requests: int
    tip: TrailTip
    faults: tuple[str, ...] = ()
    left_out: int = 0
    signed: int = 0
    has_key: bool = False


def state_after(event: TrailEvent) -> str:
    """Return the hash of a request after an event, "" for an event without a request."""
    state = event.fields.get(STATE, "") if event.request else ""
    return state if isinstance(state, str) else ""


def fault_of(row: StoredRow, last: TrailRow | None) -> str:
    """Return how a request differs from its last event, "" if it does not."""
    if last is None:
        return "it has no event"
    try:
        event = event_of(last)
    except HelixError:
        return "its last event can't be read"
    if hashed(last.body) != last.hash or event.request != row.id:
        return "its last event was changed"
    if state_after(event) != hash_of(row.document):
        return "it differs from its last event"
    return _of_columns(row)


def request_faults(rows: Iterable[StoredRow], states: Mapping[str, str]) -> Iterator[str]:
    """Yield the errors in requests; `states` are their hashes by id, according to the trail."""
    missing = dict(states)
    for row in rows:
        fault = _of_columns(row)
        if missing.pop(row.id, None) is None:
            yield f"request {row.id} has no event that opened it"
        elif hash_of(row.document) != states[row.id]:
            yield f"request {row.id} was changed: it differs from its last event"
        elif fault:
            yield f"request {row.id} was changed: {fault}"
    yield from (f"request {id} was removed" for id in missing)


def _of_columns(row: StoredRow) -> str:
    """Return the column that differs from the text of a request, "" for none."""
    try:
        request = request_of(row.document)
    except HelixError as error:
        return str(error)
    expected = {
        "id": request.id,
        "project": request.project,
        "status": request.status,
        "due_at": request.due_at,
    }
    columns = row._asdict()
    wrong = [name for name, value in expected.items() if columns[name] != value]
    return f"its column {wrong[0]} was changed" if wrong else ""


def as_json(report: TrailReport) -> str:
    """Return the result of a verification as JSON of version 1."""
    value = {
        "version": 1,
        "valid": not report.faults,
        "events": report.events,
        "requests": report.requests,
        "newest": _newest(report) or None,
        "signed": report.signed,
        "signatures_checked": report.has_key,
        "faults": list(report.faults),
        "faults_left_out": report.left_out,
    }
    return dumped(value)


def as_text(report: TrailReport) -> str:
    """Return the faults, a summary, and whether signatures were checked."""
    lines = [at_line_start(printable(fault, 300)) for fault in report.faults]
    if report.left_out:
        lines.append(f"and {counted(report.left_out, 'other fault')}")
    number = len(report.faults) + report.left_out
    state = f"INVALID, {counted(number, 'fault')}" if number else "the hash chain is valid"
    newest = f"; newest {_newest(report)}" if report.tip.number else ""
    events, requests = counted(report.events, "event"), counted(report.requests, "request")
    lines.append(f"{events}, {requests}: {state}{newest}")
    signatures = "none; set HELIX_RECORD_KEY to sign new events"
    if report.has_key:
        signatures = f"{report.signed} of {report.events} were checked with this key"
    elif report.signed:
        signatures = f"{report.signed}, not checked, because HELIX_RECORD_KEY is not set"
    lines.append(f"signatures: {signatures}")
    return "".join(f"{line}\n" for line in lines)


def _newest(report: TrailReport) -> str:
    """Return number and hash of the newest event; "" without events."""
    return f"{report.tip.number}:{report.tip.hash}" if report.tip.number else ""
