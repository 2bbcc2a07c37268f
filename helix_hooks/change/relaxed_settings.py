"""*Hidden* by settings: what a change relaxes in settings, rules, rubrics and policy. Pure.

One line each. Stricter settings are left out. A change that may be stricter or milder is listed as
changed.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..adr.model import Described, Required, Template
from ..adr.rules.contextual.rule import ContentPattern, ContextualRule, RequiredSection, Requirement
from ..adr.rules.registry import OFF, Ruleset, in_force
from ..config import MOST_NAMES, Key, Places, place_of
from ..config.agents import SMART, Smart
from ..config.approvals import APPROVALS_YAML, DEFAULTS, OWN, Approvals, ApprovalType
from ..config.policy import fewer_approvals_for_agents
from ..config.settings import SETTINGS_FILE, Settings
from ..config.workflows import UNREAD
from ..finding import SEVERITIES
from ..paths import APPROVALS, APPROVALS_FILE, CODEOWNERS, READ_FIRST, is_result
from ..text import counted, listed

_ORDER = (*SEVERITIES, OFF)
_MAX_REQUIREMENTS = 100
"""Maximum requirements of a rule that are compared pairwise, in quadratic time."""

_KINDS = {"CLAUDE.md": "rubric ", "checks": "brief ", "skills": "skill "}
"""The kind of a file below the folder of an approval type."""


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
    key = "exclude" if old.exclude != new.exclude else "paths"
    if lost:
        adrs = f"{counted(len(lost), 'ADR')}: {listed(lost, MOST_NAMES)}"
        yield f"{key} now leaves out {adrs}{place_of(where, key)}"
    elif _may_leave_out_files(old, new):
        yield f"{key} changed{place_of(where, key)}"


def _may_leave_out_files(before: Settings, now: Settings) -> bool:
    """Return whether `paths` or `exclude` may leave out more files."""
    # Without `paths`, ADRs are found by name in any folder.
    if not before.paths and now.paths:
        return True
    if (before.paths, before.exclude) == (now.paths, now.exclude):
        return False
    is_wider = set(before.paths) <= set(now.paths) and set(now.exclude) <= set(before.exclude)
    return not is_wider


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
    for field in old.fields:
        if field not in new.fields:
            yield f"the header field {field} is no longer asked for"
    for status in new.statuses:
        if status not in old.statuses:
            yield f"the status {status} is allowed"


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
        yield from relaxed(before.settings, now.settings, known, now.places)
        return
    for path in touched:
        yield f"{path} changed"


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
    for key in DEFAULTS.keys:
        yield from _run(key, pairs, places)
    for before, now in pairs:
        yield from OWN.relaxed(before, now, places, f"approvals.{before.name}.")
    yield from _relaxed_smart(old, new, places)
    yield from APPROVALS_YAML.relaxed(old, new, places)
    yield from fewer_approvals_for_agents(old.policy, new.policy, places)
    yield from _approvers_of_gates(old, new, places)


def _run(key: Key, pairs: list[tuple[ApprovalType, ApprovalType]], places: Places) -> Iterator[str]:
    """Yield the lines on one setting of the runs of the types that stay enabled.

    It is one line if the defaults changed for all types.
    """
    changes = {
        before.name: str(key.weaker(key.of(before.run), key.of(now.run)))
        for before, now in pairs
        if key.weaker
    }
    changes = {name: change for name, change in changes.items() if change}
    distinct = set(changes.values())
    default = f"defaults.{key.name}"
    if len(distinct) == 1 and default in places and len(changes) == len(pairs):
        yield f"{key.name} {distinct.pop()}{place_of(places, default)}"
        return
    for type, change in changes.items():
        name = f"approvals.{type}.{key.name}"
        yield f"{name} {change}{place_of(places, name, default)}"


def _approvers_of_gates(old: Approvals, new: Approvals, places: Places) -> Iterator[str]:
    """Yield the lines on changed approvers of types that only gates use.

    `_run` compares those of enabled types, including a default that they share with others.
    """
    pairs = [(type, new.types[name]) for name, type in old.types.items() if name in new.types]
    changes = [
        (type, type.run.agent, now.run.agent)
        for type, now in pairs
        if type.run.agent != now.run.agent
    ]
    of_enabled = {(was, now) for type, was, now in changes if _is_enabled(type, new)}
    for type, was, now in changes:
        key = f"approvals.{type.name}.agent"
        is_shared_default = (was, now) in of_enabled and key not in places
        if not _is_enabled(type, new) and not is_shared_default:
            yield f"{key} {was} -> {now}{place_of(places, key, 'defaults.agent')}"


def _is_enabled(type: ApprovalType, new: Approvals) -> bool:
    return type.enabled and new.types[type.name].enabled


def _relaxed_smart(old: Approvals, new: Approvals, where: Places) -> Iterator[str]:
    """Yield a line for each light judge that is new or may do more, and each removed `always`.

    Types that are not enabled count too, since gates and people use them. A changed default is one
    line for all types that have it.
    """
    pairs = [(type, new.types[name]) for name, type in old.types.items() if name in new.types]
    lines: dict[str, str] = {}
    for before, now in pairs:
        lines |= _light(before, now, where)
    yield from lines.values()
    for before, now in pairs:
        if before.enabled and before.always and not now.always:
            key = f"approvals.{before.name}.always"
            yield f"{key} true -> false{place_of(where, key, f'approvals.{before.name}')}"


def _light(old: ApprovalType, new: ApprovalType, where: Places) -> dict[str, str]:
    """Return the line on the light judge of a type by its setting; {} if it is not relaxed."""
    before, now = old.run.smart, new.run.smart
    if now is None or new.always or (before and not any(SMART.relaxed(before, now, {}))):
        return {}
    key = f"approvals.{old.name}.smart"
    if key not in where and "defaults.smart" in where:
        key = "defaults.smart"
    place = place_of(where, key, f"approvals.{old.name}")
    return {key: f"{key} {_shown(before)} -> {_shown(now)}{place}"}


def _shown(smart: Smart | None) -> str:
    if not smart:
        return "false"
    agent = f" by {smart.agent}" if smart.agent else ""
    limits = f"${smart.max_cost_usd:g}, {smart.timeout} s"
    return f"{smart.model}{agent} above {smart.confidence:g} ({limits})"
