"""List what a change of `.helix-hooks.yaml` or of the rules relaxes, one line each. Pure.

Stricter settings are left out. A change that may be stricter or milder is listed as changed.
"""

from collections.abc import Iterable, Iterator

from ..adr.model import Described
from ..adr.rules.contextual.requirement import ContentPattern, RequiredSection, Requirement
from ..adr.rules.contextual.rule import ContextualRule
from ..adr.rules.registry import OFF, Ruleset, in_force
from ..adr.template import Required, Template
from ..finding import SEVERITIES
from .declaration import Places, listed, place_of
from .settings import Settings
from .settings_file import SETTINGS_FILE

_ORDER = (*SEVERITIES, OFF)
_MAX_REQUIREMENTS = 100
"""Maximum requirements of a rule that are compared pairwise, in quadratic time."""


def relaxed(
    old: Settings, new: Settings, known: Iterable[str], where: Places | None = None
) -> Iterator[str]:
    """Yield a line for each relaxation. `known` are the paths of the repository."""
    places = where or {}
    yield from _watched(old, new, places, known)
    yield from _rules(old.ruleset, new.ruleset, places)
    for name, template in old.ruleset.templates.items():
        yield from _template(template, new.ruleset.templates.get(name), places)
    yield from SETTINGS_FILE.relaxed(old, new, places)


def _watched(old: Settings, new: Settings, where: Places, known: Iterable[str]) -> Iterator[str]:
    """Yield a line if some ADRs are no longer watched, or might no longer be."""
    lost = [path for path in known if old.is_adr(path) and not new.is_adr(path)]
    undeclared = _no_longer_declared(old, new)
    key = _changed_key(old, new, undeclared)
    if lost:
        noun = "ADR" if len(lost) == 1 else "ADRs"
        yield f"{key} now leaves out {len(lost)} {noun}: {listed(lost)}{place_of(where, key)}"
    elif _may_leave_out_files(old, new):
        yield f"{key} changed{place_of(where, key)}"
    elif undeclared:
        yield f"ADRs are no longer looked for in {listed(undeclared)}"


def _changed_key(old: Settings, new: Settings, undeclared: list[str]) -> str:
    """Return the setting, or the file of another tool, that lost the ADRs."""
    if old.exclude != new.exclude:
        return "exclude"
    if undeclared and old.paths == new.paths:
        return old.declared[0].path
    return "paths"


def _may_leave_out_files(before: Settings, now: Settings) -> bool:
    """Return whether `paths` or `exclude` may leave out more files."""
    # Without `paths`, ADRs are found by name in any folder.
    if not before.paths and now.paths:
        return True
    if (before.paths, before.exclude) == (now.paths, now.exclude):
        return False
    is_wider = set(before.paths) <= set(now.paths) and set(now.exclude) <= set(before.exclude)
    return not is_wider


def _no_longer_declared(before: Settings, now: Settings) -> list[str]:
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


def _rules(old: Ruleset, new: Ruleset, places: Places) -> Iterator[str]:
    for id, before, now in _milder(old, new):
        at = place_of(places, f"severities.{id}", f"contextual_rules.{id}.severity")
        yield f"rules: `{id}` {before} -> {now}{at}"
    rules = {rule.id: rule for rule in new.contextual}
    for rule in old.contextual:
        yield from _rule(rule, rules.get(rule.id), place_of(places, f"contextual_rules.{rule.id}"))


def _milder(before: Ruleset, now: Ruleset) -> Iterator[tuple[str, str, str]]:
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


def _milder_elsewhere(old: ContextualRule, new: ContextualRule) -> Iterator[str]:
    """Yield the change of severity outside the helix template, if the new one is lower."""
    if not old.severity_elsewhere and not new.severity_elsewhere:
        return
    was, now = (rule.severity_elsewhere or rule.severity for rule in (old, new))
    if _ORDER.index(now) > _ORDER.index(was):
        yield f"outside of the helix template {was} -> {now}"


def _rule(old: ContextualRule, new: ContextualRule | None, at: str) -> Iterator[str]:
    if new is None:
        yield f"rules: `{old.id}` was removed"
        return
    if SEVERITIES.index(new.severity) > SEVERITIES.index(old.severity):
        yield f"rules: `{old.id}` {old.severity} -> {new.severity}{at}"
    for change in _milder_elsewhere(old, new):
        yield f"rules: `{old.id}` {change}{at}"
    if (old.when, old.requirements) == (new.when, new.requirements):
        return
    for before, now in _shorter_sections(old, new):
        yield f"rules: `{old.id}` minimum {before} -> {now}{at}"
    if old.when != new.when or not _ask_for(new.requirements, old.requirements):
        yield f"rules: `{old.id}` changed{at}"


def _shorter_sections(old: ContextualRule, new: ContextualRule) -> list[tuple[int, int]]:
    """Return the minimum lengths of sections that are lower, each before and now."""
    lengths = {
        item.name: item.min_length for item in new.requirements if isinstance(item, RequiredSection)
    }
    shorter = []
    for item in old.requirements:
        if isinstance(item, RequiredSection):
            now = lengths.get(item.name, item.min_length)
            if now < item.min_length:
                shorter.append((item.min_length, now))
    return shorter


def _ask_for(new: tuple[Requirement, ...], old: tuple[Requirement, ...]) -> bool:
    """Return whether the new requirements cover the old ones; False if there are too many."""
    if max(len(new), len(old)) > _MAX_REQUIREMENTS:
        return False
    return all(_any_asks_for(new, item) for item in old)


def _any_asks_for(new: tuple[Requirement, ...], old: Requirement) -> bool:
    return any(_asks_for(item, old) for item in new)


def _asks_for(new: Requirement, old: Requirement) -> bool:
    """Return whether a requirement covers another one, apart from the length of a section."""
    if isinstance(new, RequiredSection) and isinstance(old, RequiredSection):
        if (new.name, new.meanings) != (old.name, old.meanings):
            return False
        return _patterns(old) <= _patterns(new)
    if isinstance(new, ContentPattern) and isinstance(old, ContentPattern):
        same = new._replace(element=old.element, min_matches=old.min_matches)
        is_same = same == old and new.element.pattern == old.element.pattern
        return is_same and new.min_matches >= old.min_matches
    return new == old


def _patterns(section: RequiredSection) -> set[str]:
    return {item.pattern for item in section.elements}


def _template(old: Template, new: Template | None, places: Places) -> Iterator[str]:
    if new is None:
        yield f"template {old.name} was removed"
        return
    trail = f"templates.{old.name}"
    suffix = f" in the template {old.name}"
    # The base rules of the rules file are the helix template, whose name is not in that file.
    if "base_rules" in places and trail not in places:
        suffix = ""
    at = place_of(places, f"{trail}.sections", "base_rules.required_sections", trail)
    for change in (*_sections(old, new), *_fields(old, new)):
        yield f"rules: {change}{suffix}{at}"
    for id, key in (
        ("section-too-short", "min_section_length"),
        ("acceptance-criteria-too-few", "min_acceptance_criteria"),
    ):
        before, now = getattr(old, key), getattr(new, key)
        if now < before:
            at = place_of(places, f"{trail}.{key}", f"base_rules.{key}")
            yield f"rules: `{id}` minimum {before} -> {now}{suffix}{at}"


def _sections(old: Template, new: Template) -> Iterator[str]:
    """Yield the changes of sections: first those that are no longer required."""
    by_name = {item.name: item for item in new.sections}
    for item in old.sections:
        if item.name not in by_name:
            yield f"the section {item.name} is no longer asked for"
    pairs = [(item, by_name[item.name]) for item in old.sections if item.name in by_name]
    yield from _milder_sections(pairs)
    for item in old.optional:
        if not any(_checks(section, item) for section in new.all_sections):
            yield f"the section {item.name} may be empty"


def _checks(new: Required, old: Required) -> bool:
    """Return whether the content of a section is still checked under each of its names."""
    return new.name == old.name and {*new.meanings} >= {*old.meanings}


def _milder_sections(pairs: list[tuple[Required, Required]]) -> Iterator[str]:
    for before, now in pairs:
        if not {*now.meanings} <= {*before.meanings}:
            yield f"the section {now.name} may have other names"
    for before, now in pairs:
        if not now._replace(meanings=before.meanings).covers(before):
            yield f"a missing section {now.name} only has the severity {now.severity}"


def _fields(old: Template, new: Template) -> Iterator[str]:
    """Yield the changes of the header."""
    fields, statuses = set(new.fields), set(old.statuses)
    for field in old.fields:
        if field not in fields:
            yield f"the header field {field} is no longer asked for"
    for status in new.statuses:
        if status not in statuses:
            yield f"the status {status} is allowed"
