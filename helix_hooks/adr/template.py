"""Templates and norms: what an ADR must have.

Templates are helix, madr, nygard, and those of a repository's settings. A norm is counted, see
`norm`.
"""

import re
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from ..finding import SEVERITIES, Severity
from .names import STATUSES, Meanings, normalise
from .parse.document import AdrDocument
from .parse.header import Header

DECISION = "decision"
"""The id of the only section whose absence is always reported."""

MADR_STATUSES = tuple(STATUSES)
"""All known statuses."""


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


FEWEST = 5
"""Number of siblings below which nothing is counted."""
FIRM = 8
"""Number of siblings that must all have a heading or field for its absence to be an error."""
_AS_NEEDED = frozenset(("references", "questions", "changelog", "meta", "summary", "out-of-scope"))
"""Sections that an ADR has if there is something to list there."""
CORE = ("status", "context", "decision", "consequences")
"""Statements of an ADR that count in a heading, a label or the header."""

Form = tuple[str, int]
"""The words of a heading and its level; for a field its name and 0."""


class Trait(NamedTuple):
    """Something that the siblings have: a heading, a header field or a label.

    `key` is its meaning, else the normalised heading or the name of the field. `form` is how most
    siblings write it. `number` counts the siblings that have it; `is_recent` tells whether one
    of the two newest does. `of_file` tells that the template file requires it. `shortest` are the
    visible characters of the shortest section of this heading among all siblings, at most
    `norm.MOST_MEASURED`; 0 if one is empty or has no such section.
    """

    key: str
    form: Form
    number: int
    is_recent: bool
    of_file: bool = False
    shortest: int = 0

    def written(self) -> str:
        """Return the trait as a line of an ADR."""
        return written(self.form)


def written(form: Form) -> str:
    """Return a form as a line of an ADR: `## Context`, `Date:`."""
    name, level = form
    return f"{'#' * level} {name}" if level else f"{name}:"


class Norm(NamedTuple):
    """The requirements of the siblings on a new ADR, in the order in which the newest has them.

    `total` is the number of siblings; `file` is the path of the template file that they follow, ""
    without one. `titles` are the normalised titles of the siblings with their paths, `statuses`
    their status values as written, in lowercase. `hints` are the texts of the template file that
    its ADRs replace, in lowercase.
    """

    total: int
    traits: tuple[Trait, ...]
    file: str = ""
    titles: tuple[tuple[str, str], ...] = ()
    statuses: frozenset[str] = frozenset()
    hints: frozenset[str] = frozenset()

    def is_firm(self, trait: Trait) -> bool:
        """Return whether the absence of a trait is an error, not a warning."""
        if trait.of_file:
            return trait.key in CORE
        if trait.key in _AS_NEEDED:
            return False
        is_habit = trait.key in CORE or trait.number == self.total >= FIRM
        return is_habit and trait.is_recent

    def has(self, key: str) -> bool:
        return any(trait.key == key for trait in self.traits)


class Template(NamedTuple):
    """The required parts of an ADR.

    `fields` are header fields; `statuses` the allowed ones; `min_section_length` counts characters
    of prose; `min_acceptance_criteria` applies only where acceptance criteria are among `sections`.
    `optional` are sections that may be missing, but not empty.
    """

    name: str
    sections: tuple[Required, ...]
    fields: tuple[str, ...] = ()
    statuses: tuple[str, ...] = MADR_STATUSES
    min_section_length: int = 1
    min_acceptance_criteria: int = 0
    optional: tuple[Required, ...] = ()

    @property
    def all_sections(self) -> tuple[Required, ...]:
        """Return the sections whose content is checked: the required and the optional ones."""
        return (*self.sections, *self.optional)

    def asks_for(self, section: str) -> bool:
        return any(section in required.meanings for required in self.sections)

    def lacks(self, old: "Template") -> list[str]:
        """Return the requirements of another template that this one lacks, for a message."""
        names = {*self.fields, *_meanings(self.sections)}
        asked = [item for item in old.sections if item.severity != "info"]
        lacking = [item.name for item in asked if names.isdisjoint(item.meanings)]
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
    "context and problem statement; decision outcome; considered options; "
    "considered alternatives; pros and cons of the options; kontext und problemstellung; "
    "ergebnis der entscheidung; betrachtete optionen".split("; ")
)
"""Normalised headings that only MADR has."""


UNKNOWN = Template(name="unknown", sections=())
"""The template of an ADR that follows no known one."""

_NYGARD_MARKS = frozenset(("status", "context", "decision", "consequences"))
_NO_STYLE = _NYGARD_MARKS | {"meta", "references", "changelog"}
"""Sections that do not show another style, such as in a nygard ADR without its other sections."""
_FEWEST_MARKS = 2
_MADR = MADR._replace(
    sections=tuple(item for item in MADR.sections if "options" not in item.meanings),
    optional=(Required("Considered Options", ("options",), "warning"),),
)
"""MADR as it is recognised: its options may be missing, but not empty."""
DECIDING = Required("Decision", (DECISION,))
"""The section Decision as a requirement."""
_FIRST = frozenset(("status", "context", DECISION))
"""Sections that an ADR without siblings must have if it follows a known template."""


def of_first(template: Template) -> Template:
    """Return what a new ADR must have where no siblings and no template file say it.

    A known template asks for status, context and decision; its other sections are a warning. In an
    unknown style a missing decision is a warning.
    """
    if template.name == UNKNOWN.name:
        return template._replace(sections=(DECIDING._replace(severity="warning"),))
    sections = tuple(
        item if _FIRST.intersection(item.meanings) else item._replace(severity="warning")
        for item in template.sections
    )
    return template._replace(sections=sections)


def of_siblings(template: Template, norm: Norm, has_decision: bool) -> Template:
    """Return what the template of a new ADR adds to the norm of its siblings: only the decision.

    With `has_decision` the norm asks for it, or the ADR has it; where enough siblings have none, it
    is not asked for either. In an unknown style it is a warning. The other sections may be missing,
    but not empty.
    """
    if has_decision or norm.total >= FEWEST:
        return template._replace(sections=(), optional=(*template.sections, *template.optional))
    severity = "warning" if template.name == UNKNOWN.name else ""
    others = tuple(item for item in template.sections if DECISION not in item.meanings)
    return template._replace(
        sections=(DECIDING._replace(severity=severity),), optional=(*others, *template.optional)
    )


def of_old(template: Template, had: frozenset[str], before: Iterable[Required] = ()) -> Template:
    """Return what an ADR of the base is held to: to keep what its versions before all had.

    `had` are the meanings of what they had, `before` the sections of their templates. The other
    sections of the template are information.
    """
    known = [
        item._replace(severity="" if had.intersection(item.meanings) else "info")
        for item in template.sections
    ]
    for item in (*template.optional, *NYGARD.sections, *before):
        is_known = not _meanings(known).isdisjoint(item.meanings)
        if had.intersection(item.meanings) and not is_known:
            known.append(item._replace(severity=""))
    optional = tuple(item for item in template.optional if not had.intersection(item.meanings))
    return template._replace(sections=tuple(known), optional=optional)


def detected(
    doc: AdrDocument, header: Header, meanings: Meanings, level: int, helix: Template
) -> Template:
    """Return the template that an ADR follows: the most demanding one with its marks.

    helix is recognised by `adr_id` in the header or by two of its other fields or sections; MADR by
    the names that only it uses, such as "Decision Outcome"; nygard by two of its sections, or if
    there are no others. Anything else is `UNKNOWN`. The options of madr may be missing.
    """
    has_id = doc.front is not None and re.search(r"(?m)^adr[-_]id\s*:", doc.front)
    if has_id or len(_HELIX_FIELDS & header.fields.keys()) >= _FEWEST_MARKS:
        return helix
    titles = [section.title for section in doc.sections if section.level == level]
    names = set(chain.from_iterable(map(meanings.of, titles)))
    if names >= _HELIX_SECTIONS:
        return helix
    if not _MADR_NAMES.isdisjoint(map(normalise, titles)):
        return _MADR
    if len(_NYGARD_MARKS & names) >= _FEWEST_MARKS:
        return NYGARD
    has_other_style = any(_NO_STYLE.isdisjoint(meanings.of(title)) for title in titles)
    return UNKNOWN if has_other_style else NYGARD
