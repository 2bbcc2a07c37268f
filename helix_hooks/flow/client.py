"""Runs as other processes see them: read, and sent what a person decided. Executes nothing."""

from typing import NamedTuple

from ..phases.flow import Flow
from ..phases.run_state import PersonDecided, RunState
from .place import FlowPlace


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
    raise NotImplementedError


def chosen(place: FlowPlace, name: str) -> str:
    """Return the id of the run that a person means: an id, the beginning of one, "" for the newest.

    Raises UsageError, which names those that fit.
    """
    raise NotImplementedError


def look(place: FlowPlace, run: str) -> tuple[Flow, RunState]:
    """Return the flow and the last published state of a run. Raises HelixError."""
    raise NotImplementedError


def send(place: FlowPlace, run: str, decided: PersonDecided) -> None:
    """Send a run what a person decided; one that has ended is continued. Raises HelixError.

    Whoever executes the run acts on it: call `attend` afterwards.
    """
    raise NotImplementedError
