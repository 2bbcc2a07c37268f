"""Access to runs from other processes: reading, and sending decisions. Executes nothing."""

import os
import time

from dbos import DBOSClient

from .. import writing
from ..errors import HelixError, UsageError
from ..phases.advance import refusal
from ..phases.flow import Flow
from ..phases.json_form import event_from, event_json
from ..phases.progress import approved_hashes
from ..phases.questions import BUDGET
from ..phases.run_state import (
    APPROVE,
    APPROVED,
    CANCEL,
    RETRY,
    RUNNING,
    PersonDecided,
    RunState,
)
from ..phases.run_text import FlowView, RunRow
from ..text import printable
from . import apply as applying
from . import segments
from .apply import Applied
from .database import opened, ready
from .messages import TOPIC
from .place import FlowPlace
from .segments import Segment
from .workers import Sign, executor_of

_APPLIED = "applied"
"""The file of a run whose changes were applied on this machine."""
_SURELY_IDLE = 5.0
"""Seconds without a change after which a run without a process counts as left alone."""


def runs(place: FlowPlace) -> tuple[RunRow, ...]:
    """Return all runs of the repository, newest first. Raises HelixError."""
    if not exists(place):
        return ()
    ready(place)
    with opened(place) as client:
        return tuple(_row(client, place, segment) for segment in segments.every(client, place))


def chosen(place: FlowPlace, name: str) -> str:
    """Return the id of the run with an id or a prefix of one; "" means the newest in this tree.

    Raises:
        UsageError: No run or several runs match. The message lists them.
    """
    rows = runs(place)
    if not name:
        own = [row.run for row in rows if row.root == place.root]
        if not own and not place.is_shared and place.is_main:
            # The clone may have been moved since: then the paths of its work trees are gone.
            own = [row.run for row in rows if not os.path.isdir(row.root)]
        if not own:
            raise UsageError("no run in this work tree; start one: helix-hooks run FILE")
        return own[0]
    ids = [row.run for row in rows]
    matches = [id for id in ids if id.startswith(name)]
    if name in matches:
        return name
    if len(matches) == 1:
        return matches[0]
    how_many = "several runs" if matches else "no run"
    listed = ", ".join((matches or ids)[:10]) or "no run"
    raise UsageError(f"{how_many} called {name!r}; there is {listed}")


def look(place: FlowPlace, run: str) -> tuple[Flow, RunState]:
    """Return the flow and the last published state of a run. Raises HelixError."""
    with opened(place) as client:
        segment = segment_of(client, place, run)
    return segment.request.flow, segment.current.state


def view_of(place: FlowPlace, run: str) -> FlowView:
    """Return a run with the process that executes it now. Raises HelixError."""
    with opened(place) as client:
        segment = segment_of(client, place, run)
        sign, idle = _execution(client, place, segment)
    return FlowView(
        flow=segment.request.flow,
        state=segment.current.state,
        outcome=segment.outcome,
        executor=sign.name if sign else "",
        seen=sign.seconds if sign else None,
        idle=idle,
        is_applied=os.path.exists(os.path.join(place.run_folder(run), _APPLIED)),
        tree=place.tree(run) if os.path.isdir(place.tree(run)) else "",
        base=segment.request.base,
        commit=segment.current.commit,
        commits=segment.current.commits,
    )


def _execution(
    client: DBOSClient, place: FlowPlace, segment: Segment
) -> tuple[Sign | None, float | None]:
    """Return the living process that executes a run, and for how many seconds nobody has.

    The seconds are None for a run that waits for a person, has ended, or may just be starting.
    """
    sign = executor_of(place, segment)
    if sign and sign.is_alive:
        return sign, None
    if segment.outcome != RUNNING and not _has_unread_answer(place, segment):
        return None, None
    idle = max(0.0, time.time() - segments.last_change(client, segment))
    # A process that has died may have been seen after the last change.
    if sign:
        idle = min(idle, sign.seconds)
    return None, idle if idle >= _SURELY_IDLE else None


def _has_unread_answer(place: FlowPlace, segment: Segment) -> bool:
    """Return whether a person has answered, and no process has continued the run since."""
    if not segment.is_alive:
        return False
    unread = segments.messages(place, segment.workflow, unread=True)
    events = (event_from(message["event"]) for message in unread if "event" in message)
    return any(isinstance(event, PersonDecided) for event in events)


def apply(place: FlowPlace, run: str) -> Applied:
    """Bring the changes of an approved run into the user's work tree, and remove its own tree.

    Raises:
        UsageError: The run is not approved, or the user's work tree has other changes there.
        HelixError: The database, or a file, can't be read or written.
    """
    with opened(place) as client:
        segment = segment_of(client, place, run)
    if segment.outcome != APPROVED:
        raise UsageError(f"{run} is {segment.outcome}; only an approved run can be applied")
    known = segment.current
    approved = approved_hashes(known.state.phases.values())
    try:
        applied = applying.apply(place, run, segment.request.base, known.commit, approved)
    except OSError as error:
        path = printable(str(error.filename))
        raise HelixError(f"nothing was changed: {path}: {error.strerror}") from None
    writing.replace(os.path.join(place.made_run_folder(run), _APPLIED), b"")
    if os.path.isdir(place.tree(run)):
        kept_for = applying.remove_tree(place, run)
        if kept_for:
            applied = applied._replace(tree=place.tree(run), kept_for=kept_for)
    return applied


def states(place: FlowPlace) -> tuple[tuple[Flow, RunState], ...]:
    """Return the flow and the last state of all runs, newest first. Raises HelixError."""
    if not exists(place):
        return ()
    ready(place)
    with opened(place) as client:
        every = segments.every(client, place)
    return tuple((segment.request.flow, segment.current.state) for segment in every)


def send(place: FlowPlace, run: str, decided: PersonDecided) -> str:
    """Send a decision to a run, and return the id of the message for `attend`.

    A retry or an override continues a run that has ended. The process that executes the run acts
    on the message, so call `attend` afterwards.

    Raises:
        UsageError: The decision does not count now, or another person was first.
        HelixError: The database can't be read or written.
    """
    with opened(place) as client:
        segment = segment_of(client, place, run)
        reason = refusal(segment.current.state, decided)
        if reason:
            raise UsageError(reason)
        workflow = segment.workflow
        if not segment.reads_messages:
            waits = decided.action in (APPROVE, RETRY)
            workflow = segments.start_next(client, place, segment, waits=waits)
        id = os.urandom(8).hex()
        message = {"id": id, "event": event_json(decided)}
        client.send(workflow, message, TOPIC, idempotency_key=id)
        # Compare after sending: only then the order of concurrent messages is known.
        _refuse_second(place, workflow, segment.current.seen, id, decided)
        return id


def _refuse_second(
    place: FlowPlace, workflow: str, seen: tuple[str, ...], id: str, decided: PersonDecided
) -> None:
    """Raise UsageError if the same question was answered before the message with this id.

    `seen` are the messages that the run had read when it published the question.
    """
    if decided.action == CANCEL:
        return
    for message in segments.messages(place, workflow):
        if message.get("id") == id:
            return
        if message.get("id") in seen or "event" not in message:
            continue
        event = event_from(message["event"])
        if not isinstance(event, PersonDecided) or event.action == CANCEL:
            continue
        if (event.phase, event.number) == (decided.phase, decided.number):
            raise UsageError(
                f"{event.by.in_words} decided first: {event.action} {event.phase or BUDGET}; "
                "see `helix-hooks flow status`"
            )


def nudge(client: DBOSClient, workflow: str) -> str:
    """Send a message without content. Once it is read, all earlier messages are read too."""
    id = os.urandom(8).hex()
    client.send(workflow, {"id": id}, TOPIC, idempotency_key=id)
    return id


def segment_of(client: DBOSClient, place: FlowPlace, run: str) -> Segment:
    """Return the last workflow of a run.

    Raises:
        UsageError: There is no such run.
    """
    segment = segments.last(client, place, run)
    if not segment:
        raise UsageError(f"there is no run {run!r}; all runs: helix-hooks flow list")
    return segment


def exists(place: FlowPlace) -> bool:
    """Return whether there may be runs here."""
    return place.is_shared or os.path.exists(place.database)


def _row(client: DBOSClient, place: FlowPlace, segment: Segment) -> RunRow:
    state = segment.current.state
    idle = None
    if segment.is_alive:
        _, idle = _execution(client, place, segment)
    questions = (state.question, *(phase.question for phase in state.phases.values()))
    if idle is not None and segment.outcome != RUNNING:
        questions = ()  # a person has answered
    return RunRow(
        run=segment.run,
        flow=segment.request.flow.name,
        state=segment.outcome,
        asked_by=state.asked_by.name,
        root=segment.request.root,
        started=segment.begun,
        updated=segment.updated,
        questions=tuple(filter(None, questions)),
        idle_seconds=None if idle is None else round(idle, 3),
    )
