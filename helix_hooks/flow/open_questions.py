"""The open questions of all runs of a repository, each with its time."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dbos import DBOSClient, WorkflowStatus

from ..phases.questions import OpenQuestion, questions
from ..phases.run_state import DECIDE
from ..waiting.flow_entry import RunQuestion
from . import segments
from .client import exists
from .database import opened, ready
from .messages import STAGE_WORKFLOW
from .place import FlowPlace
from .segments import Segment


class _Ends(NamedTuple):
    """The end times of a run's tasks by phase and number, in seconds since 1970."""

    by_task: dict[tuple[str, int], int]
    started: int

    def asked_at(self, question: OpenQuestion) -> int:
        """Return the time of a question."""
        # A gate asks at the end of its task. Any other question may result from any phase.
        end = self.by_task.get((question.phase, question.number), 0)
        if question.pause == DECIDE and end:
            return end
        return max((*self.by_task.values(), self.started))


def open_questions(place: FlowPlace) -> tuple[RunQuestion, ...]:
    """Return the open questions of a repository's runs, newest run first. Raises HelixError."""
    if not exists(place):
        return ()
    ready(place)
    with opened(place) as client:
        return tuple(_questions(client, place, segments.every(client, place, unfinished=True)))


def questions_of(place: FlowPlace, run: str) -> tuple[RunQuestion, ...]:
    """Return the open questions of a run, () for a run that has ended. Raises HelixError."""
    if not exists(place):
        return ()
    with opened(place) as client:
        segment = segments.last(client, place, run)
        if not segment or not segment.is_alive:
            return ()
        return tuple(_questions(client, place, [segment]))


def _questions(
    client: DBOSClient, place: FlowPlace, alive: Iterable[Segment]
) -> Iterator[RunQuestion]:
    for segment in alive:
        flow, state = segment.request.flow, segment.current.state
        asked = questions(flow, state)
        if not asked:
            continue
        ends = _ends(client, place, segment)
        for question in asked:
            yield RunQuestion(flow, state, question, ends.asked_at(question), segment.request.root)


def _ends(client: DBOSClient, place: FlowPlace, segment: Segment) -> _Ends:
    statuses = client.list_workflows(
        name=STAGE_WORKFLOW,
        application_name=place.name,
        workflow_id_prefix=f"{segment.run}.",
        load_input=False,
        load_output=False,
    )
    by_task = dict(_ended(status) for status in statuses if status.completed_at)
    return _Ends(by_task, int(segment.begun))


def _ended(status: WorkflowStatus) -> tuple[tuple[str, int], int]:
    _, phase, number = status.workflow_id.split("/")
    return (phase, int(number)), (status.completed_at or 0) // 1000
