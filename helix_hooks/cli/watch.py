"""`check --watch`: check again at each change, until Ctrl-C."""

import gc
import sys
import time
from itertools import count

from ..check.options import CheckOptions
from ..check.watching import WatchedFiles
from ..console.output import is_screen, print_message, print_result
from ..errors import HelixError, UsageError
from ..repository import git
from . import hook
from .frame import git_root
from .observed import ObservedCheck

# Clear the screen and its history, and move the cursor to the start.
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def check_at_each_change(options: CheckOptions, output: hook.CheckOutput, *, verbose: bool) -> int:
    """Check, wait for a change, and repeat that until Ctrl-C.

    Raises:
        UsageError: Options can't be used with --watch, or the first check refuses them.
    """
    _refuse_conflicts(options, output)
    root = git_root("--watch")
    gc.enable()  # `main` turns it off, because other calls are short
    paths = (*git.paths_in(root, options.paths), options.baseline, options.concept)
    files = WatchedFiles(root, filter(None, paths))
    for number in count(1):
        _begin(number)
        observed = ObservedCheck(verbose=verbose, quiet=output.quiet)
        _round(options, output._replace(observed=observed), is_first=number == 1)
        files.wait()
    return 0


def _refuse_conflicts(options: CheckOptions, output: hook.CheckOutput) -> None:
    flags = {
        "--staged": options.staged,
        "--since": options.since,
        "--write-baseline": not options.use_baseline,
        "--output": output.file,
        "--exit-zero": output.exit_zero,
    }
    for flag, is_used in flags.items():
        if is_used:
            raise UsageError(f"--watch cannot be used with {flag}: it checks the work tree")
    if output.format != "text":
        raise UsageError("--watch cannot be used with --format: it prints text")


def _begin(number: int) -> None:
    """Clear a terminal; elsewhere print a line between two rounds."""
    now = time.strftime("%H:%M:%S")
    if is_screen(sys.stdout):
        print_result(_CLEAR)
    elif number > 1:
        print_result("\n")
    print_result(f"--- {now}, check {number} ---\n")


def _round(options: CheckOptions, output: hook.CheckOutput, *, is_first: bool) -> None:
    """Check once. An error is only printed: the next change of a file may fix it."""
    try:
        hook.check(options, output)
    except HelixError as error:
        if is_first and isinstance(error, UsageError):
            raise
        print_message(error)
