"""Sections, header fields and statuses of an ADR: helix, madr, nygard, a style of its own, and
templates of a repository.
"""

import re

from ..finding import SEVERITIES, Severity
from ..records import NamedTuple
from .names.heading import CORE, Meanings, normalise, serves
from .parse.document import AdrDocument, Section
from .parse.header import Header
from .parse.sections import headings, level_of

DECISION = "decision"
"""The id of the only section whose absence is always reported."""

HABIT = 5
"""Number of ADRs in a folder that show a style of the team; fewer show none."""

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
    """A section a template asks for: the name shown to people, and the section ids or normalised
    names that serve.

    `severity` is that of its absence; "" means the severity of the rule.
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
    `sections` are those of the template file beside a new ADR.
    """

    name: str
    sections: tuple[Required, ...]
    fields: tuple[str, ...] = ()
    statuses: tuple[str, ...] = MADR_STATUSES
    min_section_length: int = 1
    min_acceptance_criteria: int = 0
    optional: tuple[Required, ...] = ()
    is_beside: bool = False

    @property
    def all_sections(self) -> tuple[Required, ...]:
        """Return the sections whose content is checked: the required and the optional ones."""
        return (*self.sections, *self.optional)

    def asks_for(self, section: str) -> bool:
        return any(section in required.meanings for required in self.sections)

    def lacks(self, old: "Template") -> list[str]:
        """Return what another template asks for and this one does not, as a reader would call
        it.
        """
        mine = {meaning for required in self.sections for meaning in required.meanings} | set(
            self.fields
        )
        asked = [required.name for required in old.sections if mine.isdisjoint(required.meanings)]
        asked += [
            field
            for field in old.fields
            if field not in self.fields and not (field == "status" and "status" in mine)
        ]
        asked += ["the statuses"] if not set(self.statuses) <= set(old.statuses) else []
        asked += (
            ["so many characters in a section"]
            if self.min_section_length < old.min_section_length
            else []
        )
        return asked + (
            ["so many acceptance criteria"]
            if self.min_acceptance_criteria < old.min_acceptance_criteria
            else []
        )


def required(name: str, meanings: Meanings) -> Required:
    """The section a name asks for; a name without a known meaning asks for itself."""
    return Required(name, meanings.of(name) or (normalise(name),))


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
"""Sections that alone show no style: a nygard ADR that lost its other sections."""
_FEWEST_MARKS = 2


SECONDARY = frozenset(("status", "options"))
"""Sections of a template that many teams leave out."""


def _as_detected(template: Template, severity: Severity = "warning") -> Template:
    """Return a template in which a missing section has a severity, and a missing decision is an
    error.
    """
    return template._replace(
        sections=tuple(
            item if DECISION in item.meanings else item._replace(severity=severity)
            for item in template.sections
        )
    )


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
"""Bytes around a heading in which a comment may call it optional."""


def of_team(doc: AdrDocument, meanings: Meanings) -> tuple[Required, ...]:
    """Return the sections that a template file requires; none if it has no decision.

    A missing context, decision or consequences is an error, any other missing section a warning.
    """
    sections = headings(doc, meanings)
    level = level_of(sections, meanings)
    found: dict[tuple[str, ...], Required] = {}
    for section in sections:
        asked = required(section.title, meanings)
        if section.level == level and _is_asked(doc, section, asked):
            severity = "" if _FIRM.intersection(asked.meanings) else "warning"
            found.setdefault(asked.meanings, asked._replace(severity=severity))
    decides = any("decision" in asked.meanings for asked in found.values())
    return tuple(found.values()) if decides else ()


def _is_asked(doc: AdrDocument, section: Section, asked: Required) -> bool:
    start, stop = section.heading_start, section.start
    return not (
        _FREE.intersection(asked.meanings)
        or re.search(_BLANK_TITLE, section.title, re.IGNORECASE)
        or re.search(_OPTIONAL_BEFORE, doc.data[max(0, start - _NEAR) : start])
        or re.match(_OPTIONAL_BELOW, doc.data[stop : stop + _NEAR])
    )


def detected(
    doc: AdrDocument, header: Header, meanings: Meanings, level: int, helix: Template
) -> Template:
    """Return the template an ADR follows: the most demanding whose marks it bears.

    helix is recognised by `adr_id` in the header or by two of its other fields or sections; MADR by
    the names that only it uses, such as "Decision Outcome"; nygard by two of its sections, or if
    there are no others. In madr and nygard only a missing decision is an error. Another missing
    section is a warning, or information in a nygard ADR whose only content is the decision. The
    options of madr may be missing.
    Any other style is `own`. It requires a decision only if the ADR has one, so that no later
    version loses it.
    """
    if doc.front is not None and re.search(r"(?m)^adr[-_]id\s*:", doc.front):
        return helix
    if len(_HELIX_FIELDS & header.fields.keys()) >= _FEWEST_MARKS:
        return helix
    titles = [section.title for section in headings(doc, meanings) if section.level == level]
    found = {name for title in titles for name in meanings.of(title)}
    if len(_HELIX_SECTIONS & found) == len(_HELIX_SECTIONS):
        return helix
    if any(normalise(title) in _MADR_NAMES for title in titles):
        return _MADR
    free = any(_NO_STYLE.isdisjoint(meanings.of(title)) for title in titles)
    if not free or len(_NYGARD_MARKS & found) >= _FEWEST_MARKS:
        return _DECISION_ALONE if found.intersection(CORE) == {DECISION} else _NYGARD
    found.update(name for title in titles for name in serves(title, meanings))
    return _OWN_DECIDING if DECISION in found else _OWN
