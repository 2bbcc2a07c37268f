"""The demands that settings have dropped."""

from collections.abc import Iterable, Iterator

from ..adr.model import Described
from ..adr.rules.contextual.rule import ContextualRule
from ..adr.rules.registry import OFF, Ruleset, in_force
from ..adr.template import Template
from ..finding import SEVERITIES
from .settings import Settings

_ORDER = (*SEVERITIES, OFF)
_SHOWN = 3


def relaxed(before: Settings, now: Settings, known: Iterable[str]) -> list[str]:
    """Return each way in which settings are milder than before, as a phrase.

    `known` are the paths of the repository.
    """
    return [
        *_paths(before, now, known),
        *_severities(before.ruleset, now.ruleset),
        *_contextual(before.ruleset, now.ruleset),
        *_shapes(before, now),
    ]


def _paths(before: Settings, now: Settings, known: Iterable[str]) -> Iterator[str]:
    lost = [path for path in known if before.is_adr(path) and not now.is_adr(path)]
    if lost:
        more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
        yield f"no longer checked as ADRs: {', '.join(lost[:_SHOWN])}{more}"
    elif other_paths(before, now):
        yield "`paths` or `exclude` name other files"
    elif gone := no_longer_declared(before, now):
        yield f"ADRs are no longer looked for in {', '.join(gone)}"


def other_paths(before: Settings, now: Settings) -> bool:
    """Return whether `paths` or `exclude` may leave out what they did not."""
    is_by_name = not before.paths
    is_wider = set(before.paths) <= set(now.paths) and set(now.exclude) <= set(before.exclude)
    if is_by_name and now.paths:
        return True
    return (before.paths, before.exclude) != (now.paths, now.exclude) and not is_wider


def no_longer_declared(before: Settings, now: Settings) -> list[str]:
    """Return the folders that a file of another tool named before, each with that file.

    A folder of which only numbered files count now is among them if all files counted before.
    If the settings have `paths` now, these are compared instead.
    """
    left = {(item.folder, item.is_numbered) for item in now.declared}
    gone: list[str] = []
    for item in before.declared:
        is_whole = (item.folder, False) in left
        if not now.paths and not is_whole and (item.folder, item.is_numbered) not in left:
            gone.append(f"{item.folder} ({item.path})")
    return gone


def _severities(before: Ruleset, now: Ruleset) -> Iterator[str]:
    yield from (f"{id} is {new}, was {old}" for id, old, new in milder(before, now))


def milder(before: Ruleset, now: Ruleset) -> Iterator[tuple[str, str, str]]:
    """The rules whose severity is lower now: the id, the severity before, and the one now."""
    for rule in in_force(before):
        old, new = (rules.severities.get(rule.id, rule.severity) for rules in (before, now))
        if _ORDER.index(new) > _ORDER.index(old):
            yield rule.id, old, new
        elif old != OFF and _is_left_to_helix(rule, before, now):
            yield rule.id, old, f"{OFF} outside of the helix template"


def _is_left_to_helix(rule: Described, before: Ruleset, now: Ruleset) -> bool:
    """Return whether the settings no longer name a rule, which so applies to helix ADRs only."""
    is_off = getattr(rule, "severity_elsewhere", "") == OFF
    return is_off and rule.id in before.severities and rule.id not in now.severities


def milder_elsewhere(old: ContextualRule, new: ContextualRule) -> Iterator[str]:
    """Yield the change of severity outside of the helix template, if the new one is milder."""
    was, now = old.severity_elsewhere, new.severity_elsewhere
    if now and _ORDER.index(now) > _ORDER.index(was or old.severity):
        yield f"outside of the helix template {was or old.severity} -> {now}"


def _contextual(before: Ruleset, now: Ruleset) -> Iterator[str]:
    rules = {rule.id: rule for rule in now.contextual}
    gone = [old.id for old in before.contextual if old.id not in rules]
    if gone:
        yield (
            f"{'the rule' if len(gone) == 1 else 'the rules'} {', '.join(gone)} "
            f"{'is' if len(gone) == 1 else 'are'} gone"
        )
    for old in before.contextual:
        new = rules.get(old.id)
        if new and _asks(new) != _asks(old):
            yield f"the rule {old.id} asks for something else"


def _asks(rule: ContextualRule) -> tuple[object, ...]:
    """Return the content of a rule; its texts may be improved."""
    return rule.when, rule.requirements, rule.severity, rule.severity_elsewhere


def _shapes(before: Settings, now: Settings) -> Iterator[str]:
    old, new = before.ruleset, now.ruleset
    if old.template != new.template:
        yield f"`template` is {new.template}, was {old.template}"
    for name, template in old.templates.items():
        if name not in new.templates or not _covers(new.templates[name], template):
            yield f"the template {name} asks for less"
    if new.strict_from > old.strict_from:
        yield f"`strict_from` is {new.strict_from}, was {old.strict_from}"
    if lets_concept_go(old, new):
        yield "`concept` ignores more sections"
    if new.meanings.names != old.meanings.names or new.statuses.names != old.statuses.names:
        yield "`aliases` give words another meaning"
    if before.approvals != now.approvals:
        yield f"`approvals` is {now.approvals}, was {before.approvals}"
    if before.baseline != now.baseline and now.baseline:
        yield f"`baseline` is {now.baseline}"


def lets_concept_go(before: Ruleset, now: Ruleset) -> bool:
    """Return whether more sections of a concept may be missing from the ADR than before."""
    return not set(now.concept_ignored) <= set(before.concept_ignored) or not _grave(
        before
    ) <= _grave(now)


def _covers(new: Template, old: Template) -> bool:
    return (
        all(any(item.covers(asked) for item in new.sections) for asked in old.sections)
        and set(new.all_sections) >= set(old.optional)
        and set(new.fields) >= set(old.fields)
        and set(new.statuses) <= set(old.statuses)
        and new.min_section_length >= old.min_section_length
        and new.min_acceptance_criteria >= old.min_acceptance_criteria
    )


def _grave(ruleset: Ruleset) -> frozenset[str]:
    """The concept sections whose loss is an error."""
    return frozenset(name for rule in ruleset.rules for name in getattr(rule, "errors", ()))
