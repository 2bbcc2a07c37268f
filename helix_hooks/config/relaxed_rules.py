"""The requirements that a change of settings drops."""

from collections.abc import Iterable, Iterator

from ..adr.model import Described
from ..adr.rules.contextual.rule import ContextualRule
from ..adr.rules.registry import OFF, Ruleset, in_force
from ..adr.template import Template
from ..finding import SEVERITIES
from .settings import Settings

_ORDER = (*SEVERITIES, OFF)
_MAX_NAMES = 3


def relaxed(before: Settings, now: Settings, known: Iterable[str]) -> list[str]:
    """Return a phrase for each relaxation. `known` are the paths of the repository."""
    return [
        *_fewer_adrs(before, now, known),
        *_severities(before.ruleset, now.ruleset),
        *_changed_contextual_rules(before.ruleset, now.ruleset),
        *_other_settings(before, now),
    ]


def _fewer_adrs(before: Settings, now: Settings, known: Iterable[str]) -> Iterator[str]:
    """Yield one line if fewer files are ADRs; the most precise one that applies."""
    no_adrs_now = [path for path in known if before.is_adr(path) and not now.is_adr(path)]
    undeclared = no_longer_declared(before, now)
    if no_adrs_now:
        yield f"no longer checked as ADRs: {_first_names(no_adrs_now)}"
    elif may_leave_out_files(before, now):
        yield "`paths` or `exclude` name other files"
    elif undeclared:
        yield f"ADRs are no longer looked for in {', '.join(undeclared)}"


def _first_names(names: list[str]) -> str:
    text = ", ".join(names[:_MAX_NAMES])
    if len(names) > _MAX_NAMES:
        text += f" and {len(names) - _MAX_NAMES} more"
    return text


def may_leave_out_files(before: Settings, now: Settings) -> bool:
    """Return whether `paths` or `exclude` may leave out more files."""
    # Without `paths`, ADRs are found by name in any folder.
    if not before.paths and now.paths:
        return True
    if (before.paths, before.exclude) == (now.paths, now.exclude):
        return False
    is_wider = set(before.paths) <= set(now.paths) and set(now.exclude) <= set(before.exclude)
    return not is_wider


def no_longer_declared(before: Settings, now: Settings) -> list[str]:
    """Return the folders that a file of another tool no longer declares, each with that file.

    This includes a folder where all files were ADRs and now only numbered ones are. With `paths`
    in the new settings there are none, since `paths` are compared instead.
    """
    if now.paths:
        return []
    declared = {(item.folder, item.is_numbered) for item in now.declared}
    removed: list[str] = []
    for item in before.declared:
        has_all_files = (item.folder, False) in declared
        if not has_all_files and (item.folder, item.is_numbered) not in declared:
            removed.append(f"{item.folder} ({item.path})")
    return removed


def _severities(before: Ruleset, now: Ruleset) -> Iterator[str]:
    yield from (f"{id} is {new}, was {old}" for id, old, new in milder(before, now))


def milder(before: Ruleset, now: Ruleset) -> Iterator[tuple[str, str, str]]:
    """Yield the rules whose severity is lower: the id, the old severity, and the new one."""
    for rule in in_force(before):
        old, new = (rules.severities.get(rule.id, rule.severity) for rules in (before, now))
        if _ORDER.index(new) > _ORDER.index(old):
            yield rule.id, old, new
        elif old != OFF and _is_off_elsewhere_again(rule, before, now):
            yield rule.id, old, f"{OFF} outside of the helix template"


def _is_off_elsewhere_again(rule: Described, before: Ruleset, now: Ruleset) -> bool:
    """Return whether a rule is off again outside the helix template.

    Such a rule applies to other templates only if the settings set its severity.
    """
    is_off = getattr(rule, "severity_elsewhere", "") == OFF
    return is_off and rule.id in before.severities and rule.id not in now.severities


def milder_elsewhere(old: ContextualRule, new: ContextualRule) -> Iterator[str]:
    """Yield the change of severity outside the helix template, if the new one is lower."""
    if not old.severity_elsewhere and not new.severity_elsewhere:
        return
    was, now = (rule.severity_elsewhere or rule.severity for rule in (old, new))
    if _ORDER.index(now) > _ORDER.index(was):
        yield f"outside of the helix template {was} -> {now}"


def _changed_contextual_rules(before: Ruleset, now: Ruleset) -> Iterator[str]:
    rules = {rule.id: rule for rule in now.contextual}
    yield from _removed_rules([old.id for old in before.contextual if old.id not in rules])
    for old in before.contextual:
        if old.id in rules and _compared_parts(rules[old.id]) != _compared_parts(old):
            yield f"the rule {old.id} has changed requirements"


def _removed_rules(ids: list[str]) -> Iterator[str]:
    if len(ids) == 1:
        yield f"the rule {ids[0]} is gone"
    elif ids:
        yield f"the rules {', '.join(ids)} are gone"


def _compared_parts(rule: ContextualRule) -> tuple[object, ...]:
    """Return the parts of a rule that are compared. Its messages may be improved."""
    return rule.when, rule.requirements, rule.severity, rule.severity_elsewhere


def _other_settings(before: Settings, now: Settings) -> Iterator[str]:
    yield from _changed_templates(before.ruleset, now.ruleset)
    if now.ruleset.strict_from > before.ruleset.strict_from:
        yield f"`strict_from` is {now.ruleset.strict_from}, was {before.ruleset.strict_from}"
    yield from _concept_and_aliases(before.ruleset, now.ruleset)
    if before.approvals != now.approvals:
        yield f"`approvals` is {now.approvals}, was {before.approvals}"
    if before.baseline != now.baseline and now.baseline:
        yield f"`baseline` is {now.baseline}"


def _changed_templates(old: Ruleset, new: Ruleset) -> Iterator[str]:
    if old.template != new.template:
        yield f"`template` is {new.template}, was {old.template}"
    for name, template in old.templates.items():
        if name not in new.templates or not _covers(new.templates[name], template):
            yield f"the template {name} requires less"


def _concept_and_aliases(old: Ruleset, new: Ruleset) -> Iterator[str]:
    if requires_fewer_concept_sections(old, new):
        yield "`concept` ignores more sections"
    if new.meanings.names != old.meanings.names or new.statuses.names != old.statuses.names:
        yield "`aliases` change the meaning of words"


def requires_fewer_concept_sections(before: Ruleset, now: Ruleset) -> bool:
    """Return whether the absence of more concept sections is ignored, or is not an error."""
    ignores_more = not set(now.concept_ignored) <= set(before.concept_ignored)
    required = _required_concept_sections(before)
    requires_fewer = not required <= _required_concept_sections(now)
    return ignores_more or requires_fewer


def _covers(new: Template, old: Template) -> bool:
    """Return whether a template requires all that another one requires."""
    for section in old.sections:
        if not any(item.covers(section) for item in new.sections):
            return False
    return all(
        (
            set(new.all_sections) >= set(old.optional),
            set(new.fields) >= set(old.fields),
            set(new.statuses) <= set(old.statuses),
            new.min_section_length >= old.min_section_length,
            new.min_acceptance_criteria >= old.min_acceptance_criteria,
        )
    )


def _required_concept_sections(ruleset: Ruleset) -> frozenset[str]:
    """Return the concept sections whose absence is an error."""
    names: set[str] = set()
    for rule in ruleset.rules:
        # Only concept-section-missing has `errors`: the sections that it reports as errors.
        names.update(getattr(rule, "errors", ()))
    return frozenset(names)
