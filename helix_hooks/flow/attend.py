"""A run accompanied until it ends or waits for a person."""

from collections.abc import Callable
from typing import NamedTuple

from ..phases.flow import Flow
from ..phases.run_state import RunState
from .place import FlowPlace


def _nothing(_flow: Flow, _state: RunState) -> None:
    """Leave new states unseen."""


class AttendEdges(NamedTuple):
    """Functions that are called meanwhile, from several threads but never two at once.

    `tell` gets a line of ours, `show` the id of a phase and a line that its command printed,
    `changed` each new state of the run, the first one at once.
    """

    tell: Callable[[str], None]
    show: Callable[[str, str], None]
    changed: Callable[[Flow, RunState], None] = _nothing


def attend(place: FlowPlace, run: str, edges: AttendEdges) -> int:
    """Execute what is pending if nobody else does, and watch until the run ends or is paused.

    Returns the exit code: 0 approved, 1 rejected or cancelled, 4 paused. Raises HelixError.
    """
    raise NotImplementedError
