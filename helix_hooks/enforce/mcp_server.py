"""A server of the Model Context Protocol, by which an agent asks for accepted decisions."""

from collections.abc import Iterator
from contextlib import contextmanager

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from .. import __version__
from ..errors import HelixError
from ..text import counted, printable
from .base_decisions import decisions_of, files_below, text_of
from .decisions_text import BUDGET, decisions_text, doubts

_LONGEST = 60_000
"""Characters of an ADR that a tool returns."""

_ABOUT = (
    "The accepted architecture decisions (ADRs) of this repository. Before you plan or edit, ask"
    " which of them govern the files."
)


def serve(root: str, base: str) -> None:
    """Answer an agent on standard input and output, until it closes them."""
    server = MCPServer("helix-hooks", instructions=_ABOUT, version=__version__, log_level="ERROR")
    only_reads = ToolAnnotations(read_only_hint=True)

    @server.tool(annotations=only_reads, structured_output=False)
    def decisions_for(paths: list[str], budget: int = BUDGET) -> str:
        """Return the accepted decisions that govern files or folders, which need not exist.

        `budget` is the maximum of characters from the second decision on.
        """
        with _for_the_model():
            files = files_below(root, paths)
            decisions = decisions_of(root, files, base)
        lines = "".join(f"{line}\n" for line in doubts(decisions))
        return decisions_text(decisions, files, budget) + lines

    @server.tool(annotations=only_reads, structured_output=False)
    def decision(id: str) -> str:
        """Return the text of an accepted decision, by its id (ADR-014, 14) or its path."""
        with _for_the_model():
            text = text_of(root, id, base)
        cut = text[:_LONGEST]
        shown = "".join(f"{printable(line)}\n" for line in cut.splitlines())
        left = len(text) - len(cut)
        return f"{shown}({counted(left, 'character')} more)\n" if left else shown

    server.run()


@contextmanager
def _for_the_model() -> Iterator[None]:
    """Turn an error into the text of a failed call. The text of any other error is withheld."""
    try:
        yield
    except HelixError as error:
        raise ToolError(printable(str(error))) from None
