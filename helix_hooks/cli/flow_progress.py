"""The progress of a flow's run: a table on a terminal, else a line for each change."""

import os
import sys
import threading
import time
from types import TracebackType
from typing import Self

from ..console.output import print_line_of_program
from ..console.progress import LiveLines
from ..flow.relay import AttendEdges
from ..phases.flow import Flow
from ..phases.run_state import RUNNING, RunState
from ..report.flow import phase_row
from ..report.flow_changes import changes
from ..text.sanitize import printable
from ..text.table import table
from .frame import Console

_TICK = 0.25
"""Seconds between two drawings of the table, which shows running times."""

_LONGEST = 500
"""Maximum number of characters of an output line in the table."""


class FlowProgress:
    """The progress on standard error while a run is executed; leaving `with` removes the table."""

    def __init__(self, shown: Console) -> None:
        self._lines = LiveLines(sys.stderr, quiet=shown.quiet)
        self._prints = not self._lines.is_shown and not shown.quiet
        self._color = shown.color != "never" and not os.environ.get("NO_COLOR")
        self._flow: Flow | None = None
        self._state: RunState | None = None
        self._begun: dict[str, tuple[int, float]] = {}
        self._last: dict[str, str] = {}
        self._ended = threading.Event()
        self._drawing: threading.Thread | None = None

    @property
    def edges(self) -> AttendEdges:
        return AttendEdges(tell=self._lines.message, show=self.show, changed=self.changed)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._drawing:
            self._drawing.join()
        self._lines.clear()

    def show(self, phase: str, line: str) -> None:
        """Show a line of output from the command of a phase."""
        self._last[phase] = printable(line, _LONGEST)
        if self._prints:
            print_line_of_program(f"{phase}: {line}")

    def changed(self, flow: Flow, state: RunState) -> None:
        """Show a new state of the run."""
        if self._prints:
            for line in changes(flow, self._state, state):
                self._lines.message(line)
        for id, progress in state.phases.items():
            # A new attempt of the phase starts its time again.
            if self._begun.get(id, (0, 0.0))[0] != progress.number:
                self._begun[id] = progress.number, time.monotonic()
                self._last.pop(id, None)
        # Set last: the thread of the table reads `_begun` for each running phase of the state.
        self._flow, self._state = flow, state
        # Started here, since a process with threads can't fork safely, and `attend` forks.
        if self._lines.is_shown and not self._drawing:
            self._drawing = threading.Thread(target=self._draw, daemon=True)
            self._drawing.start()

    def _draw(self) -> None:
        while not self._ended.is_set():
            self._lines.draw(self._table)
            self._ended.wait(_TICK)

    def _table(self, columns: int) -> list[str]:
        rows = []
        if self._flow and self._state:
            for phase in self._flow.phases:
                if progress := self._state.phases.get(phase.id):
                    row = phase_row(phase, progress)
                    if progress.state == RUNNING:
                        seconds = progress.seconds + time.monotonic() - self._begun[phase.id][1]
                        row = phase_row(phase, progress._replace(seconds=seconds))
                        row = (*row[:-1], self._last.get(phase.id, ""))
                    rows.append(row)
        return table(rows, color=self._color, columns=columns)
