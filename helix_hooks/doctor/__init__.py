"""The lines of `doctor`: a check and its state each, for people and for programs. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from ..text import dumped, painted, printable
from ..text.table import Cell, table

OK, MISSING, UNSAFE, UNKNOWN = STATES = ("ok", "missing", "unsafe", "unknown")
_COLORS = {OK: "rule", MISSING: "error", UNSAFE: "error", UNKNOWN: "warning"}


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
"""The lines by subject: the clone, and its repository on GitHub."""


def passes(sections: Sections) -> bool:
    """Return whether nothing is missing or unsafe. Unknown facts do not count."""
    states = {line.state for line in chain(*sections.values())}
    return states.isdisjoint((MISSING, UNSAFE))


def as_text(sections: Sections, color: bool, quiet: bool) -> str:
    """Return all lines and a summary; if `quiet`, only the lines that are not ok."""
    rows = {
        title: [row for line in lines if not (quiet and line.state == OK) for row in _rows(line)]
        for title, lines in sections.items()
    }
    printed = iter(table(chain(*rows.values()), indent=2, color=color))
    blocks = [
        [painted(printable(title), "path", color), *islice(printed, len(of_section))]
        for title, of_section in rows.items()
        if of_section
    ]
    if not quiet:
        counts = Counter(line.state for line in chain(*sections.values()))
        blocks.append([", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])])
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _rows(line: Line) -> Iterator[Sequence[Cell]]:
    yield (line.state, _COLORS[line.state]), f"{line.message} [{line.check}]"
    if line.help:
        yield "", f"= {line.help}"


def as_json(sections: Sections, passed: bool) -> str:
    """Return one JSON document of version 1; docs/json.md describes it."""
    checks = [line._asdict() for line in chain(*sections.values())]
    return dumped({"version": 1, "passed": passed, "checks": checks})
