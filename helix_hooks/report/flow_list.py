"""The runs of a repository, newest first, as a table and as JSON."""

from collections.abc import Sequence
from typing import NamedTuple

from ..text.moment import moment
from ..text.table import Cell, table
from .json import dumped

_COLORS = {"rejected": "error", "paused": "warning", "running": "info"}


class RunRow(NamedTuple):
    """A run in a list.

    `outcome` is from `phases.advance.outcome`, `questions` are the open questions to people. `root`
    is the work tree. Times are in seconds since 1970.
    """

    run: str
    name: str
    outcome: str
    asked_by: str
    root: str
    started: float
    updated: float
    questions: tuple[str, ...] = ()


def as_text(rows: Sequence[RunRow], color: bool = False) -> str:
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


def as_json(rows: Sequence[RunRow]) -> str:
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
