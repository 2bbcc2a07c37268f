"""All built-in rules by kind, and the rules in force in a repository.

A rule is added here and nowhere else: `check`, the settings, `explain`, the rule pages and SARIF
read this module.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

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
from .corpus.retired_without_successor import RetiredWithoutSuccessor
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
from .structure.link_undefined import LinkUndefined
from .structure.merge_conflict import MergeConflict
from .structure.placeholder import Placeholder
from .structure.section_missing import SectionMissing
from .structure.section_too_short import SectionTooShort
from .structure.sections_swallowed import SectionsSwallowed
from .structure.status_conflict import StatusConflict
from .structure.title_is_file_name import TitleIsFileName
from .structure.title_taken import TitleTaken
from .structure.unlike_siblings import UnlikeSiblings
from .structure.value_misspelt import ValueMisspelt

BLOCKING: tuple[Rule, ...] = (FileUnreadable(), MergeConflict())
"""Rules on whether the file is a document. After a finding of theirs no other rule runs on it."""

STRUCTURE: tuple[Rule, ...] = (
    HeaderInvalid(),
    KeyMisspelt(),
    ValueMisspelt(),
    StatusConflict(),
    DateImpossible(),
    HeadingsMissing(),
    SectionsSwallowed(),
    SectionMissing(),
    UnlikeSiblings(),
    SectionTooShort(),
    Placeholder(),
    AcceptanceCriteriaTooFew(),
    ImplementedUnticked(),
    AnchorMissing(),
    LinkTextMismatch(),
    LinkUndefined(),
    TitleTaken(),
    TitleIsFileName(),
    ConceptUnreadable(),
    ConceptSectionMissing(),
)
"""Rules on one ADR, in the order of their run and of the page."""

CORPUS: tuple[CorpusRule, ...] = (
    DuplicateId(),
    IdFilenameMismatch(),
    DanglingReference(),
    SupersedeAsymmetric(),
    RetiredWithoutSuccessor(),
    DependencyCycle(),
    SupersededDependency(),
    ReferencedFileMissing(),
)
"""Rules on an ADR and the other ADRs, in the order of the page."""


def change_rules() -> tuple[ChangeRule, ...]:
    """Return the rules on an ADR and its version before the change."""
    # Imported only here: most runs have no version before.
    from .change.accepted_changed import ACCEPTED_CHANGED
    from .change.status_transition import STATUS_TRANSITION

    return (STATUS_TRANSITION, ACCEPTED_CHANGED)


def gate_rules() -> tuple[Described, ...]:
    """Return the rules on the gate itself. `check` runs each by name when it has its facts."""
    from .gate.baseline_stale import BASELINE_STALE
    from .gate.gate_relaxed import GATE_RELAXED
    from .gate.suppression_invalid import SUPPRESSION_INVALID
    from .gate.unwatched_adr import UNWATCHED_ADR

    return (SUPPRESSION_INVALID, BASELINE_STALE, GATE_RELAXED, UNWATCHED_ADR)


def built_in() -> tuple[Described, ...]:
    """Return every built-in rule once, in the order of the page."""
    return (*BLOCKING, *STRUCTURE, *CORPUS, *change_rules(), *gate_rules())


OF_THE_CHANGE = frozenset(
    ("gate-relaxed", "accepted-changed", "status-transition", "retired-without-successor")
)
"""Rules on a change. Their findings stay as they are, also if the base has the same finding."""

FIRM = OF_THE_CHANGE | {
    "file-unreadable",
    "merge-conflict",
    "unwatched-adr",
    "suppression-invalid",
    "baseline-stale",
}
"""Rules that no comment and no baseline suppresses: on an unreadable file, the gate, or a change.

An earlier change could add the comment or the count that a later one needs.
"""

OFF = "off"
"""The severity of a rule that is switched off."""

CONCEPT_IGNORED = ("status", "summary", "references", "meta", "questions")
"""Sections of a concept that the ADR does not need."""


class Ruleset(NamedTuple):
    """The rules in force, and the settings by which an ADR is checked.

    `rules` are STRUCTURE with the changes of the settings. `template` is a name of `templates`, or
    "auto": then the template of each ADR is recognised. `severities` override those of the rules,
    by id. Findings in ADRs with a number below `strict_from` are at most information.
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
    """Return every rule of a repository once, in the order of the page, also those switched off."""
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
    """Return the rules that the settings do not switch off."""
    return [rule for rule in rules if ruleset.severities.get(rule.id) != OFF]
