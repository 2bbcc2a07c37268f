"""The lines of `doctor`: a check and its state each, for people and for programs. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from ..text import dumped, painted, printable
from ..text.table import Cell, table

OFF, OK, UNKNOWN, MISSING, UNSAFE = STATES = ("off", "ok", "unknown", "missing", "unsafe")
"""The states, the worst one last. OFF: it is not set up, and nothing needs it."""

_COLORS = {OK: "rule", OFF: "line", UNKNOWN: "warning", MISSING: "error", UNSAFE: "error"}


class Line(NamedTuple):
    """The state of one check.

    `check` is its name for programs, `state` is one of STATES. `help` is what to do, "" if the
    state is ok.
    """

    check: str
    state: str
    message: str
    help: str = ""


Sections = Mapping[str, Sequence[Line]]
"""The lines by group: hook, settings, GitHub, judge."""


def passes(sections: Sections) -> bool:
    """Return whether nothing is missing or unsafe. What is off or unknown does not count."""
    states = {line.state for line in chain(*sections.values())}
    return states.isdisjoint((MISSING, UNSAFE))


def as_text(sections: Sections, color: bool, quiet: bool) -> str:
    """Return each group with its worst state; if `quiet`, only lines that are not ok or off."""
    rows = {
        title: [
            row for line in lines if not (quiet and line.state in (OK, OFF)) for row in _rows(line)
        ]
        for title, lines in sections.items()
    }
    printed = iter(table(chain(*rows.values()), indent=2, color=color))
    blocks = [
        [_heading(title, sections[title], color), *islice(printed, len(of_section))]
        for title, of_section in rows.items()
        if of_section
    ]
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _heading(title: str, lines: Sequence[Line], color: bool) -> str:
    state = max((line.state for line in lines), key=STATES.index)
    return f"{painted(printable(title), 'path', color)}: {painted(state, _COLORS[state], color)}"


def _rows(line: Line) -> Iterator[Sequence[Cell]]:
    yield (line.state, _COLORS[line.state]), f"{line.message} [{line.check}]"
    if line.help:
        yield "", f"= {line.help}"


def as_json(sections: Sections, passed: bool) -> str:
    """Return one JSON document of version 1; docs/api.md describes it."""
    checks = [line._asdict() for line in chain(*sections.values())]
    return dumped({"version": 1, "passed": passed, "checks": checks})
