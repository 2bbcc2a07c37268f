"""Print results on standard output, and messages and progress for a person on standard error.

Only this module turns an error into a message and an exit code.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from shutil import get_terminal_size
from typing import ParamSpec, TextIO

from .errors import HelixError
from .text import cut, log_line, printable

_Arguments = ParamSpec("_Arguments")
_USUAL_COLUMNS = 80


def print_result(result: str | bytes) -> None:
    """Print a result at once; bytes if each of them matters, as in a patch.

    A closed pipe (`| head`) does not change the exit code.

    Raises:
        HelixError: The result can't be written, e.g. on a full disk.
    """
    try:
        sys.stdout.flush()
        if isinstance(result, bytes):
            sys.stdout.buffer.write(result)
        else:
            sys.stdout.write(result)
        sys.stdout.flush()
    except BrokenPipeError:
        _write_nothing_more(sys.stdout.fileno())
    except OSError as error:
        _write_nothing_more(sys.stdout.fileno())
        raise HelixError(f"the result cannot be printed: {error.strerror}") from None


def print_patch(data: bytes) -> None:
    """Print a patch. A file or program gets each byte, so that `git apply` can read it.

    Raises:
        HelixError: It can't be written.
    """
    if not sys.stdout.isatty():
        print_result(data)
        return
    # On a terminal, control characters of a file must not take effect.
    lines = data.decode(errors="surrogateescape").removesuffix("\n").split("\n")
    print_result("".join(f"{printable(line)}\n" for line in lines if data))


def print_message(message: object) -> None:
    """Print a line on standard error.

    Paths and keys in it come from the repository, so characters are removed that a terminal or a
    runner of GitHub Actions would take for a command.
    """
    _print_for_person(f"helix-hooks: {log_line(str(message))}")


def print_line_of_program(line: str) -> None:
    """Print a line of another program's output on standard error, marked as such."""
    _print_for_person(f"| {log_line(line)}")


def _print_for_person(line: str) -> None:
    """Print a line on standard error. A failure does not change the work or its exit code."""
    if not sys.stderr:
        return
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        _write_nothing_more(sys.stderr.fileno())


def _write_nothing_more(stream: int) -> None:
    """Drop all later output of a stream, also what Python flushes at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def colored(color: str) -> bool:
    """Return whether to print colours: `color` is always, never or auto.

    auto means colours on a terminal that is not dumb. A non-empty NO_COLOR forbids them
    (no-color.org); otherwise a non-empty FORCE_COLOR requires them (force-color.org).
    """
    if color != "auto":
        return bool(color == "always")
    if os.environ.get("NO_COLOR"):
        return False
    return is_screen(sys.stdout) or bool(os.environ.get("FORCE_COLOR"))


def is_screen(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal that can clear and overwrite a line."""
    return bool(stream and stream.isatty()) and os.environ.get("TERM") != "dumb"


def columns() -> int:
    """Return the columns of standard output: COLUMNS, else the terminal's; 0 without a terminal."""
    if not sys.stdout.isatty():
        return 0
    return get_terminal_size((_USUAL_COLUMNS, 24)).columns


def exit_code_of(
    work: Callable[_Arguments, int], *args: _Arguments.args, **options: _Arguments.kwargs
) -> int:
    """Do some work and return its exit code. For an error, print a message and return its code."""
    try:
        return work(*args, **options)
    except HelixError as error:
        print_message(error)
        return error.exit_code
    except KeyboardInterrupt:
        return 130  # as a shell reports a program that SIGINT has ended
    except Exception as error:
        if os.environ.get("HELIX_HOOKS_DEBUG"):
            raise
        about = f"{type(error).__name__}: {error}"
        print_message(f"internal error: {about} (HELIX_HOOKS_DEBUG=1 shows where)")
        return 3


# The progress of judges.

PAUSE = 0.1
"""Minimum seconds between two drawings."""

_ERASE = "\r\x1b[J"
"""Move the cursor to the start of the line, and erase the terminal from there."""


class JudgeProgress:
    """The last line of a terminal, with the current activity of each judge.

    Without a terminal, nothing is drawn.
    """

    def __init__(
        self,
        stream: TextIO | None,
        *,
        quiet: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream if is_screen(stream) and not quiet else None
        self._clock = clock
        self._next = clock()
        self._is_drawn = False
        self._doing: dict[str, str] = {}
        self._lock = threading.RLock()

    def tell(self, name: str, seconds: float, doing: str) -> None:
        """Show the time and the current activity of a judge."""
        with self._lock:
            self._doing[name] = ", ".join(filter(None, (f"{name} {seconds:.0f} s", doing)))
            now = self._clock()
            if self._stream and now >= self._next:
                self._next = now + PAUSE
                try:
                    room = os.get_terminal_size(self._stream.fileno()).columns or _USUAL_COLUMNS
                except (OSError, ValueError):
                    room = _USUAL_COLUMNS
                line = printable(" · ".join(self._doing.values()), room)
                self._is_drawn = True
                self._write(_ERASE + cut(line, room))

    def clear(self) -> None:
        """Remove the line, so that what comes next takes its place."""
        with self._lock:
            if self._is_drawn:
                self._write(_ERASE)
                self._is_drawn = False

    def message(self, line: str) -> None:
        """Print a message of the program in place of the line."""
        with self._lock:
            self.clear()
            print_message(line)

    def _write(self, text: str) -> None:
        """Write to the terminal. If it is closed, the work continues."""
        with contextlib.suppress(OSError):
            if self._stream:
                self._stream.write(text)
                self._stream.flush()
