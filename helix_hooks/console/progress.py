"""Progress on the last lines of a terminal: of judges, of a long check, and of a flow."""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from ..text.format import cut
from ..text.sanitize import printable
from .output import is_screen, print_message

PAUSE = 0.1
"""Minimum seconds between two drawings."""

_USUAL_SIZE = os.terminal_size((80, 24))


class LiveLines:
    """Lines that are drawn again in their place. Without a terminal, nothing is drawn."""

    def __init__(
        self,
        stream: TextIO | None,
        *,
        quiet: bool = False,
        after: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Draw on a stream, `after` some seconds at the earliest."""
        self.is_shown = is_screen(stream) and not quiet
        self._stream, self._clock = stream, clock
        self._next = clock() + after
        self._height = 0
        self._lock = threading.RLock()

    def draw(self, lines: Callable[[int], Sequence[str]]) -> None:
        """Draw lines in place of the last ones, if it is time to.

        `lines` is called with the columns of the terminal, and no line may be longer.
        """
        now = self._clock()
        if not self.is_shown or now < self._next:
            return
        with self._lock:
            self._next = now + PAUSE
            columns, height = self._size()
            rows = "\n".join(lines(columns)).split("\n")[: height - 1]
            self._write(self._erasing() + "\n".join(rows))
            self._height = len(rows)

    def clear(self) -> None:
        """Remove the lines, so that what comes next takes their place."""
        with self._lock:
            if self._height:
                self._write(self._erasing())
                self._height = 0

    def message(self, line: str) -> None:
        """Print a message of the program in place of the lines."""
        with self._lock:
            self.clear()
            print_message(line)

    def _size(self) -> os.terminal_size:
        try:
            size = os.get_terminal_size(self._stream.fileno() if self._stream else -1)
        except (OSError, ValueError):
            return _USUAL_SIZE
        return size if all(size) else _USUAL_SIZE

    def _erasing(self) -> str:
        """Return what moves the cursor to the first line, and erases all lines from there."""
        up = f"\x1b[{self._height - 1}A" if self._height > 1 else ""
        return f"\r{up}\x1b[J"

    def _write(self, text: str) -> None:
        """Write to the terminal. If it is closed, the work continues."""
        with contextlib.suppress(OSError):
            if self._stream:
                self._stream.write(text)
                self._stream.flush()


class JudgeProgress(LiveLines):
    """The line with the current activity of each judge."""

    def __init__(self, stream: TextIO | None, *, quiet: bool) -> None:
        super().__init__(stream, quiet=quiet)
        self._doing: dict[str, str] = {}

    def tell(self, name: str, seconds: float, doing: str) -> None:
        """Show the time and the current activity of a judge."""
        with self._lock:
            self._doing[name] = ", ".join(filter(None, (f"{name} {seconds:.0f} s", doing)))
            line = " · ".join(self._doing.values())
            self.draw(lambda columns: [cut(printable(line, columns), columns)])
