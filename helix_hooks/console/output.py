"""Print results on standard output, and lines for a person on standard error.

Only this module turns an error into such a line and an exit code.
"""

import os
import sys
from collections.abc import Callable

from ..errors import HelixError
from ..text.sanitize import log_line


def print_result(text: str) -> None:
    """Print a result at once. A reader that has gone away (`| head`) changes no exit code.

    Raises HelixError where it can't be written, as on a full disk.
    """
    _print(lambda: sys.stdout.write(text))


def print_bytes(data: bytes) -> None:
    """Print a result of which each byte counts, such as a patch, as `print_result` does."""
    _print(lambda: sys.stdout.buffer.write(data))


def _print(write: Callable[[], int]) -> None:
    try:
        sys.stdout.flush()
        write()
        sys.stdout.flush()
    except BrokenPipeError:
        _write_nothing_more(sys.stdout.fileno())
    except OSError as error:
        _write_nothing_more(sys.stdout.fileno())
        raise HelixError(f"the result can't be printed: {error.strerror}") from None


def print_message(message: object) -> None:
    """Print a line on standard error, safe for a terminal and for a runner of GitHub Actions.

    Paths and keys in it come from the repository.
    """
    _print_for_person(f"helix-hooks: {log_line(str(message))}")


def print_line_of_program(line: str) -> None:
    """Print a line of another program's output on standard error, marked as such."""
    _print_for_person(f"| {log_line(line)}")


def _print_for_person(line: str) -> None:
    """Print a line; where nobody can read it, the work and its exit code are the same."""
    if not sys.stderr:
        return
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        _write_nothing_more(sys.stderr.fileno())


def _write_nothing_more(stream: int) -> None:
    """Have what is still written to a stream dropped, also what it flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def colored(color: str) -> bool:
    """Return whether to print colours: `color` is always, never or auto.

    auto means: at a terminal, unless NO_COLOR or TERM=dumb forbids it.
    """
    if color != "auto":
        return bool(color == "always")
    is_forbidden = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_forbidden


def exit_code_of(work: Callable[[], int]) -> int:
    """Do some work and return its exit code. For an error, print a line and return its code."""
    try:
        return work()
    except HelixError as error:
        print_message(error)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("HELIX_HOOKS_DEBUG"):
            raise
        about = f"{type(error).__name__}: {error}"
        print_message(f"internal error: {about} (HELIX_HOOKS_DEBUG=1 shows where)")
        return 3
