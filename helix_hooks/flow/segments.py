"""The workflows of a run in the database, and the start of the next one."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from dbos import DBOSClient, EnqueueOptions, WorkflowStatus

from .. import codec
from ..errors import HelixError
from ..phases.advance import outcome
from ..phases.json_form import read
from ..phases.run_state import ENDED
from .database import FLOW_VERSION, version_name, version_number
from .messages import (
    EVENT,
    RUN_WORKFLOW,
    Json,
    Published,
    RunRequest,
    run_of,
    workflow_id,
)
from .place import FlowPlace
from .storage import engine_of

ALIVE = ("PENDING", "ENQUEUED", "DELAYED")
_BROKEN = ("ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")


class Segment(NamedTuple):
    """The last workflow of a run, with its input and its published values.

    `begun` is the start of the run, `updated` the last change of its workflow, in seconds since
    1970. `published` is None before the first values are published.
    """

    run: str
    number: int
    status: str
    executor: str
    version: int
    begun: float
    updated: float
    request: RunRequest
    published: Published | None

    @property
    def workflow(self) -> str:
        return workflow_id(self.run, self.number)

    @property
    def current(self) -> Published:
        """The last published values of the run, or else those with which the workflow started."""
        return self.published or self.request.published

    @property
    def outcome(self) -> str:
        return outcome(self.current.state)

    @property
    def is_alive(self) -> bool:
        return self.status in ALIVE

    @property
    def reads_messages(self) -> bool:
        """Return whether this workflow reads another message.

        A process may end after a run has ended, and before it has recorded that.
        """
        has_ended = self.outcome in ENDED and not self.current.running
        waits = self.request.waits and not self.current.seen
        return self.is_alive and (waits or not has_ended)

    @property
    def needs_next(self) -> bool:
        """Return whether the run has not ended, but this workflow can't continue."""
        if self.status in _BROKEN:
            return self.outcome not in ENDED
        return self.is_alive and self.version < FLOW_VERSION


def last(client: DBOSClient, place: FlowPlace, run: str) -> Segment | None:
    """Return the last workflow of a run, None if there is none."""
    statuses = client.list_workflows(
        name=RUN_WORKFLOW,
        application_name=place.name,
        workflow_id_prefix=f"{run}.",
        load_output=False,
    )
    newest = _newest(statuses).get(run)
    return _segment(client, newest) if newest else None


def every(client: DBOSClient, place: FlowPlace, *, unfinished: bool = False) -> tuple[Segment, ...]:
    """Return the last workflow of each run of the repository, newest run first.

    With `unfinished`, runs whose last workflow has succeeded are left out.
    """
    newest = _listed(client, place)
    if unfinished:
        # Not by a filter of the query: an earlier workflow of a run may be cancelled.
        newest = [status for status in newest if status.status in (*ALIVE, *_BROKEN)]
    return _loaded(client, newest)


def interrupted(client: DBOSClient, place: FlowPlace) -> tuple[Segment, ...]:
    """Return the runs that have not ended, but whose last workflow can't continue."""
    candidates = [
        status
        for status in _listed(client, place)
        if status.status in _BROKEN
        or (status.status in ALIVE and version_number(status.app_version) < FLOW_VERSION)
    ]
    return tuple(segment for segment in _loaded(client, candidates) if segment.needs_next)


def _listed(client: DBOSClient, place: FlowPlace) -> list[WorkflowStatus]:
    """Return the last workflow of each run, without its input, which has the whole flow."""
    listing = client.list_workflows(
        name=RUN_WORKFLOW, application_name=place.name, load_input=False, load_output=False
    )
    return list(_newest(listing).values())


def _loaded(client: DBOSClient, newest: Sequence[WorkflowStatus]) -> tuple[Segment, ...]:
    """Return workflows with their inputs and published values, newest run first."""
    if not newest:
        return ()
    ids = [status.workflow_id for status in newest]
    statuses = client.list_workflows(workflow_ids=ids, load_output=False)
    segments = [_segment(client, status) for status in statuses]
    # Neither an id nor the time of a workflow says which of two runs in a second is newer.
    return tuple(sorted(segments, key=lambda segment: segment.begun, reverse=True))


def last_change(client: DBOSClient, segment: Segment) -> float:
    """Return when a run or one of its tasks changed last, in seconds since 1970."""
    tasks = client.list_workflows(
        workflow_id_prefix=f"{segment.workflow}/", load_input=False, load_output=False
    )
    return max(segment.updated, *((task.updated_at or 0) / 1000 for task in tasks), 0)


def _newest(statuses: Iterable[WorkflowStatus]) -> dict[str, WorkflowStatus]:
    """Return the last workflow of each run."""
    newest: dict[str, WorkflowStatus] = {}
    for status in statuses:
        run, number = run_of(status.workflow_id)
        if run not in newest or number > run_of(newest[run].workflow_id)[1]:
            newest[run] = status
    return newest


def _segment(client: DBOSClient, status: WorkflowStatus) -> Segment:
    run, number = run_of(status.workflow_id)
    if not isinstance(status.input, dict):
        raise HelixError("the flow database has a value that helix-hooks did not write")
    request = read(status.input["args"][0], RunRequest)
    event = client.get_event(status.workflow_id, EVENT, 0)
    return Segment(
        run=run,
        number=number,
        status=status.status,
        executor=status.executor_id or "",
        version=version_number(status.app_version),
        begun=request.begun or (status.created_at or 0) / 1000,
        updated=(status.updated_at or 0) / 1000,
        request=request,
        published=None if event is None else read(event, Published),
    )


def enqueue(client: DBOSClient, place: FlowPlace, workflow: str, request: RunRequest) -> None:
    """Add a workflow to the queue. An existing workflow with this id does not change."""
    options: EnqueueOptions = {
        "workflow_name": RUN_WORKFLOW,
        "queue_name": place.name,
        "workflow_id": workflow,
        "app_version": version_name(place),
        "application_name": place.name,
    }
    client.enqueue(options, codec.plain(request, short=True))


def start_next(client: DBOSClient, place: FlowPlace, segment: Segment, *, waits: bool) -> str:
    """Start the next workflow of a run from its last state, and return its id.

    The last one is cancelled if it is still alive. With `waits`, a run that has ended first
    waits for a message.
    """
    if segment.is_alive:
        client.cancel_workflow(segment.workflow, cancel_children=True)
    known = segment.current._asdict()
    del known["seen"]
    carried = messages(place, segment.workflow, unread=True)
    request = segment.request._replace(**known, carried=carried, waits=waits)
    workflow = workflow_id(segment.run, segment.number + 1)
    enqueue(client, place, workflow, request)
    return workflow


def messages(place: FlowPlace, workflow: str, *, unread: bool = False) -> tuple[Json, ...]:
    """Return the messages to a workflow, oldest first; with `unread` only the unread ones."""
    # NOTE: DBOS has no function for this. The table is part of its schema 3.
    table, order = "dbos.notifications", "created_at_epoch_ms"
    if not place.is_shared:
        # In SQLite the times may be whole seconds, and DBOS reads equal ones in the order of rows.
        table, order = "notifications", "created_at_epoch_ms, rowid"
    condition = "destination_uuid = :workflow"
    if unread:
        condition += " AND NOT consumed"
    # All parts of the query are constants.
    query = f"SELECT message FROM {table} WHERE {condition} ORDER BY {order}"  # noqa: S608
    with engine_of(place).connect() as connection:
        rows = connection.execute(sa.text(query), {"workflow": workflow}).fetchall()
    return tuple(json.loads(row[0]) for row in rows)
