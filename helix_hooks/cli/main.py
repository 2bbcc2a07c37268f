"""The program: its streams, and its exit code."""

import os
import sys

from ..console.output import exit_code_of
from ..errors import HelixError
from ..paths import is_markdown
from .program import invoke

_BLOCKS = 2
"""An agent does not end if its hook exits with this code, so a wrong option could block it."""


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return its exit code. Only HELIX_HOOKS_DEBUG lets errors through."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # File names may be any bytes, which the encoding of a terminal may lack.
            stream.reconfigure(errors="backslashreplace")
    words = argv
    if words is None:
        words = sys.argv[1:]
    code = exit_code_of(lambda: run(words))
    is_hook = "verify" in words and any(word.startswith("--hook") for word in words)
    if is_hook and code == _BLOCKS:
        return HelixError.exit_code
    return code


def console() -> None:
    """Run the program and end the process."""
    import gc

    # A hook takes a tenth of a second. Garbage collection and Python's exit are a sixth of that.
    gc.disable()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    os._exit(code)


def run(argv: list[str]) -> int:
    """Run a command line.

    Raises:
        HelixError: Standard output is closed, or the command fails.
    """
    if not sys.stdout:
        raise HelixError("standard output is closed, so the result cannot be printed")
    return invoke(without_flags_in_names(argv))


def without_flags_in_names(words: list[str]) -> list[str]:
    """Return the arguments of a hook, with `./` before each Markdown file that starts with `-`."""
    # Hooks pass file names without `--`, and a file may be called `--output=x.md`.
    if "check" not in words or "--matching" not in words:
        return words
    safe = list(words)
    for number, word in enumerate(words):
        if word == "--":
            break
        if word.startswith("-") and is_markdown(word):
            safe[number] = f"./{word}"
    return safe
