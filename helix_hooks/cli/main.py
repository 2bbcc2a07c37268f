"""The program: streams, exit code, and the choice between the hook's parser and click."""

import os
import sys

from ..console.output import exit_code_of
from ..errors import HelixError


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return its exit code.

    Nothing but a traceback asked for by HELIX_HOOKS_DEBUG escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    return exit_code_of(lambda: run(sys.argv[1:] if argv is None else argv))


def console() -> None:
    """Run the program and end the process.

    A hook runs for a tenth of a second: collecting garbage and tidying up at the end would be a
    sixth of it.
    """
    import gc

    gc.disable()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    os._exit(code)


def run(argv: list[str]) -> int:
    if not sys.stdout:
        raise HelixError("standard output is closed, so the result cannot be printed")
    if "check" in argv:
        from . import hook

        argv = hook.plain(argv)
        if argv[0] == "check" and (quick := hook.parsed(argv[1:])):
            return hook.check(*quick)
    from .program import invoke

    return invoke(argv)
