"""List the light judges and the `always` settings that a change relaxes."""

from collections.abc import Iterator

from .approvals import Approvals, ApprovalType
from .declaration import Places, place_of
from .smart import Smart


def relaxed_smart(old: Approvals, new: Approvals, where: Places) -> Iterator[str]:
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
