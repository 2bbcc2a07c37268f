"""The runs of a repository, newest first, as a table and as JSON."""

from collections.abc import Sequence
from typing import Protocol

from ..text.moment import moment
from ..text.table import Cell, table
from .json import dumped

_COLORS = {"rejected": "error", "paused": "warning", "running": "info"}


class Row(Protocol):
    """A run in the list. Times are in seconds since 1970."""

    @property
    def run(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def asked_by(self) -> str: ...
    @property
    def root(self) -> str: ...
    @property
    def started(self) -> float: ...
    @property
    def updated(self) -> float: ...
    @property
    def questions(self) -> tuple[str, ...]: ...


def as_text(rows: Sequence[Row], color: bool = False) -> str:
    """Return one line per run, and its open questions below."""
    if not rows:
        return "no runs here; `helix-hooks run FILE` starts one\n"
    lines: list[Sequence[Cell]] = []
    for row in rows:
        state = (row.outcome, _COLORS.get(row.outcome, "path"))
        by = f"  by {row.asked_by}" if row.asked_by else ""
        lines.append((row.run, state, f"{moment(int(row.started))}{by}"))
        lines += [("", question) for question in row.questions]
    return "".join(f"{line}\n" for line in table(lines, color=color))


def as_json(rows: Sequence[Row]) -> str:
    """Return the runs as JSON."""
    runs = [
        {
            "run": row.run,
            "flow": row.name,
            "state": row.outcome,
            "asked_by": row.asked_by,
            "root": row.root,
            "started": row.started,
            "updated": row.updated,
            "questions": list(row.questions),
        }
        for row in rows
    ]
    return dumped({"version": 1, "runs": runs}, len(runs))
