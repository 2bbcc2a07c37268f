"""The event log of a run: one JSON line for each change of a phase or of the run.

The lines depend only on the published states. After a kill the next process produces the same lines
with the same numbers, and writes the missing ones.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from operator import attrgetter

from .. import writing
from ..phases.advance import outcome
from ..phases.progress import cost
from ..phases.run_state import PhaseProgress, RunState
from . import plain
from .place import EVENTS

_logged = attrgetter("stage", "attempt", "number", "state", "question", "overridden", "decided")
"""The values of a phase whose change is logged."""


def changes(before: RunState | None, after: RunState) -> Iterator[dict[str, object]]:
    """Yield the changes of a run: first of its phases, then of the run itself."""
    for id, progress in after.phases.items():
        if before is None or _logged(before.phases[id]) != _logged(progress):
            yield _change_of_phase(id, progress)
    state = outcome(after)
    if before is None or outcome(before) != state:
        seconds = sum(progress.seconds for progress in after.phases.values())
        yield {
            "phase": "",
            "state": state,
            "message": after.question or after.warning,
            "decided": after.decided,
            "cost_usd": round(cost(after), 6),
            "seconds": round(seconds, 3),
        }


def _change_of_phase(id: str, progress: PhaseProgress) -> dict[str, object]:
    message = progress.question
    if not message and progress.result:
        message = progress.result.message
    return {
        "phase": id,
        "stage": progress.stage,
        "attempt": progress.attempt,
        "number": progress.number,
        "state": progress.state,
        "message": message,
        "decided": progress.decided,
        "cost_usd": round(progress.cost_usd, 6),
        "seconds": round(progress.seconds, 3),
    }


class EventLog:
    """The file of events. `sequence` is the number of the last event."""

    def __init__(self, folder: str, run: str, sequence: int) -> None:
        """Open the log. `sequence` is the last number of an earlier workflow of the run."""
        self._run, self.sequence = run, sequence
        self._path = os.path.join(folder, EVENTS)
        self._written = _last_number(self._path)

    def add(self, before: RunState | None, after: RunState, time: float) -> None:
        """Write the changes that the file does not have yet. Raises HelixError, OSError."""
        lines = []
        for change in changes(before, after):
            self.sequence += 1
            if self.sequence > self._written:
                event = {"time": time, "seq": self.sequence, "run": self._run, **change}
                lines.append(json.dumps(event, ensure_ascii=False) + "\n")
        if lines:
            plain.refuse_special(self._path)
            writing.append(self._path, "".join(lines).encode(errors="replace"))
            self._written = self.sequence


def _last_number(path: str) -> int:
    """Return the number of the last complete line. An incomplete line after it is removed."""
    if os.path.islink(path) or not os.path.isfile(path):
        return 0
    with open(path, "rb") as file:
        data = file.read()
    lines, _, rest = data.rpartition(b"\n")
    if rest:
        # A process was killed while it wrote.
        writing.replace(path, lines + b"\n" if lines else b"")
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        return int(json.loads(lines.rpartition(b"\n")[2])["seq"])
    return 0
