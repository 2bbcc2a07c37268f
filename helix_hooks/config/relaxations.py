"""List the rules, rubrics and policies that a change relaxes, one line each.

Stricter settings are left out. A change that may be stricter or milder is listed as changed.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..paths import APPROVALS, APPROVALS_FILE, CODEOWNERS, READ_FIRST, is_result
from .approvals import APPROVALS_YAML, DEFAULTS, OWN, Approvals, ApprovalType
from .declaration import Key, Places, place_of
from .policy import fewer_approvals_for_agents
from .relaxed_settings import relaxed
from .settings import Settings
from .smart import Smart
from .workflows import UNREAD

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
    if now is None or new.always or (before and _is_no_milder(before, now)):
        return {}
    key = f"approvals.{old.name}.smart"
    if key not in where and "defaults.smart" in where:
        key = "defaults.smart"
    place = place_of(where, key, f"approvals.{old.name}")
    return {key: f"{key} {_shown(before)} -> {_shown(now)}{place}"}


def _is_no_milder(old: Smart, new: Smart) -> bool:
    return (
        (old.agent, old.model) == (new.agent, new.model)
        and new.confidence >= old.confidence
        and new.max_cost_usd <= old.max_cost_usd
        and new.timeout <= old.timeout
    )


def _shown(smart: Smart | None) -> str:
    if not smart:
        return "false"
    agent = f" by {smart.agent}" if smart.agent else ""
    limits = f"${smart.max_cost_usd:g}, {smart.timeout} s"
    return f"{smart.model}{agent} above {smart.confidence:g} ({limits})"
