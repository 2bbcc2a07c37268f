"""Layer 2: if an ADR states something about itself, require something else of it."""

from collections.abc import Iterator
from typing import NamedTuple

from ....finding import SEVERITIES
from ...model import Adr, RuleResult
from ...names.field import says_value
from ...names.heading import normalise
from ...parse.document import Section
from ...parse.visible import CODE, PICTURE, QUOTE, SPAN, STRUCK, Run, indexes, offset_in, text
from ...template import HELIX
from .phrase import candidates, says
from .requirement import RequiredSection, Requirement, Unmet, find_sections

_SUBJECT = 1 << 20
"""A mark for text that names a subject and asserts nothing about it; `visible` uses lower bits."""
_NOT_ASSERTED = CODE | QUOTE | STRUCK | PICTURE | _SUBJECT
"""Text that asserts nothing.

Text that only some renderers hide is not among it: hiding it must not avoid a rule.
"""

_NOT_DECIDED = frozenset(
    ("context", "out-of-scope", "questions", "references", "changelog", "drivers")
)
_NOT_DECIDED_WORDS = frozenset(
    "risk risks riesgos riscos risiken risques rischi risico's risiko option alternative "
    "alternatives variant variante goals goal future later glossary definitions versioning "
    "background cons pros revisit mitigation mitigations".split()
)
"""Words of headings of sections that do not say what the decision does."""


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

    Code, comments, quotes and negations do not count. Considered options do not count either, since
    most of them are not chosen. With `must_assert`, definitions do not count, and an ADR of another
    template than helix must say the phrase of its own decision: not in its context, its risks or
    what it leaves for later.
    """

    phrases: tuple[str, ...]
    must_assert: bool = False

    def line(self, adr: Adr) -> int | None:
        phrases = candidates(_lower(adr.doc.shown.runs), self.phrases)
        if not phrases:
            return None
        must_claim = self.must_assert and adr.template.name != HELIX.name
        runs = _asserting(adr, must_claim)
        hidden = _NOT_ASSERTED
        offset = self._offset(adr, runs, phrases, hidden)
        if offset is not None and _in_code_span(runs, offset):
            # A phrase that begins in backticks is a name: search again without such code.
            hidden |= SPAN
            offset = self._offset(adr, runs, phrases, hidden)
        return None if offset is None else adr.doc.line_at(offset)

    def _offset(
        self, adr: Adr, runs: list[Run], phrases: tuple[str, ...], hidden: int
    ) -> int | None:
        """Return the offset in the file of the first assertion, None without one."""
        size = len(adr.doc.data)
        must_claim = self.must_assert and adr.template.name != HELIX.name
        place = says(text(runs, 0, size, hidden), phrases, self.must_assert, must_claim)
        return None if place is None else offset_in(runs, 0, size, place, hidden)


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
        severity = self._severity_in(adr)
        general: list[Unmet] = []
        special: list[Unmet] = []
        for requirement in self.requirements:
            for item in requirement.unmet(adr):
                (general if self._helps(item) else special).append(item)
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

    def _severity_in(self, adr: Adr) -> str:
        """Return the severity if it differs from that of the rule, else ""."""
        if adr.template.name == HELIX.name or self.severity_elsewhere not in SEVERITIES:
            return ""
        return self.severity_elsewhere

    def help_in(self, adr: Adr) -> str:
        """Return the help, with the names of required sections in the language of an ADR."""
        if not self.is_packaged:
            return self.help
        help = self.help
        for requirement in self.requirements:
            if isinstance(requirement, RequiredSection):
                help = help.replace(requirement.name, requirement.called(adr))
        return help

    def _helps(self, item: Unmet) -> bool:
        """Return whether the help of the rule says best how to meet a requirement."""
        return bool(item.general and self.help and not item.line)

    def absent(self, adr: Adr) -> frozenset[str]:
        """Return the meanings of the required sections that the ADR does not have."""
        meanings: set[str] = set()
        for requirement in self.requirements:
            if not isinstance(requirement, RequiredSection):
                continue
            if not find_sections(adr, requirement.meanings):
                meanings.update(requirement.meanings)
        return frozenset(meanings)


_LOWER: list[tuple[list[Run], bytes]] = [([], b"")]
"""The visible text of the last document: each rule with phrases needs the same."""


def _lower(runs: list[Run]) -> bytes:
    """Return the text in which phrases are searched, in lower case."""
    last_runs, lower = _LOWER[0]
    if last_runs is not runs:
        size = runs[-1][1] + 1 if runs else 0
        lower = text(runs, 0, size, _NOT_ASSERTED).lower().encode()
        _LOWER[0] = (runs, lower)
    return lower


def _asserting(adr: Adr, must_claim: bool) -> list[Run]:
    """Return the visible text, with a mark on the parts that assert nothing.

    These are the title, considered options, and with `must_claim` all parts that are not about the
    decision. A title names a subject: "Guidance for breaking changes".
    """
    runs = list(adr.doc.shown.runs)
    for start, stop in _subjects(adr, must_claim):
        for index in range(*indexes(runs, start, stop)):
            begin, end, piece, kind = runs[index]
            runs[index] = (begin, end, piece, kind | _SUBJECT)
    return runs


def _subjects(adr: Adr, must_claim: bool) -> Iterator[tuple[int, int]]:
    """Yield the spans of the parts that assert nothing."""
    title, sections = adr.doc.title, adr.doc.sections
    if title:
        yield title.heading_start, title.start
    if title and sections and must_claim:
        yield title.start, sections[0].heading_start
    for section in sections:
        is_option = "options" in adr.meanings.of(section.title)
        if is_option or (must_claim and _is_not_decided(adr, section)):
            yield section.start, section.stop


def _is_not_decided(adr: Adr, section: Section) -> bool:
    """Return whether a section has the situation, risks, or what is not decided."""
    if not _NOT_DECIDED.isdisjoint(adr.meanings.of(section.title)):
        return True
    return not _NOT_DECIDED_WORDS.isdisjoint(normalise(section.title).split())


def _in_code_span(runs: list[Run], offset: int) -> bool:
    """Return whether the text at an offset of the file is code between backticks."""
    return any(start <= offset < stop and kind & SPAN for start, stop, _, kind in runs)
