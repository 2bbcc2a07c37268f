"""The lines of `doctor`, for people and for programs."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ..safety.line import MISSING, OK, STATES, UNKNOWN, UNSAFE, Line
from ..text.sanitize import printable
from .text import painted
from .verdict import rendered

_COLORS = {OK: "rule", MISSING: "error", UNSAFE: "error", UNKNOWN: "warning"}
_WIDTH = max(map(len, STATES))


class DoctorSection(NamedTuple):
    """The lines about one subject: the clone, or its repository on GitHub."""

    title: str
    lines: tuple[Line, ...]


def stands(sections: Sequence[DoctorSection]) -> bool:
    """Return whether nothing is missing or unsafe. Unknown facts do not count."""
    states = {line.state for line in _all_lines(sections)}
    return states.isdisjoint((MISSING, UNSAFE))


def _all_lines(sections: Sequence[DoctorSection]) -> list[Line]:
    return [line for section in sections for line in section.lines]


def text(sections: Sequence[DoctorSection], color: bool, quiet: bool) -> str:
    """Return all lines and a summary; if `quiet`, only the lines that are not ok."""
    blocks: list[str] = []
    for section in sections:
        lines = section.lines
        if quiet:
            lines = tuple(line for line in lines if line.state != OK)
        if lines:
            blocks.append(_block(section.title, lines, color))
    if not quiet:
        blocks.append(_summary(sections))
    return "\n".join(blocks)


def _block(title: str, lines: Sequence[Line], color: bool) -> str:
    """Return the title of a section and some of its lines."""
    heading = painted(printable(title), "path", color)
    return "".join([f"{heading}\n", *(_row(line, color) for line in lines)])


def _row(line: Line, color: bool) -> str:
    state = painted(f"{line.state:<{_WIDTH}}", _COLORS[line.state], color)
    check = painted(f"[{line.check}]", "rule", color)
    row = f"  {state}  {printable(line.message)} {check}\n"
    if not line.help:
        return row
    sign = painted("=", "line", color)
    return f"{row}  {'':<{_WIDTH}}  {sign} {printable(line.help)}\n"


def _summary(sections: Sequence[DoctorSection]) -> str:
    counts = Counter(line.state for line in _all_lines(sections))
    shown = [f"{counts[state]} {state}" for state in STATES if counts[state]]
    return f"{', '.join(shown)}\n"


def json(sections: Sequence[DoctorSection], passed: bool) -> str:
    """Return one JSON document of version 1; docs/json.md describes it."""
    checks = [line._asdict() for line in _all_lines(sections)]
    return rendered({"version": 1, "passed": passed, "checks": checks})
