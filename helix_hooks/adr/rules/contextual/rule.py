"""Layer 2: when an ADR says this about itself, require that."""

from collections.abc import Iterator

from ....finding import SEVERITIES
from ....records import NamedTuple
from ...model import Adr, Found
from ...names.field import says_value
from ...names.heading import normalise
from ...parse.document import Section
from ...parse.visible import CODE, PICTURE, QUOTE, SPAN, STRUCK, Run, offset_in, text
from ...template import HELIX
from .phrase import candidates, says
from .requirement import RequiredSection, Requirement, Unmet, find_sections

_SUBJECT = 1 << 20
"""A mark for text that names a subject and asserts nothing about it."""
_ASIDE = CODE | QUOTE | STRUCK | PICTURE | _SUBJECT
"""Text that only some renderers hide asserts what it says, so that nothing is hidden from a rule
that asks for more.
"""

_BESIDE = frozenset(("context", "out-of-scope", "questions", "references", "changelog", "drivers"))
_BESIDE_WORDS = frozenset(
    "risk risks riesgos riscos risiken risques rischi risico's risiko option alternative "
    "alternatives variant variante goals goal future later glossary definitions versioning "
    "background cons pros revisit mitigation mitigations".split()
)
"""Words of headings of sections that do not say what the decision does."""


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

    Considered options do not count either: most of them were not chosen. With `stated`,
    definitions do not count, and an ADR of another template than helix must say the phrase of its
    own decision: not in its context, its risks or what it leaves for later.
    """

    phrases: tuple[str, ...]
    stated: bool = False

    def line(self, adr: Adr) -> int | None:
        possible = candidates(_lower(adr.doc.shown.runs), self.phrases)
        if not possible:
            return None
        claimed = self.stated and adr.template.name != HELIX.name
        runs = _asserting(adr, claimed)
        where = says(text(runs, 0, len(adr.doc.data), _ASIDE), possible, self.stated, claimed)
        if where is None:
            return None
        leave_out = _ASIDE
        if _in_code(runs, offset_in(runs, 0, len(adr.doc.data), where, _ASIDE)):
            leave_out = _ASIDE | SPAN
            where = says(
                text(runs, 0, len(adr.doc.data), leave_out), possible, self.stated, claimed
            )
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
    `severity_elsewhere` is its highest severity in an ADR of another template than helix; "off"
    lets it apply there only if the settings give the rule a severity. The texts of a rule that
    `is_packaged` name sections in the language of the ADR; other texts are printed as written.
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

    def triggered(self, adr: Adr) -> int | None:
        return self.when.line(adr)

    def check(self, adr: Adr) -> Iterator[Found]:
        line = self.triggered(adr)
        return iter(()) if line is None else self.unmet(adr, line)

    def unmet(self, adr: Adr, line: int) -> Iterator[Found]:
        """Yield the findings in an ADR for which the given line triggered it.

        All unmet requirements that the help of the rule fixes are one finding.
        """
        is_elsewhere = adr.template.name != HELIX.name and self.severity_elsewhere in SEVERITIES
        least = self.severity_elsewhere if is_elsewhere else ""
        unmet = [item for requirement in self.requirements for item in requirement.unmet(adr)]
        general = [item for item in unmet if self._helps(item)]
        if general:
            message = "; ".join(item.message for item in general)
            yield Found(
                line=line,
                message=f"{self.message}: {message}",
                help=self.help_in(adr),
                severity=least,
            )
        for item in unmet:
            if not self._helps(item):
                yield Found(
                    line=item.line or line,
                    message=f"{self.message}: {item.message}",
                    help=item.help,
                    severity=item.severity or least,
                )

    def help_in(self, adr: Adr) -> str:
        """Return the help, with the names of required sections in the language of an ADR."""
        help = self.help
        for requirement in self.requirements if self.is_packaged else ():
            if isinstance(requirement, RequiredSection):
                help = help.replace(requirement.name, requirement.called(adr))
        return help

    def _helps(self, item: Unmet) -> bool:
        """Return whether the help of the rule says best how to fix something unmet."""
        return bool(item.general and self.help and not item.line)

    def absent(self, adr: Adr) -> frozenset[str]:
        """Return the meanings of the sections that are required and not there."""
        return frozenset(
            meaning
            for requirement in self.requirements
            if isinstance(requirement, RequiredSection)
            and not find_sections(adr, requirement.meanings)
            for meaning in requirement.meanings
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


def _asserting(adr: Adr, claimed: bool) -> list[Run]:
    """The visible text in which the ADR speaks for itself: that of its title and of considered
    options is marked to be left out.

    A title names a subject ("Guidance for breaking changes"); what happens to it stands below.
    """
    options = [
        (section.start, section.stop)
        for section in adr.doc.sections
        if "options" in adr.meanings.of(section.title) or (claimed and _is_beside(adr, section))
    ]
    if claimed and adr.doc.title and adr.doc.sections:
        options.append((adr.doc.title.start, adr.doc.sections[0].heading_start))
    title = [(adr.doc.title.heading_start, adr.doc.title.start)] if adr.doc.title else []
    runs = list(adr.doc.shown.runs)
    for start, stop in (*options, *title):
        for index in range(*adr.doc.runs_between(start, stop)):
            begin, end, piece, kind = runs[index]
            runs[index] = (begin, end, piece, kind | _SUBJECT)
    return runs


def _is_beside(adr: Adr, section: Section) -> bool:
    """Return whether a section speaks of the situation, of risks, or of what is not decided."""
    return not _BESIDE.isdisjoint(adr.meanings.of(section.title)) or not _BESIDE_WORDS.isdisjoint(
        normalise(section.title).split()
    )


def _in_code(runs: list[Run], offset: int) -> bool:
    """Return whether the text at an offset is code between backticks."""
    return any(start <= offset < stop and kind & SPAN for start, stop, _, kind in runs)
