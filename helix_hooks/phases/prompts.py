"""The prompt of a try."""

from .flow import Phase
from .run_state import StageTask


def prompt_of(phase: Phase, task: StageTask, text: str, asked: str) -> str:
    """Return the prompt for the creator of a phase.

    `text` is the prompt as configured, or as its command printed it; `asked` is the task of the
    run.
    """
    raise NotImplementedError


def complaint_about(text: str) -> str:
    """Return which variable of a prompt is unknown, "" if none is."""
    raise NotImplementedError
