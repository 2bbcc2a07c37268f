"""Progress on one line of a terminal: of judges, and of a long check.

Without a terminal, nothing is shown.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import TextIO

from ..text.sanitize import printable
from .output import is_screen

# Move the cursor to the start of the line, and erase the line.
_CLEAR = "\r\x1b[K"
_WIDTH = 100

_AFTER = 1.0
"""Seconds until the progress of a check is shown."""

_PAUSE = 0.1
"""Minimum seconds between two updates of the line."""


class Progress:
    """The line with the current action of each judge. Each change overwrites it."""

    def __init__(self, stream: TextIO | None, quiet: bool) -> None:
        self._stream = stream
        self._doing: dict[str, str] = {}
        self._shown = is_screen(stream) and not quiet
        self._last = ""
        self._lock = threading.Lock()

    def tell(self, name: str, seconds: float, doing: str) -> None:
        """Show the time and the current action of a judge."""
        if not self._stream or not self._shown:
            return
        with self._lock:
            self._doing[name] = ", ".join(filter(None, (f"{name} {seconds:.0f} s", doing)))
            line = printable(" · ".join(filter(None, self._doing.values())), _WIDTH)
            if line != self._last:
                self._last = line
                self._stream.write(f"{_CLEAR}{line}")
                self._stream.flush()

    def clear(self) -> None:
        """Remove the line, so that what comes next takes its place."""
        with self._lock:
            if self._stream and self._last:
                self._last = ""
                self._stream.write(_CLEAR)
                self._stream.flush()


class CheckProgress:
    """The line of a check that takes longer than a second: the number of checked ADRs."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._next = clock() + _AFTER
        self._is_shown = False

    def tell(self, done: int, count: int) -> None:
        """Show the number of checked ADRs, if the line is due."""
        now = self._clock()
        if now < self._next:
            return
        self._next, self._is_shown = now + _PAUSE, True
        self._write(f"{_CLEAR}{done} of {count} ADRs")

    def clear(self) -> None:
        """Remove the line, so that what comes next takes its place."""
        if self._is_shown:
            self._is_shown = False
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        """Write to the terminal. If it is closed, the check continues."""
        with contextlib.suppress(OSError):
            self._stream.write(text)
            self._stream.flush()
