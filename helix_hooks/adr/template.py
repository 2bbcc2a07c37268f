"""Sections, header fields and statuses of an ADR: helix, madr, nygard, and templates of a
repository.
"""

import re
from typing import NamedTuple

from .names.heading import Meanings, normalise
from .parse.document import AdrDocument
from .parse.header import Header

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
    """

    name: str
    meanings: tuple[str, ...]


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


def detect(doc: AdrDocument, header: Header, meanings: Meanings) -> str:
    """The name of the built-in template an ADR follows: the most demanding whose marks it bears,
    else nygard.

    helix is recognised by `adr_id` in the header or by two of its other fields or sections; MADR by
    the names that only it uses, such as "Decision Outcome".
    """
    if doc.front is not None and re.search(r"(?m)^adr[-_]id\s*:", doc.front):
        return "helix"
    if len(_HELIX_FIELDS & header.fields.keys()) >= 2:
        return "helix"
    found = {
        name
        for section in doc.sections
        if section.level == 2
        for name in meanings.of(section.title)
    }
    if len(_HELIX_SECTIONS & found) == len(_HELIX_SECTIONS):
        return "helix"
    if any(
        normalise(section.title) in _MADR_NAMES for section in doc.sections if section.level == 2
    ):
        return "madr"
    return "nygard"
