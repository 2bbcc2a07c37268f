"""`helix-hooks lsp`: the language server, which an editor starts."""

from ..extras import require
from .frame import command

EXAMPLE = """examples:
  helix-hooks lsp    started by an editor, which speaks the Language Server Protocol on stdin and stdout

docs/editors.md shows how editors are set up. The server runs until its client ends it, writes its log to stderr, and executes nothing of the repository."""


@command("lsp", example=EXAMPLE)
def run() -> int:
    require("lsp")
    from ..lsp.streams import serve

    return serve()
