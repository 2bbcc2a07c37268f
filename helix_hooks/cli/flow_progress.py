"""The progress of a flow's run: a table on a terminal, else a line for each change."""

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ..console.output import is_screen, print_line_of_program, print_message
from ..flow.relay import AttendEdges
from ..phases.flow import Flow, Phase
from ..phases.run_state import (
    APPROVED,
    CANCELLED,
    PAUSED,
    REJECTED,
    RUNNING,
    WAITING,
    PhaseProgress,
    RunState,
)
from ..report.flow import duration, message_of, money, tries
from ..report.flow_changes import changes
from ..text.sanitize import log_line, printable
from .frame import Console

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

_STYLES = {
    RUNNING: "cyan",
    APPROVED: "green",
    REJECTED: "red",
    PAUSED: "yellow",
    CANCELLED: "dim",
    WAITING: "dim",
}
_PER_SECOND = 4
_LONGEST = 500
"""Maximum number of characters of a message in the table."""


class FlowProgress:
    """The progress on standard error while a run is executed; leaving `with` removes the table."""

    def __init__(self, shown: Console) -> None:
        self._shown = shown
        self._live: Live | None = None
        self._flow: Flow | None = None
        self._state: RunState | None = None
        self._begun: dict[str, tuple[int, float]] = {}
        self._last: dict[str, str] = {}

    @property
    def edges(self) -> AttendEdges:
        return AttendEdges(tell=self.tell, show=self.show, changed=self.changed)

    def __enter__(self) -> Self:
        if is_screen(sys.stderr) and not self._shown.quiet:
            self._live = _live(self, self._shown.color == "never")
            self._live.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._live:
            self._live.stop()

    def tell(self, line: str) -> None:
        """Show a message of the program."""
        if self._live:
            self._live.console.out(f"helix-hooks: {log_line(line)}", highlight=False)
        else:
            print_message(line)

    def show(self, phase: str, line: str) -> None:
        """Show a line of output from the command of a phase."""
        self._last[phase] = printable(line, _LONGEST)
        if not self._live and not self._shown.quiet:
            print_line_of_program(f"{phase}: {line}")

    def changed(self, flow: Flow, state: RunState) -> None:
        """Show a new state of the run."""
        lines = [*changes(flow, self._state, state)]
        for id, progress in state.phases.items():
            # A new attempt of the phase starts its time again.
            if self._begun.get(id, (0, 0.0))[0] != progress.number:
                self._begun[id] = progress.number, time.monotonic()
                self._last.pop(id, None)
        # Set last: the thread of the table reads `_begun` for each running phase of the state.
        self._flow, self._state = flow, state
        if not self._live and not self._shown.quiet:
            for line in lines:
                print_message(line)

    def __rich__(self) -> "Table":
        """Return the current table."""
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 2), expand=True)
        for _ in range(5):
            table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        if not self._flow or not self._state:
            return table
        for phase in self._flow.phases:
            progress = self._state.phases.get(phase.id)
            if progress:
                style = _STYLES[progress.state]
                cells = self._cells(phase, progress)
                table.add_row(Text(progress.state, style), *map(Text, cells))
        return table

    def _cells(self, phase: Phase, progress: PhaseProgress) -> tuple[str, ...]:
        seconds, about = progress.seconds, message_of(progress)
        if progress.state == RUNNING:
            seconds += time.monotonic() - self._begun[phase.id][1]
            about = self._last.get(phase.id, "")
        attempts, time_used, cost = "", "", ""
        if progress.number:  # 0 before the first attempt
            attempts, time_used = tries(phase, progress), duration(seconds)
        if progress.cost_usd:
            cost = money(progress.cost_usd)
        return printable(phase.id, 24), attempts, time_used, cost, printable(about, _LONGEST)


def _live(progress: FlowProgress, is_plain: bool) -> "Live":
    from rich.console import Console as Terminal
    from rich.live import Live

    is_plain = is_plain or bool(os.environ.get("NO_COLOR"))
    terminal = Terminal(stderr=True, no_color=is_plain, highlight=False, markup=False, emoji=False)
    return Live(
        progress, console=terminal, refresh_per_second=_PER_SECOND, transient=True,
        redirect_stdout=False, redirect_stderr=False,
    )  # fmt: skip
