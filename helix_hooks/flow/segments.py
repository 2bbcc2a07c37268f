"""The workflows of a run in the database, and the one that follows where the last can't go on."""

import json
from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa
from dbos import DBOSClient, EnqueueOptions, WorkflowStatus

from ..phases.advance import outcome
from ..phases.run_state import CANCELLED
from .database import FLOW_VERSION, version_name, version_number
from .messages import (
    EVENT,
    RUN_WORKFLOW,
    Json,
    Published,
    RunRequest,
    mapping,
    published_from,
    request_from,
    request_json,
    run_of,
    workflow_id,
)
from .place import FlowPlace
from .storage import url_of

ALIVE = ("PENDING", "ENQUEUED", "DELAYED")
_BROKEN = ("ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_ENDED = ("approved", "rejected", CANCELLED)


class Segment(NamedTuple):
    """The last workflow of a run, with what it began with and what it has published.

    `published` is None until the workflow has published anything.
    """

    run: str
    number: int
    status: str
    executor: str
    version: int
    created: float
    updated: float
    request: RunRequest
    published: Published | None

    @property
    def workflow(self) -> str:
        return workflow_id(self.run, self.number)

    @property
    def current(self) -> Published:
        """The last state of the run that is known."""
        request = self.request
        return self.published or Published(
            request.state, request.running, (), sequence=request.sequence
        )

    @property
    def outcome(self) -> str:
        return outcome(self.current.state)

    @property
    def is_alive(self) -> bool:
        return self.status in ALIVE

    @property
    def needs_next(self) -> bool:
        """Return whether the run has not ended, but this workflow can't go on."""
        if self.status in _BROKEN:
            return self.outcome not in _ENDED
        return self.is_alive and self.version < FLOW_VERSION


def last(client: DBOSClient, place: FlowPlace, run: str) -> Segment | None:
    """Return the last workflow of a run, None if there is none."""
    found = client.list_workflows(
        name=RUN_WORKFLOW,
        application_name=place.name,
        workflow_id_prefix=f"{run}.",
        load_output=False,
    )
    statuses = [status for status in found if run_of(status.workflow_id)[0] == run]
    newest = max(statuses, key=lambda status: run_of(status.workflow_id)[1], default=None)
    return _segment(client, newest) if newest else None


def every(client: DBOSClient, place: FlowPlace, *, alive: bool = False) -> tuple[Segment, ...]:
    """Return the last workflow of each run of the repository, newest run first.

    With `alive`, only of those that have a workflow which has not succeeded.
    """
    states = [*ALIVE, *_BROKEN] if alive else None
    found = client.list_workflows(
        name=RUN_WORKFLOW, application_name=place.name, status=states, load_output=False
    )
    newest: dict[str, WorkflowStatus] = {}
    for status in found:
        run, number = run_of(status.workflow_id)
        if run not in newest or number > run_of(newest[run].workflow_id)[1]:
            newest[run] = status
    made = [_segment(client, status) for status in newest.values()]
    return tuple(sorted(made, key=lambda segment: segment.run, reverse=True))


def _segment(client: DBOSClient, status: WorkflowStatus) -> Segment:
    run, number = run_of(status.workflow_id)
    inputs = mapping(status.input).get("args")
    event = client.get_event(status.workflow_id, EVENT, 0)
    return Segment(
        run=run,
        number=number,
        status=status.status,
        executor=status.executor_id or "",
        version=version_number(status.app_version),
        created=(status.created_at or 0) / 1000,
        updated=(status.updated_at or 0) / 1000,
        request=request_from(inputs[0] if isinstance(inputs, list | tuple) and inputs else None),
        published=None if event is None else published_from(event),
    )


def enqueue(client: DBOSClient, place: FlowPlace, workflow: str, request: RunRequest) -> None:
    """Add a workflow to the queue; one that is there already stays as it is."""
    options: EnqueueOptions = {
        "workflow_name": RUN_WORKFLOW,
        "queue_name": place.name,
        "workflow_id": workflow,
        "app_version": version_name(place),
        "application_name": place.name,
    }
    client.enqueue(options, request_json(request))


def followed(client: DBOSClient, place: FlowPlace, segment: Segment, *, waits: bool) -> str:
    """Let a next workflow go on from the last state, and return its id."""
    if segment.is_alive:
        client.cancel_workflow(segment.workflow, cancel_children=True)
    known = segment.current
    request = segment.request._replace(
        state=known.state,
        running=known.running,
        carried=messages(place, segment.workflow, unread=True),
        sequence=known.sequence,
        waits=waits,
    )
    workflow = workflow_id(segment.run, segment.number + 1)
    enqueue(client, place, workflow, request)
    return workflow


def messages(place: FlowPlace, workflow: str, *, unread: bool = False) -> tuple[Json, ...]:
    """Return the messages to a workflow, oldest first; with `unread` those that it has not read.

    DBOS has no call for it; the table is part of its schema 3. In SQLite the times of messages may
    be whole seconds, and DBOS reads those of one second in the order of their rows.
    """
    engine = sa.create_engine(url_of(place))
    table = "dbos.notifications" if place.is_shared else "notifications"
    state = "AND NOT consumed " if unread else ""
    order = "created_at_epoch_ms" if place.is_shared else "created_at_epoch_ms, rowid"
    query = (
        f"SELECT message FROM {table} WHERE destination_uuid = :workflow "  # noqa: S608 -- constants
        f"{state}ORDER BY {order}"
    )
    try:
        with engine.connect() as connection:
            rows = connection.execute(sa.text(query), {"workflow": workflow}).fetchall()
    finally:
        engine.dispose()
    return tuple(_message(row[0]) for row in rows)


def _message(text: str) -> Mapping[str, object]:
    return mapping(json.loads(text))
