"""The lines of `doctor`, for people and for programs."""

from collections.abc import Sequence
from typing import NamedTuple

from ..safety.line import MISSING, OK, STATES, UNKNOWN, UNSAFE, Line
from ..text.sanitize import printable
from .text import painted
from .verdict import rendered

_COLORS = {OK: "rule", MISSING: "error", UNSAFE: "error", UNKNOWN: "warning"}
_WIDTH = max(map(len, STATES))


class DoctorSection(NamedTuple):
    """The lines on one place: the clone, or its repository on GitHub."""

    title: str
    lines: tuple[Line, ...]


def stands(sections: Sequence[DoctorSection]) -> bool:
    """Return whether nothing is missing or unsafe; unknown facts count as neither."""
    states = {line.state for section in sections for line in section.lines}
    return states.isdisjoint((MISSING, UNSAFE))


def text(sections: Sequence[DoctorSection], color: bool, quiet: bool) -> str:
    """Return all lines and a summary; when `quiet`, only lines that are not ok."""
    if not quiet:
        blocks = [_block(section, section.lines, color) for section in sections]
        return "\n".join([*filter(None, blocks), _summary(sections)])
    wrong = (tuple(line for line in section.lines if line.state != OK) for section in sections)
    pairs = zip(sections, wrong, strict=True)
    return "\n".join(filter(None, (_block(section, lines, color) for section, lines in pairs)))


def _block(section: DoctorSection, lines: Sequence[Line], color: bool) -> str:
    """Return some lines under the title of their section; "" without any."""
    if not lines:
        return ""
    title = painted(printable(section.title), "path", color)
    return "".join([f"{title}\n", *(_row(line, color) for line in lines)])


def _row(line: Line, color: bool) -> str:
    state = painted(f"{line.state:<{_WIDTH}}", _COLORS[line.state], color)
    check = painted(f"[{line.check}]", "rule", color)
    row = f"  {state}  {printable(line.message)} {check}\n"
    if not line.help:
        return row
    sign = painted("=", "line", color)
    return f"{row}  {'':<{_WIDTH}}  {sign} {printable(line.help)}\n"


def _summary(sections: Sequence[DoctorSection]) -> str:
    states = [line.state for section in sections for line in section.lines]
    counts = ", ".join(f"{states.count(state)} {state}" for state in STATES if state in states)
    return f"{counts}\n"


def json(sections: Sequence[DoctorSection], passed: bool) -> str:
    """Return one JSON document: version 1, see docs/json.md."""
    checks = [line._asdict() for section in sections for line in section.lines]
    return rendered({"version": 1, "passed": passed, "checks": checks})
