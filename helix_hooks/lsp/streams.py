"""The streams of the language server: only the protocol writes to stdout."""

import gc
import logging
import os
import sys

from .handlers import server


def serve() -> int:
    """Answer the client on stdin until it ends the server or disconnects. Return the exit code."""
    gc.enable()  # the command line disables it, because other commands are short
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR, format="helix-hooks: %(message)s")
    # A print of a library would break the protocol, so its descriptor becomes stderr.
    protocol = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    made = server()
    try:
        made.start_io(sys.stdin.buffer, protocol)
    finally:
        made.end()
    return 0
