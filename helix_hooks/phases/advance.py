"""How a run goes on: pure, from the flow, the state and one event at a time."""

from collections.abc import Mapping

from .flow import Flow
from .run_state import Decider, PersonDecided, PhaseProgress, RunState, StageEnded, StageTask


def begun(
    flow: Flow,
    run: str,
    asked_by: Decider,
    only: tuple[str, ...] = (),
    earlier: Mapping[str, PhaseProgress] = {},
) -> RunState:
    """Return the state of a new run of `only` some phases, or of all.

    `earlier` are phases of a former run; those outside of `only` must be approved in it. Raises
    UsageError where one is not.
    """
    raise NotImplementedError


def tasks(flow: Flow, state: RunState) -> tuple[StageTask, ...]:
    """Return the tasks that can start now. Nothing is marked."""
    raise NotImplementedError


def started(state: RunState, task: StageTask) -> RunState:
    """Return the state in which a task runs."""
    raise NotImplementedError


def advanced(flow: Flow, state: RunState, event: StageEnded | PersonDecided) -> RunState:
    """Return the state after an event; an event that no longer counts changes nothing."""
    raise NotImplementedError


def refusal(state: RunState, event: PersonDecided) -> str:
    """Return why a person's answer does not count, "" if it does."""
    raise NotImplementedError


def outcome(state: RunState) -> str:
    """Return "running", "approved", "rejected", "paused" or "cancelled"."""
    raise NotImplementedError
