"""The progress of the judges, on one line of a terminal. Without a terminal nothing is shown."""

import threading
from typing import TextIO

from ..text.sanitize import printable

_CLEAR = "\r\x1b[K"
_WIDTH = 100


class Progress:
    """The line, with the current action of each judge. It is overwritten at each change."""

    def __init__(self, stream: TextIO | None, quiet: bool) -> None:
        self._stream = stream
        self._doing: dict[str, str] = {}
        self._shown = bool(stream and stream.isatty() and not quiet)
        self._last = ""
        self._lock = threading.Lock()

    def tell(self, name: str, seconds: float, doing: str) -> None:
        """Show the time and the current action of a judge."""
        if not self._stream or not self._shown:
            return
        with self._lock:
            self._doing[name] = f"{name} {seconds:.0f} s{f', {doing}' if doing else ''}"
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
