"""Layer 2: when an ADR says this about itself, require that."""

from collections.abc import Iterator
from typing import NamedTuple

from ...model import Adr, Found
from ...names.field import says_value
from ...parse.raw_html import CODE, PICTURE, QUOTE, SPAN, STRUCK
from ...parse.visible import Run, offset_in, text
from .phrase import candidates, says
from .requirement import Requirement

_SUBJECT = 1 << 20
"""A mark for text that names a subject and asserts nothing about it."""
_ASIDE = CODE | QUOTE | STRUCK | PICTURE | _SUBJECT
"""Text that only some renderers hide asserts what it says, so that nothing is hidden from a rule
that asks for more.
"""


class FieldIs(NamedTuple):
    """A header field has one of the values, compared without case and markup; what follows the
    value does not matter.
    """

    field: str
    values: tuple[str, ...]

    def line(self, adr: Adr) -> int | None:
        field = adr.header.fields.get(self.field)
        if not field:
            return None
        if any(says_value(text, self.values) for text in field.texts):
            return field.line
        also = adr.header.also.get(self.field)
        return (
            also.line
            if also and any(says_value(text, self.values) for text in also.texts)
            else None
        )


class FieldNotEmpty(NamedTuple):
    """A header field has a value, or with `wanted` False has none."""

    field: str
    wanted: bool

    def line(self, adr: Adr) -> int | None:
        field = adr.header.fields.get(self.field)
        if bool(field and field.texts) is not self.wanted:
            return None
        return field.line if field else adr.header.line


class ContentContains(NamedTuple):
    """The prose asserts one of the phrases; code, comments, quotes and negations do not count.

    Nor does what is said of considered options: most of them were not chosen.
    """

    phrases: tuple[str, ...]

    def line(self, adr: Adr) -> int | None:
        possible = candidates(_lower(adr.doc.shown.runs), self.phrases)
        if not possible:
            return None
        runs = _asserting(adr)
        where = says(text(runs, 0, len(adr.doc.data), _ASIDE), possible)
        if where is None:
            return None
        leave_out = _ASIDE
        if _in_code(runs, offset_in(runs, 0, len(adr.doc.data), where, _ASIDE)):
            leave_out = _ASIDE | SPAN
            where = says(text(runs, 0, len(adr.doc.data), leave_out), possible)
        return (
            None
            if where is None
            else adr.doc.line_at(offset_in(runs, 0, len(adr.doc.data), where, leave_out))
        )


class All(NamedTuple):
    """Every condition holds; with none, always."""

    conditions: tuple["Condition", ...]

    def line(self, adr: Adr) -> int | None:
        first = None
        for condition in self.conditions:
            line = condition.line(adr)
            if line is None:
                return None
            first = first or line
        return first or adr.title_line


class AnyOf(NamedTuple):
    """At least one condition holds."""

    conditions: tuple["Condition", ...]

    def line(self, adr: Adr) -> int | None:
        return next(
            (line for condition in self.conditions if (line := condition.line(adr)) is not None),
            None,
        )


Condition = FieldIs | FieldNotEmpty | ContentContains | All | AnyOf
"""`line(adr)` is the line that makes the condition true, where a reader would look; None when it
does not hold.
"""


def fields_asked(condition: Condition) -> Iterator[FieldIs | FieldNotEmpty]:
    """The conditions on header fields in a condition, at any depth."""
    if isinstance(condition, FieldIs | FieldNotEmpty):
        yield condition
    elif isinstance(condition, All | AnyOf):
        for inner in condition.conditions:
            yield from fields_asked(inner)


class ContextualRule(NamedTuple):
    """A rule of the rules file.

    It is triggered when `when` holds and passes when every requirement is met.
    """

    id: str
    name: str
    when: All
    requirements: tuple[Requirement, ...]
    severity: str
    message: str
    help: str = ""
    explanation: str = ""
    layer: str = "rules"

    def triggered(self, adr: Adr) -> int | None:
        return self.when.line(adr)

    def check(self, adr: Adr) -> Iterator[Found]:
        line = self.triggered(adr)
        return iter(()) if line is None else self.unmet(adr, line)

    def unmet(self, adr: Adr, line: int) -> Iterator[Found]:
        """Yield the findings in an ADR for which the given line triggered it."""
        for requirement in self.requirements:
            for unmet in requirement.unmet(adr):
                help = self.help if unmet.general and self.help else unmet.help
                yield Found(
                    line=unmet.line or line,
                    message=f"{self.message}: {unmet.message}",
                    help=help,
                    severity=unmet.severity,
                )


_LOWER: list[tuple[list[Run], bytes]] = [([], b"")]
"""The visible text of the last document: each rule with phrases asks for the same."""


def _lower(runs: list[Run]) -> bytes:
    """Return the text in which phrases are looked for, in lower case."""
    known, lower = _LOWER[0]
    if known is not runs:
        lower = text(runs, 0, runs[-1][1] + 1 if runs else 0, _ASIDE).lower().encode()
        _LOWER[0] = (runs, lower)
    return lower


def _asserting(adr: Adr) -> list[Run]:
    """The visible text in which the ADR speaks for itself: that of its title and of considered
    options is marked to be left out.

    A title names a subject ("Guidance for breaking changes"); what happens to it stands below.
    """
    options = [
        (section.start, section.stop)
        for section in adr.doc.sections
        if "options" in adr.meanings.of(section.title)
    ]
    title = [(adr.doc.title.heading_start, adr.doc.title.start)] if adr.doc.title else []
    runs = list(adr.doc.shown.runs)
    for start, stop in (*options, *title):
        for index in range(*adr.doc.runs_between(start, stop)):
            begin, end, piece, kind = runs[index]
            runs[index] = (begin, end, piece, kind | _SUBJECT)
    return runs


def _in_code(runs: list[Run], offset: int) -> bool:
    """Return whether the text at an offset is code between backticks."""
    return any(start <= offset < stop and kind & SPAN for start, stop, _, kind in runs)
