"""`helix-hooks lsp`: the language server, which an editor starts."""

import sys

from ..console.output import print_message
from .frame import command

EXAMPLE = """examples:
  helix-hooks lsp    serve an editor; the editor starts this command

The server speaks the Language Server Protocol on stdin and stdout, and writes its log to stderr.
It executes nothing of the repository. See docs/editors.md for the setup of editors."""


@command("lsp", example=EXAMPLE)
def run() -> int:
    from ..editor.server import serve

    if sys.stdin.isatty():
        print_message("an editor must start the language server; see docs/editors.md")
    return serve()
