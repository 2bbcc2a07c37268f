"""The runs of a repository, newest first, as a table and as JSON."""

from collections.abc import Sequence
from typing import Protocol

from ..text.moment import moment
from ..text.sanitize import at_line_start, printable
from .json import dumped
from .text import painted

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
    width = max(len(printable(row.run)) for row in rows)
    lines: list[str] = []
    for row in rows:
        lines.append(_line(row, width, color))
        lines += [f"{'':<{width}}  {printable(question)}" for question in row.questions]
    return "".join(f"{line}\n" for line in lines)


def _line(row: Row, width: int, color: bool) -> str:
    state = painted(f"{row.outcome:<9}", _COLORS.get(row.outcome, "path"), color)
    line = f"{at_line_start(row.run):<{width}}  {state}  {moment(int(row.started))}"
    if not row.asked_by:
        return line
    return f"{line}  by {printable(row.asked_by)}"


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
