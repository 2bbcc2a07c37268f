"""All built-in rules by kind, and the rules in force in a repository.

A rule is added here and nowhere else: `check`, the settings, `explain`, the rule pages and SARIF
read this module.
"""

from collections.abc import Iterable

from ...records import TYPE_CHECKING, NamedTuple
from ..corpus import CorpusRule
from ..model import ChangeRule, Described, Rule
from ..names.heading import Meanings
from ..names.status import Statuses
from ..template import Template
from .contextual.rule import ContextualRule
from .corpus.dangling_reference import DanglingReference
from .corpus.dependency_cycle import DependencyCycle
from .corpus.duplicate_id import DuplicateId
from .corpus.id_filename_mismatch import IdFilenameMismatch
from .corpus.referenced_file_missing import ReferencedFileMissing
from .corpus.supersede_asymmetric import SupersedeAsymmetric
from .corpus.superseded_dependency import SupersededDependency
from .structure.acceptance_criteria_too_few import AcceptanceCriteriaTooFew
from .structure.anchor_missing import AnchorMissing
from .structure.concept_section_missing import ConceptSectionMissing
from .structure.concept_unreadable import ConceptUnreadable
from .structure.date_impossible import DateImpossible
from .structure.file_unreadable import FileUnreadable
from .structure.header_invalid import HeaderInvalid
from .structure.headings_missing import HeadingsMissing
from .structure.implemented_unticked import ImplementedUnticked
from .structure.key_misspelt import KeyMisspelt
from .structure.link_text_mismatch import LinkTextMismatch
from .structure.merge_conflict import MergeConflict
from .structure.placeholder import Placeholder
from .structure.section_missing import SectionMissing
from .structure.section_too_short import SectionTooShort
from .structure.sections_swallowed import SectionsSwallowed
from .structure.status_conflict import StatusConflict
from .structure.value_misspelt import ValueMisspelt

BLOCKING: tuple[Rule, ...] = (FileUnreadable(), MergeConflict())
"""Rules on whether there is a document at all.

If one of them finds something, no other rule runs on the file.
"""

STRUCTURE: tuple[Rule, ...] = (
    HeaderInvalid(),
    KeyMisspelt(),
    ValueMisspelt(),
    StatusConflict(),
    DateImpossible(),
    HeadingsMissing(),
    SectionsSwallowed(),
    SectionMissing(),
    SectionTooShort(),
    Placeholder(),
    AcceptanceCriteriaTooFew(),
    ImplementedUnticked(),
    AnchorMissing(),
    LinkTextMismatch(),
    ConceptUnreadable(),
    ConceptSectionMissing(),
)
"""Rules on one ADR, in the order in which they run and in which the page lists them."""

CORPUS: tuple[CorpusRule, ...] = (
    DuplicateId(),
    IdFilenameMismatch(),
    DanglingReference(),
    SupersedeAsymmetric(),
    DependencyCycle(),
    SupersededDependency(),
    ReferencedFileMissing(),
)
"""Rules on an ADR among the others, in the order in which the page lists them."""


def change_rules() -> tuple[ChangeRule, ...]:
    """Return the rules on an ADR and its version before the change.

    Loaded only where there is one.
    """
    from .change.accepted_changed import ACCEPTED_CHANGED
    from .change.status_transition import STATUS_TRANSITION

    return (STATUS_TRANSITION, ACCEPTED_CHANGED)


def gate_rules() -> tuple[Described, ...]:
    """Return the rules on the gate itself. `check` runs each by name, where its facts are known."""
    from .gate.baseline_stale import BASELINE_STALE
    from .gate.gate_relaxed import GATE_RELAXED
    from .gate.suppression_invalid import SUPPRESSION_INVALID
    from .gate.unwatched_adr import UNWATCHED_ADR

    return (SUPPRESSION_INVALID, BASELINE_STALE, GATE_RELAXED, UNWATCHED_ADR)


def built_in() -> tuple[Described, ...]:
    """Return every built-in rule once, in the order of the page."""
    return (*BLOCKING, *STRUCTURE, *CORPUS, *change_rules(), *gate_rules())


OF_THE_CHANGE = frozenset(("gate-relaxed", "accepted-changed", "status-transition"))
"""Rules on what a change does.

That a finding existed before the change makes none of theirs milder.
"""

OF_REFERENCES = frozenset(
    ("dangling-reference", "dependency-cycle", "superseded-dependency", "supersede-asymmetric")
)
"""Rules on the references of an ADR."""

OF_THE_NAME = frozenset(("duplicate-id", "id-filename-mismatch"))
"""Rules on the id and the file name of an ADR."""

FIRM = OF_THE_CHANGE | {
    "file-unreadable",
    "merge-conflict",
    "suppression-invalid",
    "baseline-stale",
}
"""Rules that no comment and no baseline suppresses: those on a file that cannot be read, on the
gate, and on a change. A comment or a count could be planted before the change that needs it.
"""

OFF = "off"
"""The severity of a rule that is switched off."""

CONCEPT_IGNORED = ("status", "summary", "references", "meta", "questions")
"""Sections of a concept that need no place in the ADR."""


class Ruleset(NamedTuple):
    """The rules in force, and everything else that decides how an ADR is checked.

    `rules` are STRUCTURE with what the settings change in them. `template` is a name of
    `templates`, or "auto": then each ADR is checked as what it is. `severities` replace the rules'
    own, by id. Findings in ADRs with a number below `strict_from` are at most informative.
    """

    rules: tuple[Rule, ...]
    contextual: tuple[ContextualRule, ...]
    templates: dict[str, Template]
    template: str
    meanings: Meanings
    statuses: Statuses
    severities: dict[str, str]
    concept_ignored: tuple[str, ...] = CONCEPT_IGNORED
    strict_from: int = 0


def in_force(ruleset: Ruleset) -> tuple[Described, ...]:
    """Return every rule of a repository once, built-in and contextual, in the order of the page;
    also those switched off.
    """
    return (
        *BLOCKING,
        *ruleset.rules,
        *ruleset.contextual,
        *CORPUS,
        *change_rules(),
        *gate_rules(),
    )


if TYPE_CHECKING:
    from typing import TypeVar

    AnyRule = TypeVar("AnyRule", bound=Described)
else:
    AnyRule = Described


def switched_on(rules: Iterable[AnyRule], ruleset: Ruleset) -> list[AnyRule]:
    """Return those of some rules that the settings do not switch off."""
    return [rule for rule in rules if ruleset.severities.get(rule.id) != OFF]
