"""`check --stdin`: one ADR from standard input, at the path that it has or will have."""

import os
import sys

from ..check.options import CheckOptions
from ..errors import HelixError, UsageError
from ..paths import MAX_BYTES
from ..text.sanitize import printable


def with_stdin(options: CheckOptions, path: str | None) -> CheckOptions:
    """Return the options with the content of standard input.

    Raises:
        UsageError: The path is missing or a folder, or options can't be used with --stdin.
        HelixError: Standard input can't be read.
    """
    if not path:
        raise UsageError("--stdin requires --stdin-filename PATH, the path of the ADR")
    if options.paths or options.staged or options.since or not options.use_baseline:
        others = "PATHs, --staged, --since or --write-baseline"
        raise UsageError(f"--stdin cannot be used with {others}")
    if path.endswith("/") or os.path.isdir(path):
        raise UsageError(f"--stdin-filename {printable(path)}: it is a folder; name a file")
    if "\0" in path:
        raise UsageError("--stdin-filename: a path cannot contain a NUL character")
    return options._replace(paths=(path,), buffer=_content())


def _content() -> bytes:
    """Return standard input, with one byte above the limit so that the check reports it."""
    if not sys.stdin:
        raise HelixError("standard input is closed; pass the text of the ADR, e.g. with `< FILE`")
    try:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise HelixError(f"standard input can't be read: {error.strerror}") from None
