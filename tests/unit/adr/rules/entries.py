"""Facts of ADRs, as rules across ADRs get them."""

from typing import Any

from helix_hooks.adr.corpus import Entry


def entry(path: str, number: int, **facts: Any) -> Entry:
    """Return an accepted ADR with a number, of which some facts are other ones."""
    key = str(number)
    accepted = Entry(
        path=path,
        id=f"{number:03}",
        key=key,
        declared="",
        titled=key,
        title="X",
        title_line=1,
        id_line=1,
        status="Accepted",
        status_line=3,
        references=(),
        lost=(),
        named=key,
    )
    return accepted._replace(**facts)
