"""The progress of a check: phases with their time, number of ADRs done."""

import time
from collections.abc import Callable
from typing import NamedTuple

Progress = Callable[[int, int], None]
"""Called with the number of ADRs that are done, and the number of all."""

SETTINGS, RULES, CORPUS, REPORT = "settings", "rules", "other ADRs", "report"
"""The phases of a check, in their order."""


class CheckPhase(NamedTuple):
    """A phase that has ended; `seconds` of wall-clock time."""

    name: str
    seconds: float


class CheckObserver:
    """The record of one check. `progress` is called for each ADR that is done."""

    def __init__(self, progress: Progress | None = None) -> None:
        self.phases: list[CheckPhase] = []
        self._progress = progress
        self._name, self._since = SETTINGS, time.monotonic()
        self._all = 0

    def begin(self, name: str) -> None:
        """Begin a phase, and end the previous one."""
        now = time.monotonic()
        self.phases.append(CheckPhase(self._name, now - self._since))
        self._name, self._since = name, now

    def expect(self, count: int) -> None:
        """Set the number of ADRs to examine."""
        self._all = count

    def done(self, count: int) -> None:
        """Set the number of ADRs that are examined."""
        if self._progress:
            self._progress(count, self._all)
