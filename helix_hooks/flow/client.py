"""Runs as other processes see them: read, and sent what a person decided. Executes nothing."""

import os
from typing import NamedTuple

from dbos import DBOSClient

from ..errors import UsageError
from ..phases.advance import refusal
from ..phases.flow import Flow
from ..phases.json_form import event_from, event_json
from ..phases.questions import BUDGET
from ..phases.run_state import CANCEL, RETRY, PersonDecided, RunState
from . import segments
from .database import opened, ready
from .messages import TOPIC
from .place import FlowPlace
from .segments import Segment


class RunRow(NamedTuple):
    """A run in a list.

    `outcome` is that of `phases.advance.outcome`, `questions` what persons are asked. `root` is the
    work tree. Times are in seconds since 1970.
    """

    run: str
    name: str
    outcome: str
    asked_by: str
    root: str
    started: float
    updated: float
    questions: tuple[str, ...] = ()


def runs(place: FlowPlace) -> tuple[RunRow, ...]:
    """Return all runs of the repository, newest first. Raises HelixError."""
    if not exists(place):
        return ()
    ready(place)
    with opened(place) as client:
        return tuple(map(_row, segments.every(client, place)))


def chosen(place: FlowPlace, name: str) -> str:
    """Return the id of the run that a person means: an id, the beginning of one, "" for the newest.

    Raises UsageError, which names those that fit.
    """
    rows = runs(place)
    if not name:
        here = [row.run for row in rows if row.root == place.root]
        if not here:
            raise UsageError("there is no run in this work tree; begin one: helix-hooks run FILE")
        return here[0]
    fitting = [row.run for row in rows if row.run.startswith(name)]
    if name in fitting or len(fitting) == 1:
        return name if name in fitting else fitting[0]
    known = ", ".join((fitting or [row.run for row in rows])[:10]) or "no run"
    how_many = "several runs" if fitting else "no run"
    raise UsageError(f"{how_many} called {name!r}; there is {known}")


def look(place: FlowPlace, run: str) -> tuple[Flow, RunState]:
    """Return the flow and the last published state of a run. Raises HelixError."""
    with opened(place) as client:
        segment = segment_of(client, place, run)
    return segment.request.flow, segment.current.state


def states(place: FlowPlace) -> tuple[tuple[Flow, RunState], ...]:
    """Return the flow and the last state of all runs, newest first. Raises HelixError."""
    if not exists(place):
        return ()
    ready(place)
    with opened(place) as client:
        found = segments.every(client, place)
    return tuple((segment.request.flow, segment.current.state) for segment in found)


def send(place: FlowPlace, run: str, decided: PersonDecided) -> str:
    """Send a run what a person decided, and return the id of the message, for `attend`.

    A run that has ended is continued by a decision to try again. Whoever executes the run acts on
    it: call `attend` afterwards. Raises UsageError if the decision does not count now, or somebody
    else was first, and HelixError.
    """
    with opened(place) as client:
        segment = segment_of(client, place, run)
        reason = refusal(segment.current.state, decided)
        if reason:
            raise UsageError(reason)
        workflow = segment.workflow
        if not segment.is_alive:
            workflow = segments.followed(client, place, segment, waits=decided.action == RETRY)
        id = os.urandom(8).hex()
        message = {"id": id, "event": event_json(decided)}
        client.send(workflow, message, TOPIC, idempotency_key=id)
        _refuse_second(place, workflow, segment.current.seen, id, decided)
        return id


def _refuse_second(
    place: FlowPlace, workflow: str, seen: tuple[str, ...], id: str, decided: PersonDecided
) -> None:
    """Raise UsageError where somebody answered the same question before the message with this id.

    `seen` are messages that the run had read when the question was looked at.
    """
    if decided.action == CANCEL:
        return
    for message in segments.messages(place, workflow):
        if message.get("id") == id:
            return
        event = event_from(message["event"]) if "event" in message else None
        if isinstance(event, PersonDecided) and message.get("id") not in seen:
            is_same = (event.phase, event.number) == (decided.phase, decided.number)
            if is_same and event.action != CANCEL:
                raise UsageError(
                    f"{event.by.in_words} was first: {event.action} {event.phase or BUDGET}; "
                    "`helix-hooks flow status` shows what became of it"
                )


def nudge(client: DBOSClient, workflow: str) -> str:
    """Send a message that asks for nothing; seen, all that were sent before are seen too."""
    id = os.urandom(8).hex()
    client.send(workflow, {"id": id}, TOPIC, idempotency_key=id)
    return id


def segment_of(client: DBOSClient, place: FlowPlace, run: str) -> Segment:
    """Return the last workflow of a run. Raises UsageError if there is no such run."""
    segment = segments.last(client, place, run)
    if not segment:
        raise UsageError(f"there is no run {run!r}; all runs: helix-hooks flow list")
    return segment


def exists(place: FlowPlace) -> bool:
    """Return whether a run may have been begun here."""
    return place.is_shared or os.path.exists(place.database)


def _row(segment: Segment) -> RunRow:
    state = segment.current.state
    asked = (state.question, *(phase.question for phase in state.phases.values()))
    return RunRow(
        run=segment.run,
        name=segment.request.flow.name,
        outcome=segment.outcome,
        asked_by=state.asked_by.name,
        root=segment.request.root,
        started=segment.created,
        updated=segment.updated,
        questions=tuple(filter(None, asked)),
    )
