"""List what a change relaxes in a repository's rules, rubrics and policy, one line each.

Stricter settings are left out. Where milder and stricter can't be told apart, the setting is listed
as changed.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..adr.rules.contextual.requirement import ContentPattern, RequiredSection, Requirement
from ..adr.rules.contextual.rule import ContextualRule
from ..adr.template import Template
from ..finding import SEVERITIES
from ..paths import APPROVALS, APPROVALS_FILE, READ_FIRST, is_result
from .approvals import Approvals, ApprovalType, Run
from .autonomy import LEVELS
from .places import Places, place_of
from .policy import AUTO_APPROVE, BLOCK, CONTENT, ESCALATE, Deciders, Policy, duration
from .relaxed_flow import relaxed_flow
from .relaxed_gates import relaxed_gates
from .relaxed_limits import relaxed_limits
from .relaxed_people import relaxed_people
from .relaxed_places import listed, watched
from .relaxed_rules import lets_concept_go, milder, milder_elsewhere
from .relaxed_smart import relaxed_smart
from .relaxed_verify import relaxed_verify
from .settings import Settings

_MILDER_LEVELS = (*LEVELS, "")
_EXPIRY = (BLOCK, ESCALATE, AUTO_APPROVE)
_FOLDER = re.compile(r"[^*?{]*/\*\*")
"""A glob for all of one folder."""
_MOST = 100
"""Maximum requirements of a rule that are compared pairwise."""
_SEMANTIC = ("true", "auto", "false")
_ELSEWHERE = ("timeout", "retry_delay", "max_retries", "smart")


class Version(NamedTuple):
    """The settings of one version (None: unreadable). `has` are the touched paths in it."""

    settings: Settings | None
    approvals: Approvals | None
    places: Places
    has: frozenset[str]


def loosened(
    before: Version,
    now: Version,
    touched: Iterable[str],
    known: Iterable[str],
    config: str = "",
    folder: str = APPROVALS,
) -> tuple[str, ...]:
    """Return what a change of the paths `touched` relaxes. `known` are all paths.

    `config` is the approvals file, `folder` that of rubrics.
    """
    paths = list(dict.fromkeys(touched))
    lines = [
        _rubric(path, path.removeprefix(f"{folder}/"), before, now)
        for path in paths
        if path.startswith(f"{folder}/") and not is_result(path)
    ]
    lines += _of_settings(before, now, paths, known)
    approvals = config or APPROVALS_FILE
    if before.approvals and now.approvals:
        lines += _approvals(before.approvals, now.approvals, now.places)
    elif approvals in paths:
        lines.append(f"{approvals} changed")
    return tuple(dict.fromkeys(lines))


def _rubric(path: str, below: str, before: Version, now: Version) -> str:
    folders = below.split("/")
    kind = {"CLAUDE.md": "rubric ", "checks": "brief ", "skills": "skill "}.get(
        folders[1] if len(folders) > 1 else "", ""
    )
    if path not in now.has:
        return f"{kind}{path} was removed"
    return f"{kind}{path} {'changed' if path in before.has else 'was added'}"


def _of_settings(
    before: Version, now: Version, paths: list[str], known: Iterable[str]
) -> Iterator[str]:
    touched = [path for path in paths if path in READ_FIRST]
    if not touched:
        return
    if not before.settings or not now.settings:
        yield from (f"{path} changed" for path in touched)
        return
    yield from _settings(before.settings, now.settings, now.places, known)


def _settings(old: Settings, new: Settings, where: Places, known: Iterable[str]) -> Iterator[str]:
    yield from watched(old, new, where, known)
    was, now = old.ruleset, new.ruleset
    for id, first, then in milder(was, now):
        yield (
            f"rules: `{id}` {first} -> {then}"
            f"{place_of(where, f'severities.{id}', f'contextual_rules.{id}.severity')}"
        )
    rules = {rule.id: rule for rule in now.contextual}
    for rule in was.contextual:
        yield from _rule(rule, rules.get(rule.id), place_of(where, f"contextual_rules.{rule.id}"))
    for name, template in was.templates.items():
        yield from _template(template, now.templates.get(name), where)
    if was.template != now.template:
        yield f"template {was.template} -> {now.template}{place_of(where, 'template')}"
    if new.approvals != old.approvals:
        yield f"approvals {old.approvals} -> {new.approvals}"
    if now.strict_from > was.strict_from:
        yield f"strict_from {was.strict_from} -> {now.strict_from}{place_of(where, 'strict_from')}"
    if lets_concept_go(was, now):
        yield f"concept ignores more sections{place_of(where, 'concept')}"
    if was.meanings.names != now.meanings.names or was.statuses.names != now.statuses.names:
        yield f"aliases changed{place_of(where, 'aliases')}"
    if new.baseline not in ("", old.baseline):
        yield f"baseline {old.baseline or 'none'} -> {new.baseline}{place_of(where, 'baseline')}"


def _rule(old: ContextualRule, new: ContextualRule | None, at: str) -> Iterator[str]:
    if new is None:
        yield f"rules: `{old.id}` was removed"
        return
    if SEVERITIES.index(new.severity) > SEVERITIES.index(old.severity):
        yield f"rules: `{old.id}` {old.severity} -> {new.severity}{at}"
    yield from (f"rules: `{old.id}` {told}{at}" for told in milder_elsewhere(old, new))
    if (old.when, old.requirements) == (new.when, new.requirements):
        return
    lengths = {
        item.name: item.min_length for item in new.requirements if isinstance(item, RequiredSection)
    }
    asked = (item for item in old.requirements if isinstance(item, RequiredSection))
    shorter = [
        (item.min_length, lengths[item.name])
        for item in asked
        if lengths.get(item.name, item.min_length) < item.min_length
    ]
    yield from (f"rules: `{old.id}` minimum {first} -> {then}{at}" for first, then in shorter)
    if old.when != new.when or not _ask_for(new.requirements, old.requirements):
        yield f"rules: `{old.id}` changed{at}"


def _ask_for(new: tuple[Requirement, ...], old: tuple[Requirement, ...]) -> bool:
    """Return whether requirements ask for all that others do; of very many this is not told."""
    return max(len(new), len(old)) <= _MOST and all(
        any(_asks_for(item, one) for item in new) for one in old
    )


def _asks_for(new: Requirement, old: Requirement) -> bool:
    """Return whether a requirement covers another one, but for the section's length."""
    if isinstance(new, RequiredSection) and isinstance(old, RequiredSection):
        is_same = (new.name, new.meanings) == (old.name, old.meanings)
        return is_same and {item.pattern for item in old.elements} <= {
            item.pattern for item in new.elements
        }
    if isinstance(new, ContentPattern) and isinstance(old, ContentPattern):
        matches = old.min_matches
        return (
            new.min_matches >= matches
            and new._replace(element=old.element, min_matches=matches) == old
            and new.element.pattern == old.element.pattern
        )
    return new == old


def _template(old: Template, new: Template | None, where: Places) -> Iterator[str]:
    if new is None:
        yield f"template {old.name} was removed"
        return
    trail = f"templates.{old.name}"
    of = "" if "base_rules" in where and trail not in where else f" in the template {old.name}"
    at = place_of(where, f"{trail}.sections", "base_rules.required_sections", trail)
    named = {item.name: item for item in new.sections}
    sections = [item for item in old.sections if item.name not in named]
    wider = [
        item
        for item in old.sections
        if item.name in named and not {*named[item.name].meanings} <= {*item.meanings}
    ]
    kept = [(named[item.name], item) for item in old.sections if item.name in named]
    weaker = [now for now, was in kept if not now._replace(meanings=was.meanings).covers(was)]
    checked = {item.name for item in new.all_sections}
    unchecked = [item for item in old.optional if item.name not in checked]
    left = {*new.fields}
    fields = [item for item in old.fields if item not in left]
    statuses = [item for item in new.statuses if item not in old.statuses]
    yield from (
        f"rules: the section {section.name} is no longer asked for{of}{at}" for section in sections
    )
    yield from (
        f"rules: the section {section.name} may have other names{of}{at}" for section in wider
    )
    yield from (
        f"rules: the section {section.name} may be missing with only a {section.severity}{of}{at}"
        for section in weaker
    )
    yield from (f"rules: the section {section.name} may be empty{of}{at}" for section in unchecked)
    yield from (
        f"rules: the header field {field} is no longer asked for{of}{at}" for field in fields
    )
    yield from (f"rules: the status {status} is allowed{of}{at}" for status in statuses)
    for id, key in (
        ("section-too-short", "min_section_length"),
        ("acceptance-criteria-too-few", "min_acceptance_criteria"),
    ):
        first, then = getattr(old, key), getattr(new, key)
        if then < first:
            yield (
                f"rules: `{id}` minimum {first} -> {then}{of}"
                f"{place_of(where, f'{trail}.{key}', f'base_rules.{key}')}"
            )


def _approvals(old: Approvals, new: Approvals, where: Places) -> Iterator[str]:
    both = [
        (type, new.types[name])
        for name, type in old.types.items()
        if type.enabled and name in new.types and new.types[name].enabled
    ]
    kept = {type.name for type, _ in both}
    for name, type in old.types.items():
        if type.enabled and name not in kept:
            yield (
                f"approvals.{name} is no longer enabled"
                f"{place_of(where, f'approvals.{name}.enabled', f'approvals.{name}', 'approvals')}"
            )
    for name in (field for field in Run._fields if field not in _ELSEWHERE):
        yield from _run(
            name,
            [
                (first.name, getattr(first.run, name), getattr(then.run, name))
                for first, then in both
            ],
            where,
        )
    for first, then in both:
        yield from _type(first, then, where)
    for name, agent in old.agents.items():
        if new.agents.get(name) != agent:
            yield f"agents.{name} changed{place_of(where, f'agents.{name}')}"
    yield from _policy(old.policy, new.policy, where)
    yield from relaxed_verify(old.verify, new.verify, where)
    yield from relaxed_flow(old.flow, new.flow, where)
    yield from relaxed_smart(old, new, where)
    yield from relaxed_gates(old, new, where)


def _run(name: str, values: list[tuple[str, object, object]], where: Places) -> Iterator[str]:
    """The lines on one setting of runs; one for all types where it is changed in the defaults."""
    changed = [
        (type, first, then)
        for type, first, then in values
        if first != then and not _is_stricter(name, first, then)
    ]
    said = {f"{name} {_shown(first)} -> {_shown(then)}": type for type, first, then in changed}
    if len(said) == 1 and f"defaults.{name}" in where and len(changed) == len(values):
        yield f"{next(iter(said))}{place_of(where, f'defaults.{name}')}"
        return
    for type, first, then in changed:
        yield (
            f"approvals.{type}.{name} {_shown(first)} -> "
            f"{_shown(then)}{place_of(where, f'approvals.{type}.{name}', f'defaults.{name}')}"
        )


def _is_stricter(name: str, first: object, then: object) -> bool:
    if name == "semantic":
        return _SEMANTIC.index(str(then)) < _SEMANTIC.index(str(first))
    if isinstance(first, int | float) and isinstance(then, int | float):
        return then > first if name == "required_confidence" else then < first
    return False


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value) or "none"


def _type(old: ApprovalType, new: ApprovalType, where: Places) -> Iterator[str]:
    top = f"approvals.{old.name}"
    at = {
        key: place_of(where, f"{top}.{key}", top)
        for key in ("paths", "checks", "codebase", "action", "after")
    }
    lost = _lost(old.paths, new.paths)
    if not old.paths and new.paths:
        yield f"{top}.paths names {listed(new.paths)} alone{at['paths']}"
    elif old.paths and not new.paths:
        yield f"{top}.paths changed{at['paths']}"
    elif lost:
        yield f"{top}.paths leaves out {listed(lost)}{at['paths']}"
    elif [glob for glob in new.paths if glob.startswith("!") and glob not in old.paths]:
        yield f"{top}.paths changed{at['paths']}"
    asked, asks = ([name for name, _ in type.checks] for type in (old, new))
    left = {*asks}
    gone = [name for name in asked if name not in left]
    if asks and not asked:
        yield f"{top}.checks asks {listed(asks)} alone{at['checks']}"
    elif asks and gone:
        yield f"{top}.checks no longer asks {listed(gone)}{at['checks']}"
    for key in ("codebase", "action", "after"):
        if getattr(old, key) != getattr(new, key):
            yield f"{top}.{key} changed{at[key]}"


def _lost(old: tuple[str, ...], new: tuple[str, ...]) -> list[str]:
    """Return the globs that no other glob surely covers."""
    left = {*new}
    folders = tuple(glob[:-2] for glob in new if _FOLDER.fullmatch(glob))
    return (
        []
        if "**" in left
        else [glob for glob in old if glob not in left and not glob.startswith(folders)]
    )


def _policy(old: Policy, new: Policy, where: Places) -> Iterator[str]:
    def at(*keys: str) -> str:
        return place_of(where, *(f"policy.{key}" for key in keys), "policy")

    if _MILDER_LEVELS.index(new.autonomy) > _MILDER_LEVELS.index(old.autonomy):
        yield f"autonomy {old.autonomy} -> {new.autonomy or 'none'}{at('autonomy')}"
    yield from _deciders(old.deciders, new.deciders, where)
    if new.holds_for == CONTENT != old.holds_for:
        yield (
            f"policy.approvals_hold_for {old.holds_for} -> "
            f"{new.holds_for}{at('approvals_hold_for')}"
        )
    known = {*old.overrides}
    overrides = [name for name in new.overrides if "*" not in known and name not in known]
    if overrides:
        yield f"policy.overrides adds {listed(overrides)}{at('overrides')}"
    lost = _lost(old.protected, new.protected)
    if lost:
        yield f"policy.protected_paths leaves out {listed(lost)}{at('protected_paths')}"
    elif [glob for glob in new.protected if glob.startswith("!") and glob not in old.protected]:
        yield f"policy.protected_paths changed{at('protected_paths')}"
    if dict(old.deadlines) != dict(new.deadlines):
        yield f"policy.deadlines {_deadlines(old)} -> {_deadlines(new)}{at('deadlines')}"
    if _EXPIRY.index(new.expiry.action) > _EXPIRY.index(old.expiry.action):
        yield (
            f"policy.on_expiry {old.expiry.action} -> {new.expiry.action}"
            f"{at('on_expiry.action', 'on_expiry')}"
        )
    elif old.expiry.to != new.expiry.to:
        yield f"policy.on_expiry.escalate_to changed{at('on_expiry.escalate_to', 'on_expiry')}"
    yield from relaxed_limits(old, new, where)
    yield from relaxed_people(old, new, where)


def _deciders(old: Deciders, new: Deciders, where: Places) -> Iterator[str]:
    if new.minimum < old.minimum:
        yield (
            f"policy.minimum_approvals {old.minimum} -> "
            f"{new.minimum}{place_of(where, 'policy.minimum_approvals', 'policy')}"
        )
    for key in ("roles", "users", "teams"):
        known = {*getattr(old, key)}
        added = [name for name in getattr(new, key) if name not in known]
        if added:
            yield (
                f"policy.approvers.{key} adds {listed(added)}"
                f"{place_of(where, f'policy.approvers.{key}', 'policy.approvers', 'policy')}"
            )
    if new.sole and new.sole != old.sole:
        yield (
            f"policy.sole_maintainer {old.sole or 'none'} -> "
            f"{new.sole}{place_of(where, 'policy.sole_maintainer')}"
        )


def _deadlines(policy: Policy) -> str:
    return (
        listed(f"{category} {duration(seconds)}" for category, seconds in policy.deadlines)
        or "none"
    )
