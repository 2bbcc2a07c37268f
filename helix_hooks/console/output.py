"""Print results on standard output, and lines for a person on standard error.

Only this module turns an error into such a line and an exit code.
"""

import os
import sys
from collections.abc import Callable

from ..errors import HelixError
from ..text.sanitize import log_line


def print_result(text: str) -> None:
    """Print a result at once. A reader that has gone away (`| head`) changes no exit code."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_message(message: object) -> None:
    """Print a line on standard error, safe for a terminal and for a runner of GitHub Actions.

    Paths and keys in it come from the repository.
    """
    print(f"helix-hooks: {log_line(str(message))}", file=sys.stderr)


def print_line_of_program(line: str) -> None:
    """Print a line of another program's output on standard error, marked as such."""
    print(f"| {log_line(line)}", file=sys.stderr, flush=True)


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
