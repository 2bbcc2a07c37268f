"""The report of `doctor`, for people and for programs."""

from collections.abc import Sequence
from typing import NamedTuple

from ..safety.line import MISSING, OK, STATES, UNKNOWN, UNSAFE, Line
from ..text.sanitize import printable
from .text import painted
from .verdict import rendered

_COLORS = {OK: "rule", MISSING: "error", UNSAFE: "error", UNKNOWN: "warning"}
_WIDTH = max(map(len, STATES))


class DoctorSection(NamedTuple):
    """Lines on one place that was looked at."""

    title: str
    lines: tuple[Line, ...]


def stands(sections: Sequence[DoctorSection]) -> bool:
    """Return whether nothing is missing or unsafe. What could not be seen is neither."""
    return not any(line.state in (MISSING, UNSAFE) for section in sections for line in section.lines)


def text(sections: Sequence[DoctorSection], color: bool, quiet: bool) -> str:
    """All lines, and what they come to; when `quiet`, only those that are not ok."""
    shown = [section._replace(lines=tuple(line for line in section.lines if not quiet or line.state != OK)) for section in sections]
    blocks = ["".join([f"{painted(printable(section.title), 'path', color)}\n", *(_row(line, color) for line in section.lines)])
              for section in shown if section.lines]  # fmt: skip
    return "\n".join(blocks if quiet else [*blocks, _summary(sections)])


def _row(line: Line, color: bool) -> str:
    state = painted(f"{line.state:<{_WIDTH}}", _COLORS[line.state], color)
    check = painted(f"[{line.check}]", "rule", color)
    help = f"  {'':<{_WIDTH}}  {painted('=', 'line', color)} {printable(line.help)}\n" if line.help else ""
    return f"  {state}  {printable(line.message)} {check}\n{help}"


def _summary(sections: Sequence[DoctorSection]) -> str:
    states = [line.state for section in sections for line in section.lines]
    counts = ", ".join(f"{states.count(state)} {state}" for state in STATES if state in states)
    return f"{counts}\n"


def json(sections: Sequence[DoctorSection], passed: bool) -> str:
    """One JSON document: version 1, see docs/json.md."""
    checks = [line._asdict() for section in sections for line in section.lines]
    return rendered({"version": 1, "passed": passed, "checks": checks})
