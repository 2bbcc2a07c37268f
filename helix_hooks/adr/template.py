"""Templates: the sections, header fields and statuses of helix, madr, nygard, of a team's own style
and of a repository's settings.
"""

import re
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from ..finding import SEVERITIES, Severity
from .names.heading import CORE, Meanings, normalise, serves
from .parse.document import AdrDocument, Section
from .parse.header import Header
from .parse.sections import headings, level_of

DECISION = "decision"
"""The id of the only section whose absence is always reported."""

HABIT = 5
"""Minimum number of ADRs in a folder that show a style of the team."""

MADR_STATUSES = (
    "Draft",
    "Proposed",
    "Accepted",
    "Implemented",
    "Superseded",
    "Deprecated",
    "Rejected",
    "Withdrawn",
)


class Required(NamedTuple):
    """A section of a template: the displayed name, and its section ids or normalised names.

    `severity` is the severity of its absence; "" means the severity of the rule.
    """

    name: str
    meanings: tuple[str, ...]
    severity: Severity = ""

    def covers(self, old: "Required") -> bool:
        """Return whether this section is required at least as strictly as another."""
        mine, other = (SEVERITIES.index(item.severity or "error") for item in (self, old))
        is_milder = mine > other
        return self[:2] == old[:2] and not is_milder


class Template(NamedTuple):
    """The required parts of an ADR.

    `fields` are header fields; `statuses` the allowed ones; `min_section_length` counts characters
    of prose; `min_acceptance_criteria` applies only where acceptance criteria are among `sections`.
    `optional` are sections that may be missing, but not empty. `is_beside` tells that
    `sections` are those of the template file beside a new ADR, `is_set` that the settings name the
    template.
    """

    name: str
    sections: tuple[Required, ...]
    fields: tuple[str, ...] = ()
    statuses: tuple[str, ...] = MADR_STATUSES
    min_section_length: int = 1
    min_acceptance_criteria: int = 0
    optional: tuple[Required, ...] = ()
    is_beside: bool = False
    is_set: bool = False

    @property
    def all_sections(self) -> tuple[Required, ...]:
        """Return the sections whose content is checked: the required and the optional ones."""
        return (*self.sections, *self.optional)

    def asks_for(self, section: str) -> bool:
        return any(section in required.meanings for required in self.sections)

    def lacks(self, old: "Template") -> list[str]:
        """Return the requirements of another template that this one lacks, for a message."""
        names = {*self.fields, *_meanings(self.sections)}
        lacking = [item.name for item in old.sections if names.isdisjoint(item.meanings)]
        for field in old.fields:
            is_section = field == "status" and "status" in names
            if field not in self.fields and not is_section:
                lacking.append(field)
        if not set(self.statuses) <= set(old.statuses):
            lacking.append("the statuses")
        if self.min_section_length < old.min_section_length:
            lacking.append("minimum characters per section")
        if self.min_acceptance_criteria < old.min_acceptance_criteria:
            lacking.append("minimum number of acceptance criteria")
        return lacking


def required(name: str, meanings: Meanings) -> Required:
    """Return the section of a name; a name without a known meaning means itself."""
    return Required(name, meanings.of(name) or (normalise(name),))


def _meanings(sections: Iterable[Required]) -> set[str]:
    return set(chain.from_iterable(item.meanings for item in sections))


MADR = Template(
    name="madr",
    sections=(
        Required("Context and Problem Statement", ("context",)),
        Required("Considered Options", ("options",)),
        Required("Decision Outcome", ("decision",)),
    ),
)
NYGARD = Template(
    name="nygard",
    sections=(
        Required("Status", ("status",)),
        Required("Context", ("context",)),
        Required("Decision", ("decision",)),
        Required("Consequences", ("consequences",)),
    ),
)
HELIX = Template(
    name="helix",
    sections=(
        Required("Kontext", ("context",)),
        Required("Entscheidung", ("decision",)),
        Required("Implementation", ("implementation",)),
        Required("Dokumentation", ("documentation",)),
        Required("Akzeptanzkriterien", ("acceptance-criteria",)),
        Required("Konsequenzen", ("consequences",)),
    ),
    fields=("adr_id", "title", "status"),
    statuses=("Proposed", "Accepted", "Implemented", "Superseded", "Rejected"),
    min_section_length=50,
    min_acceptance_criteria=3,
)
BUILT_IN = (HELIX, MADR, NYGARD)

_HELIX_FIELDS = frozenset(("component_type", "classification", "change_scope"))
_HELIX_SECTIONS = frozenset(("acceptance-criteria", "documentation", "implementation"))
_MADR_NAMES = frozenset(
    map(
        normalise,
        (
            "Context and Problem Statement",
            "Decision Outcome",
            "Considered Options",
            "Considered Alternatives",
            "Pros and Cons of the Options",
            "Kontext und Problemstellung",
            "Ergebnis der Entscheidung",
            "Betrachtete Optionen",
            "Contexte et énoncé du problème",
            "Résultat de la décision",
            "Options envisagées",
            "Options considérées",
            "Contexto y planteamiento del problema",
            "Resultado de la decisión",
            "Opciones consideradas",
            "Contexto e declaração do problema",
            "Resultado da decisão",
            "Opções consideradas",
            "Contesto e definizione del problema",
            "Esito della decisione",
            "Opzioni considerate",
            "Context en probleemstelling",
            "Beslissingsresultaat",
            "Overwogen opties",
        ),
    )
)


OWN = "own"
"""The name of the template of an ADR whose style fits no other."""

_NYGARD_MARKS = frozenset(("status", "context", "decision", "consequences"))
_NO_STYLE = _NYGARD_MARKS | {"meta", "references", "changelog"}
"""Sections that do not show another style, such as in a nygard ADR without its other sections."""
_FEWEST_MARKS = 2


def _as_detected(template: Template, severity: Severity = "warning") -> Template:
    """Return a template with a severity for missing sections; a missing decision is an error."""
    sections = tuple(
        item if DECISION in item.meanings else item._replace(severity=severity)
        for item in template.sections
    )
    return template._replace(sections=sections)


def _without_options(template: Template) -> Template:
    """Return a template in which the options may be missing, but not empty."""
    options = tuple(item for item in template.sections if "options" in item.meanings)
    firm = tuple(item for item in template.sections if item not in options)
    return template._replace(sections=firm, optional=options)


_MADR, _NYGARD = _without_options(_as_detected(MADR)), _as_detected(NYGARD)
_DECISION_ALONE = _as_detected(NYGARD, "info")
"""The template of a nygard ADR whose only section of content is the decision."""
DECIDING = Required("Decision", (DECISION,))
"""The section Decision as a requirement."""
_OWN = Template(name=OWN, sections=())
FIRST_OWN = _OWN._replace(sections=(DECIDING._replace(severity="warning"),))
"""The template of an ADR without a decision, among fewer ADRs than `HABIT`."""
_OWN_DECIDING = _OWN._replace(sections=(DECIDING,))


_FREE = frozenset(("meta", "references", "changelog", "questions", "out-of-scope", "summary"))
"""Sections of a template file that no ADR must have."""
_FIRM = frozenset(("context", "decision", "consequences"))
_BLANK_TITLE = r"[\[\]{}<>]|\boptional\b"
_OPTIONAL_BEFORE = rb"(?is)<!--(?:(?!-->).)*\boptional\b(?:(?!-->).)*-->\s*$"
_OPTIONAL_BELOW = rb"(?is)\s*<!--(?:(?!-->).)*\boptional\b"
_NEAR = 400
"""Bytes around a heading in which a comment may mark it as optional."""


def of_team(doc: AdrDocument, meanings: Meanings) -> tuple[Required, ...]:
    """Return the sections that a template file requires; none if it has no decision.

    A missing context, decision or consequences is an error, any other missing section a warning.
    """
    sections = headings(doc, meanings)
    level = level_of(sections, meanings)
    by_meaning: dict[tuple[str, ...], Required] = {}
    for section in sections:
        item = required(section.title, meanings)
        if section.level == level and _is_required(doc, section, item):
            severity = "" if _FIRM.intersection(item.meanings) else "warning"
            by_meaning.setdefault(item.meanings, item._replace(severity=severity))
    if not any(DECISION in names for names in by_meaning):
        return ()
    return tuple(by_meaning.values())


def _is_required(doc: AdrDocument, section: Section, item: Required) -> bool:
    """Return whether a section of a template file is not optional, nor a blank."""
    start, stop = section.heading_start, section.start
    if _FREE.intersection(item.meanings) or re.search(_BLANK_TITLE, section.title, re.IGNORECASE):
        return False
    is_optional = re.search(_OPTIONAL_BEFORE, doc.data[max(0, start - _NEAR) : start]) or re.match(
        _OPTIONAL_BELOW, doc.data[stop : stop + _NEAR]
    )
    return not is_optional


def detected(
    doc: AdrDocument, header: Header, meanings: Meanings, level: int, helix: Template
) -> Template:
    """Return the template that an ADR follows: the most demanding one with its marks.

    helix is recognised by `adr_id` in the header or by two of its other fields or sections; MADR by
    the names that only it uses, such as "Decision Outcome"; nygard by two of its sections, or if
    there are no others. In madr and nygard only a missing decision is an error. Another missing
    section is a warning, or information in a nygard ADR whose only content is the decision. The
    options of madr may be missing.
    Any other style is `own`. It requires a decision only if the ADR has one, so that no later
    version loses it.
    """
    if _has_helix_header(doc, header):
        return helix
    titles = [section.title for section in headings(doc, meanings) if section.level == level]
    names = set(chain.from_iterable(map(meanings.of, titles)))
    if names >= _HELIX_SECTIONS:
        return helix
    if not _MADR_NAMES.isdisjoint(map(normalise, titles)):
        return _MADR
    if _is_nygard(titles, names, meanings):
        return _DECISION_ALONE if names.intersection(CORE) == {DECISION} else _NYGARD
    for title in titles:
        names.update(serves(title, meanings))
    return _OWN_DECIDING if DECISION in names else _OWN


def _is_nygard(titles: list[str], names: set[str], meanings: Meanings) -> bool:
    if len(_NYGARD_MARKS & names) >= _FEWEST_MARKS:
        return True
    return not any(_NO_STYLE.isdisjoint(meanings.of(title)) for title in titles)


def _has_helix_header(doc: AdrDocument, header: Header) -> bool:
    if doc.front is not None and re.search(r"(?m)^adr[-_]id\s*:", doc.front):
        return True
    return len(_HELIX_FIELDS & header.fields.keys()) >= _FEWEST_MARKS
