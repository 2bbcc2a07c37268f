"""All built-in rules by kind, and the rules in force in a repository.

A rule is added here and nowhere else: `check`, the settings, `explain`, the rule pages and SARIF
read this module.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from ...finding import Finding
from ..corpus import Corpus, Entry
from ..model import Adr, Described, Files, Fix, Rule, Template, Vocabulary
from ..names import Meanings, Statuses
from .contextual.rule import ContextualRule
from .corpus.dangling_reference import dangling_reference
from .corpus.dependency_cycle import dependency_cycle
from .corpus.duplicate_id import duplicate_id
from .corpus.id_filename_mismatch import id_filename_mismatch
from .corpus.referenced_file_missing import referenced_file_missing
from .corpus.retired_without_successor import retired_without_successor
from .corpus.supersede_asymmetric import supersede_asymmetric
from .corpus.superseded_dependency import superseded_dependency
from .structure.acceptance_criteria_too_few import acceptance_criteria_too_few
from .structure.concept_section_missing import concept_section_missing
from .structure.concept_unreadable import concept_unreadable
from .structure.date_impossible import date_impossible
from .structure.enforcement_invalid import enforcement_invalid
from .structure.file_unreadable import file_unreadable
from .structure.header_invalid import header_invalid
from .structure.implemented_unticked import implemented_unticked
from .structure.key_misspelt import key_misspelt
from .structure.link_text_mismatch import link_text_mismatch
from .structure.link_undefined import link_undefined
from .structure.merge_conflict import merge_conflict
from .structure.placeholder import placeholder
from .structure.promises_nothing import promises_nothing
from .structure.section_missing import section_missing
from .structure.section_too_short import section_too_short
from .structure.sections_swallowed import sections_swallowed
from .structure.status_conflict import status_conflict
from .structure.title_is_file_name import title_is_file_name
from .structure.title_taken import title_taken
from .structure.unlike_siblings import unlike_siblings
from .structure.value_misspelt import value_misspelt

BLOCKING: tuple[Rule[[Adr]], ...] = (file_unreadable, merge_conflict)
"""Rules on whether the file is a document. After a finding of theirs no other rule runs on it."""

STRUCTURE: tuple[Rule[[Adr]], ...] = (
    header_invalid,
    key_misspelt,
    value_misspelt,
    status_conflict,
    date_impossible,
    sections_swallowed,
    section_missing,
    unlike_siblings,
    section_too_short,
    placeholder,
    acceptance_criteria_too_few,
    implemented_unticked,
    promises_nothing,
    link_text_mismatch,
    link_undefined,
    title_taken,
    title_is_file_name,
    enforcement_invalid,
    concept_unreadable,
    concept_section_missing,
)
"""Rules on one ADR, in the order of their run and of the page."""

CORPUS: tuple[Rule[[Entry, Corpus]], ...] = (
    duplicate_id,
    id_filename_mismatch,
    dangling_reference,
    supersede_asymmetric,
    retired_without_successor,
    dependency_cycle,
    superseded_dependency,
    referenced_file_missing,
)
"""Rules on an ADR and the other ADRs, in the order of the page."""


def gate_rules() -> tuple[Rule[...], ...]:
    """Return the rules on a change and on the gate itself.

    `change` and `check` run each of them by name, when they have its facts.
    """
    # Imported only here: most runs have no version before.
    from .gate.accepted_changed import accepted_changed
    from .gate.baseline_stale import baseline_stale
    from .gate.decision_violated import decision_violated
    from .gate.enforcement_unproven import enforcement_unproven
    from .gate.gate_relaxed import gate_relaxed
    from .gate.status_transition import status_transition
    from .gate.suppression_invalid import suppression_invalid
    from .gate.unwatched_adr import unwatched_adr

    return (
        status_transition,
        accepted_changed,
        suppression_invalid,
        baseline_stale,
        gate_relaxed,
        unwatched_adr,
        decision_violated,
        enforcement_unproven,
    )


def fixes(findings: Iterable[Finding], files: Files, corpus: Corpus | None) -> list[Fix]:
    """Return the fixes of findings, each once. They are not verified by a check yet.

    Without a corpus, findings on references and ids are not fixed.
    """
    of_one = {rule.id: rule.fix for rule in STRUCTURE if rule.fix}
    of_several = {rule.id: rule.fix for rule in CORPUS if rule.fix}
    fixes: dict[Fix | None, None] = {}
    for finding in findings:
        if finding.check in of_one:
            adr = files.adr(finding.path)
            if adr:
                fixes[of_one[finding.check](finding, files, adr)] = None
        elif corpus and finding.check in of_several:
            entry = corpus.entry(finding.path)
            if entry:
                fixes[of_several[finding.check](finding, files, entry, corpus)] = None
    return list(filter(None, fixes))


def built_in() -> tuple[Rule[...], ...]:
    """Return every built-in rule once, in the order of the page."""
    return (*BLOCKING, *STRUCTURE, *CORPUS, *gate_rules())


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
    "enforcement-invalid",
    "enforcement-unproven",
    "decision-violated",
}
"""Rules that no comment and no baseline suppresses: on an unreadable file, the gate, or a change.

An earlier change could add the comment or the count that a later one needs.
"""

OFF = "off"
"""The severity of a rule that is switched off."""

HELIX_ONLY = frozenset(("promises-nothing",))
"""Rules that run only in the helix template, unless `severities` has them."""

CONCEPT_IGNORED = ("status", "summary", "references", "meta", "questions")
"""Sections of a concept that the ADR does not need."""


class Ruleset(NamedTuple):
    """The rules in force, and the settings by which an ADR is checked.

    `template` is a name of `templates`, or
    "auto": then the template of each ADR is recognised. `severities` override those of the rules,
    by id. Findings in ADRs with a number below `strict_from` are at most information.
    """

    contextual: tuple[ContextualRule, ...]
    templates: dict[str, Template]
    template: str
    meanings: Meanings
    statuses: Statuses
    severities: dict[str, str]
    vocabulary: Vocabulary
    concept_ignored: tuple[str, ...] = CONCEPT_IGNORED
    strict_from: int = 0


def in_force(ruleset: Ruleset) -> tuple[Rule[...] | ContextualRule, ...]:
    """Return every rule of a repository once, in the order of the page, also those switched off."""
    return (
        *BLOCKING,
        *STRUCTURE,
        *ruleset.contextual,
        *CORPUS,
        *gate_rules(),
    )


AnyRule = TypeVar("AnyRule", bound=Described)


def switched_on(rules: Iterable[AnyRule], ruleset: Ruleset) -> list[AnyRule]:
    """Return the rules that the settings do not switch off."""
    return [rule for rule in rules if ruleset.severities.get(rule.id) != OFF]
