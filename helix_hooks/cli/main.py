"""The program: streams, exit code, and the choice between the hook's parser and click."""

import os
import sys

from ..console.output import exit_code_of
from ..errors import HelixError

_BLOCKS = 2
"""Agents take this code of a hook for a block, so a wrong option could keep one from ever ending."""


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return its exit code.

    Nothing but a traceback asked for by HELIX_HOOKS_DEBUG escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if argv is None else argv
    code = exit_code_of(lambda: run(words))
    is_hook = "verify" in words and any(word.startswith("--hook") for word in words)
    return HelixError.exit_code if is_hook and code == _BLOCKS else code


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
