"""List the rules, rubrics and policies that a change relaxes, one line each.

Stricter settings are left out. A change that may be stricter or milder is listed as changed.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..adr.rules.contextual.requirement import ContentPattern, RequiredSection, Requirement
from ..adr.rules.contextual.rule import ContextualRule
from ..adr.rules.registry import Ruleset
from ..adr.template import Required, Template
from ..finding import SEVERITIES
from ..paths import APPROVALS, APPROVALS_FILE, CODEOWNERS, READ_FIRST, is_result
from .approvals import Approvals, ApprovalType, Run
from .places import Places, place_of
from .relaxed_flow import relaxed_flow
from .relaxed_gates import changed_gates
from .relaxed_places import excludes_more, listed, lost_globs, watched
from .relaxed_policy import relaxed_policy
from .relaxed_rules import milder, milder_elsewhere, requires_fewer_concept_sections
from .relaxed_smart import relaxed_smart
from .relaxed_verify import relaxed_verify
from .settings import Settings
from .workflows import UNREAD

_MAX_REQUIREMENTS = 100
"""Maximum requirements of a rule that are compared pairwise, in quadratic time."""
_SEMANTIC = ("true", "auto", "false")
_NOT_COMPARED = ("timeout", "retry_delay", "max_retries", "smart")
"""Settings of a run that relax nothing, and `smart`, which `relaxed_smart` compares."""
_KINDS = {"CLAUDE.md": "rubric ", "checks": "brief ", "skills": "skill "}
"""The kind of a file below the folder of an approval type."""


class Version(NamedTuple):
    """The settings of one version, None if they are invalid. `has` are the changed paths in it.

    `workflows` are the ways in which its workflows can write the gate's check, by path.
    """

    settings: Settings | None
    approvals: Approvals | None
    places: Places
    has: frozenset[str]
    workflows: Mapping[str, tuple[str, ...]]


def loosened(
    before: Version,
    now: Version,
    touched: Iterable[str],
    known: Iterable[str],
    config: str = "",
    folder: str = APPROVALS,
) -> tuple[str, ...]:
    """Return the relaxations of a change that touches some paths. `known` are all paths.

    `config` is the path of the approvals file, `folder` the folder of rubrics.
    """
    paths = list(dict.fromkeys(touched))
    lines = [
        _rubric(path, path.removeprefix(f"{folder}/"), before, now)
        for path in paths
        if path.startswith(f"{folder}/") and not is_result(path)
    ]
    lines += _of_settings(before, now, paths, known)
    lines += _of_other_writers(before, now, paths)
    approvals_path = config or APPROVALS_FILE
    if before.approvals and now.approvals:
        lines += _approvals(before.approvals, now.approvals, now.places)
    elif approvals_path in paths:
        lines.append(f"{approvals_path} changed")
    return tuple(dict.fromkeys(lines))


def _of_other_writers(before: Version, now: Version, paths: list[str]) -> Iterator[str]:
    """Yield the lines on files by which another than the gate can write its check."""
    for path in paths:
        if path in CODEOWNERS:
            yield f"{path} {_fate(path, before, now)}"
    for path in weakened_workflows(before, now):
        yield from (f"{path}: {way}" for way in _new_ways(before, now, path))


def weakened_workflows(before: Version, now: Version) -> tuple[str, ...]:
    """Return the workflows that can write the gate's check in a way that is new."""
    return tuple(path for path in now.workflows if _new_ways(before, now, path))


def _new_ways(before: Version, now: Version, path: str) -> list[str]:
    old = before.workflows.get(path, ())
    # A change of an unreadable file may add anything.
    return [way for way in now.workflows[path] if way not in old or way == UNREAD]


def _rubric(path: str, below: str, before: Version, now: Version) -> str:
    """Return the line on a file of an approval type; `below` is its path in their folder."""
    _, _, rest = below.partition("/")
    kind = _KINDS.get(rest.partition("/")[0], "")
    return f"{kind}{path} {_fate(path, before, now)}"


def _fate(path: str, before: Version, now: Version) -> str:
    if path not in now.has:
        return "was removed"
    if path not in before.has:
        return "was added"
    return "changed"


def _of_settings(
    before: Version, now: Version, paths: list[str], known: Iterable[str]
) -> Iterator[str]:
    touched = [path for path in paths if path in READ_FIRST]
    if not touched:
        return
    if before.settings and now.settings:
        yield from _settings(before.settings, now.settings, now.places, known)
        return
    for path in touched:
        yield f"{path} changed"


def _settings(
    old: Settings, new: Settings, places: Places, all_paths: Iterable[str]
) -> Iterator[str]:
    yield from watched(old, new, places, all_paths)
    yield from _rules(old.ruleset, new.ruleset, places)
    for name, template in old.ruleset.templates.items():
        yield from _template(template, new.ruleset.templates.get(name), places)
    if old.ruleset.template != new.ruleset.template:
        at = place_of(places, "template")
        yield f"template {old.ruleset.template} -> {new.ruleset.template}{at}"
    if new.approvals != old.approvals:
        yield f"approvals {old.approvals} -> {new.approvals}"
    yield from _strictness(old.ruleset, new.ruleset, places)
    if new.baseline not in ("", old.baseline):
        at = place_of(places, "baseline")
        yield f"baseline {old.baseline or 'none'} -> {new.baseline}{at}"


def _rules(old: Ruleset, new: Ruleset, places: Places) -> Iterator[str]:
    for id, before, now in milder(old, new):
        at = place_of(places, f"severities.{id}", f"contextual_rules.{id}.severity")
        yield f"rules: `{id}` {before} -> {now}{at}"
    rules = {rule.id: rule for rule in new.contextual}
    for rule in old.contextual:
        yield from _rule(rule, rules.get(rule.id), place_of(places, f"contextual_rules.{rule.id}"))


def _strictness(old: Ruleset, new: Ruleset, places: Places) -> Iterator[str]:
    """Yield the lines on the settings for all rules."""
    if new.strict_from > old.strict_from:
        at = place_of(places, "strict_from")
        yield f"strict_from {old.strict_from} -> {new.strict_from}{at}"
    if requires_fewer_concept_sections(old, new):
        yield f"concept ignores more sections{place_of(places, 'concept')}"
    if old.meanings.names != new.meanings.names or old.statuses.names != new.statuses.names:
        yield f"aliases changed{place_of(places, 'aliases')}"


def _rule(old: ContextualRule, new: ContextualRule | None, at: str) -> Iterator[str]:
    if new is None:
        yield f"rules: `{old.id}` was removed"
        return
    if SEVERITIES.index(new.severity) > SEVERITIES.index(old.severity):
        yield f"rules: `{old.id}` {old.severity} -> {new.severity}{at}"
    for change in milder_elsewhere(old, new):
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
    checked = {item.name for item in new.all_sections}
    for item in old.optional:
        if item.name not in checked:
            yield f"the section {item.name} may be empty"


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


def _approvals(old: Approvals, new: Approvals, places: Places) -> Iterator[str]:
    pairs: list[tuple[ApprovalType, ApprovalType]] = []
    for name, type in old.types.items():
        if not type.enabled:
            continue
        if name in new.types and new.types[name].enabled:
            pairs.append((type, new.types[name]))
        else:
            at = place_of(places, f"approvals.{name}.enabled", f"approvals.{name}", "approvals")
            yield f"approvals.{name} is no longer enabled{at}"
    yield from _enabled(pairs, places)
    for name, agent in old.agents.items():
        if new.agents.get(name) != agent:
            yield f"agents.{name} changed{place_of(places, f'agents.{name}')}"
    yield from relaxed_policy(old.policy, new.policy, places)
    yield from relaxed_verify(old.verify, new.verify, places)
    yield from relaxed_flow(old.flow, new.flow, places)
    yield from relaxed_smart(old, new, places)
    yield from changed_gates(old, new, places)


def _enabled(pairs: list[tuple[ApprovalType, ApprovalType]], places: Places) -> Iterator[str]:
    """Yield a line for each relaxed setting of the types that stay enabled."""
    for name in Run._fields:
        if name not in _NOT_COMPARED:
            yield from _run(name, pairs, places)
    for before, now in pairs:
        yield from _type(before, now, places)


def _run(
    name: str, pairs: list[tuple[ApprovalType, ApprovalType]], places: Places
) -> Iterator[str]:
    """Yield the lines on one setting of runs.

    It is one line if the defaults changed for all types.
    """
    changes: dict[str, str] = {}
    for before, now in pairs:
        old, new = getattr(before.run, name), getattr(now.run, name)
        if old != new and not _is_stricter(name, old, new):
            changes[before.name] = f"{_shown(old)} -> {_shown(new)}"
    distinct = set(changes.values())
    default = f"defaults.{name}"
    if len(distinct) == 1 and default in places and len(changes) == len(pairs):
        yield f"{name} {distinct.pop()}{place_of(places, default)}"
        return
    for type, change in changes.items():
        key = f"approvals.{type}.{name}"
        yield f"{key} {change}{place_of(places, key, default)}"


def _is_stricter(name: str, old: object, new: object) -> bool:
    if name == "semantic":
        return _SEMANTIC.index(str(new)) < _SEMANTIC.index(str(old))
    if isinstance(old, int | float) and isinstance(new, int | float):
        return new > old if name == "required_confidence" else new < old
    return False


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) or "none"


def _type(old: ApprovalType, new: ApprovalType, places: Places) -> Iterator[str]:
    top = f"approvals.{old.name}"
    paths = _paths(old, new)
    if paths:
        yield f"{top}.paths {paths}{place_of(places, f'{top}.paths', top)}"
    checks = _checks(old, new)
    if checks:
        yield f"{top}.checks {checks}{place_of(places, f'{top}.checks', top)}"
    for key in ("codebase", "action", "after"):
        if getattr(old, key) != getattr(new, key):
            yield f"{top}.{key} changed{place_of(places, f'{top}.{key}', top)}"


def _paths(old: ApprovalType, new: ApprovalType) -> str:
    """Return how the paths of a type were relaxed; "" if they were not."""
    if not old.paths and new.paths:
        return f"names {listed(new.paths)} alone"
    if old.paths and not new.paths:
        return "changed"
    lost = lost_globs(old.paths, new.paths)
    if lost:
        return f"leaves out {listed(lost)}"
    if excludes_more(old.paths, new.paths):
        return "changed"
    return ""


def _checks(old: ApprovalType, new: ApprovalType) -> str:
    """Return how the briefs of a type were relaxed; "" if they were not."""
    old_briefs = [name for name, _ in old.checks]
    new_briefs = [name for name, _ in new.checks]
    # Without `checks` all briefs of the folder are used.
    if not new_briefs:
        return ""
    if not old_briefs:
        return f"asks {listed(new_briefs)} alone"
    removed = [name for name in old_briefs if name not in set(new_briefs)]
    if removed:
        return f"no longer uses {listed(removed)}"
    return ""
