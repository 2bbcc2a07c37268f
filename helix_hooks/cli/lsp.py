"""`helix-hooks lsp`: the language server, which an editor starts."""

import sys

from ..console.output import print_message
from .frame import command

EXAMPLE = """examples:
  helix-hooks lsp    started by an editor, which speaks the Language Server Protocol on stdin and stdout

docs/editors.md shows how editors are set up. The server runs until its client ends it, writes its log to stderr, and executes nothing of the repository."""


@command("lsp", example=EXAMPLE)
def run() -> int:
    from ..lsp.streams import serve

    if sys.stdin.isatty():
        print_message("lsp waits for an editor on stdin; docs/editors.md shows how to set one up")
    return serve()
