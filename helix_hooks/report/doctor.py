"""The lines of `doctor`, for people and for programs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from ..safety.line import MISSING, OK, STATES, UNKNOWN, UNSAFE, Line
from ..text.sanitize import painted, printable
from ..text.table import Cell, table
from .json import dumped

_COLORS = {OK: "rule", MISSING: "error", UNSAFE: "error", UNKNOWN: "warning"}


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
    rows = {
        section.title: [
            row for line in section.lines if not (quiet and line.state == OK) for row in _rows(line)
        ]
        for section in sections
    }
    lines = iter(table(chain(*rows.values()), indent=2, color=color))
    blocks = [
        [painted(printable(title), "path", color), *islice(lines, len(of_section))]
        for title, of_section in rows.items()
        if of_section
    ]
    if not quiet:
        counts = Counter(line.state for line in _all_lines(sections))
        blocks.append([", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])])
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _rows(line: Line) -> Iterator[Sequence[Cell]]:
    yield (line.state, _COLORS[line.state]), f"{line.message} [{line.check}]"
    if line.help:
        yield "", f"= {line.help}"


def json(sections: Sequence[DoctorSection], passed: bool) -> str:
    """Return one JSON document of version 1; docs/json.md describes it."""
    checks = [line._asdict() for line in _all_lines(sections)]
    return dumped({"version": 1, "passed": passed, "checks": checks})
