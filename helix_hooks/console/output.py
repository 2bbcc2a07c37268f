"""Write results and errors, and turn errors into exit codes."""

import os
import sys
from collections.abc import Callable

from ..errors import HelixError
from ..text.sanitize import log_line


def write(text: str) -> None:
    """Print a result at once; a reader that has gone away (`| head`) changes no exit code."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: object) -> None:
    """A line on standard error. Paths and keys in it come from the repository, so they are made safe to print, also where a runner of GitHub
    Actions reads along: it takes `##[` anywhere in a line for a command.
    """
    text = log_line(str(message))
    print(f"helix-hooks: {text}", file=sys.stderr)


def colored(color: str) -> bool:
    """Return whether to write colours: as asked, else at a terminal where neither NO_COLOR nor TERM=dumb forbids it."""
    if color != "auto":
        return bool(color == "always")
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def exit_code_of(work: Callable[[], int]) -> int:
    """The exit code of some work, with a line for people where it failed."""
    try:
        return work()
    except HelixError as error:
        complain(error)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("HELIX_HOOKS_DEBUG"):
            raise
        complain(f"internal error: {type(error).__name__}: {error} (HELIX_HOOKS_DEBUG=1 shows where)")
        return 3
