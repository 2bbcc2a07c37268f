"""The event log of a run: one JSON line for each change of a phase or of the run.

The lines follow from the published states alone. So a process that goes on after a kill makes the
same lines with the same numbers, and writes those that are not there yet.
"""

import json
import os
from collections.abc import Iterator

from .. import writing
from ..phases.advance import outcome
from ..phases.run_state import PhaseProgress, RunState
from ..phases.settle import cost
from . import plain, run_files


def changes(before: RunState | None, after: RunState) -> Iterator[dict[str, object]]:
    """Yield what changed in a run, phase by phase, then the run itself."""
    for id, progress in after.phases.items():
        if before is None or _sign(before.phases[id]) != _sign(progress):
            message = progress.result.message if progress.result else ""
            yield {
                "phase": id,
                "stage": progress.stage,
                "attempt": progress.attempt,
                "number": progress.number,
                "state": progress.state,
                "message": progress.question or message,
                "decided": progress.decided,
                "cost_usd": round(progress.cost_usd, 6),
                "seconds": round(progress.seconds, 3),
            }
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


def _sign(progress: PhaseProgress) -> tuple[object, ...]:
    return (
        progress.stage,
        progress.attempt,
        progress.number,
        progress.state,
        progress.question,
        progress.overridden,
        progress.decided,
    )


class EventLog:
    """The file of events, of which lines up to a number are there already."""

    def __init__(self, root: str, run: str, sequence: int) -> None:
        """Open the log. `sequence` is the last number that a workflow before has used.

        A work tree that is gone has none, and its run can still be cancelled.
        """
        self._root, self._run, self.sequence = root, run, sequence
        self._place, self._written = "", 0
        if not os.path.isdir(root):
            return
        self._place = os.path.join(run_files.made(root, run), run_files.EVENTS)
        self._written = _last_number(self._place)

    def add(self, before: RunState | None, after: RunState, time: float) -> None:
        """Write what changed, as far as it is not there yet. Raises HelixError, OSError."""
        lines = []
        for change in changes(before, after):
            self.sequence += 1
            if self.sequence > self._written:
                event = {"time": time, "seq": self.sequence, "run": self._run, **change}
                lines.append(json.dumps(event, ensure_ascii=False) + "\n")
        if lines and self._place:
            run_files.made(self._root, self._run)  # an agent may have removed it
            plain.refuse_special(self._place)
            writing.append(self._place, "".join(lines).encode(errors="replace"))
            self._written = self.sequence


def _last_number(place: str) -> int:
    """Return the number of the last whole line, after cutting off one that a kill has left."""
    if os.path.islink(place) or not os.path.isfile(place):
        return 0
    with open(place, "rb") as file:
        data = file.read()
    lines, _, rest = data.rpartition(b"\n")
    if rest:
        writing.replace(place, lines + b"\n" if lines else b"")
    try:
        last = json.loads(lines.rpartition(b"\n")[2])
    except (ValueError, RecursionError):
        return 0
    number = last.get("seq") if isinstance(last, dict) else 0
    return number if isinstance(number, int) else 0
