"""Layer 2: if an ADR states something about itself, require something else of it. Pure."""

from collections.abc import Iterator
from typing import NamedTuple

from ....finding import SEVERITIES
from ...model import Adr, RuleResult
from ...names.field import says_value
from ...parse.visible import CODE, PICTURE, QUOTE, SPAN, STRUCK, indexes, offset_in, text
from ...template import HELIX
from .phrase import says
from .requirement import RequiredSection, Requirement, Unmet, find_sections

_SUBJECT = 1 << 20
"""A mark for text that names a subject and asserts nothing about it; `visible` uses lower bits."""
_NOT_ASSERTED = CODE | SPAN | QUOTE | STRUCK | PICTURE | _SUBJECT
"""Text that asserts nothing.

Text that only some renderers hide is not among it: hiding it must not avoid a rule.
"""


class FieldIs(NamedTuple):
    """A header field has one of the values.

    Values are compared without case and markup. Text after the value does not matter.
    """

    field: str
    values: tuple[str, ...]

    def line(self, adr: Adr) -> int | None:
        # `also` has the field of a text header below a YAML header; either one may match.
        for fields in (adr.header.fields, adr.header.also):
            field = fields.get(self.field)
            if field:
                for text in field.texts:
                    if says_value(text, self.values):
                        return field.line
        return None


class FieldNotEmpty(NamedTuple):
    """A header field has a value, or with `expected` False has none."""

    field: str
    expected: bool

    def line(self, adr: Adr) -> int | None:
        field = adr.header.fields.get(self.field)
        has_value = bool(field and field.texts)
        if has_value is not self.expected:
            return None
        return field.line if field else adr.header.line


class ContentContains(NamedTuple):
    """The prose asserts one of the phrases.

    Code, comments, quotes and negations do not count. Neither do the title, which names a subject,
    and considered options, since most of them are not chosen. With `must_assert`, definitions do
    not count.
    """

    phrases: tuple[str, ...]
    must_assert: bool = False

    def line(self, adr: Adr) -> int | None:
        doc = adr.doc
        subjects = [
            (section.start, section.stop)
            for section in doc.sections
            if "options" in adr.meanings.of(section.title)
        ]
        if doc.title:
            subjects.append((doc.title.heading_start, doc.title.start))
        runs = list(doc.shown.runs)
        for start, stop in subjects:
            for index in range(*indexes(runs, start, stop)):
                begin, end, piece, kind = runs[index]
                runs[index] = (begin, end, piece, kind | _SUBJECT)
        size = len(doc.data)
        place = says(text(runs, 0, size, _NOT_ASSERTED), self.phrases, self.must_assert)
        if place is None:
            return None
        return doc.line_at(offset_in(runs, 0, size, place, _NOT_ASSERTED))


class All(NamedTuple):
    """All conditions are true. Without any condition it is always true."""

    conditions: tuple["Condition", ...]

    def line(self, adr: Adr) -> int | None:
        lines = []
        for condition in self.conditions:
            line = condition.line(adr)
            if line is None:
                return None
            lines.append(line)
        return next(filter(None, lines), adr.title_line)


class AnyOf(NamedTuple):
    """At least one condition is true."""

    conditions: tuple["Condition", ...]

    def line(self, adr: Adr) -> int | None:
        for condition in self.conditions:
            line = condition.line(adr)
            if line is not None:
                return line
        return None


Condition = FieldIs | FieldNotEmpty | ContentContains | All | AnyOf
"""`line(adr)` is the line that makes the condition true; None if it is false."""


def fields_asked(condition: Condition) -> Iterator[FieldIs | FieldNotEmpty]:
    """Yield the conditions on header fields in a condition, at any depth."""
    if isinstance(condition, FieldIs | FieldNotEmpty):
        yield condition
    elif isinstance(condition, All | AnyOf):
        for inner in condition.conditions:
            yield from fields_asked(inner)


class ContextualRule(NamedTuple):
    """A rule of the rules file.

    It applies if `when` is true, and passes if every requirement is met. `severity_elsewhere` is
    its highest severity in an ADR of another template than helix; "off" lets it apply there only if
    the settings give the rule a severity. The texts of a rule that `is_packaged` name sections in
    the language of the ADR; other texts are printed as written.
    """

    id: str
    name: str
    when: All
    requirements: tuple[Requirement, ...]
    severity: str
    message: str
    help: str = ""
    explanation: str = ""
    severity_elsewhere: str = ""
    layer: str = "rules"
    is_packaged: bool = False

    def unmet(self, adr: Adr, line: int) -> Iterator[RuleResult]:
        """Yield the findings in an ADR to which the rule applies because of a line.

        All unmet requirements that the help of the rule fixes are one finding.
        """
        severity = ""
        if adr.template.name != HELIX.name and self.severity_elsewhere in SEVERITIES:
            severity = self.severity_elsewhere
        general: list[Unmet] = []
        special: list[Unmet] = []
        for requirement in self.requirements:
            for item in requirement.unmet(adr):
                (general if item.general and self.help else special).append(item)
        if general:
            message = "; ".join(item.message for item in general)
            yield RuleResult(
                line=line,
                message=f"{self.message}: {message}",
                help=self.help_in(adr),
                severity=severity,
                subject="\n".join(item.subject for item in general),
            )
        for item in special:
            yield RuleResult(
                line=item.line or line,
                message=f"{self.message}: {item.message}",
                help=item.help,
                severity=item.severity or severity,
                subject=item.subject,
            )

    def help_in(self, adr: Adr) -> str:
        """Return the help, with the names of required sections in the language of an ADR."""
        help = self.help
        for requirement in self.requirements if self.is_packaged else ():
            if isinstance(requirement, RequiredSection):
                help = help.replace(requirement.name, requirement.called(adr))
        return help

    def absent(self, adr: Adr) -> frozenset[str]:
        """Return the meanings of the required sections that the ADR does not have."""
        meanings: set[str] = set()
        for requirement in self.requirements:
            if isinstance(requirement, RequiredSection) and not find_sections(
                adr, requirement.meanings
            ):
                meanings.update(requirement.meanings)
        return frozenset(meanings)
