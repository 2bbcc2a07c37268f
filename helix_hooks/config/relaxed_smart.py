"""List what a change relaxes in when and by whom an approval type is judged."""

from collections.abc import Iterator

from .approvals import Approvals, ApprovalType
from .places import Places, place_of
from .smart import Smart


def relaxed_smart(old: Approvals, new: Approvals, where: Places) -> Iterator[str]:
    """Yield a line for each light judge that is new or may do more, and each `always` that went.

    Types that are not enabled count too, because gates and people name them. One line stands for
    all types whose light judge is that of the defaults.
    """
    both = [(type, new.types[name]) for name, type in old.types.items() if name in new.types]
    told = dict[str, str]()
    for first, then in both:
        told |= _light(first, then, where)
    yield from told.values()
    for first, then in both:
        if first.enabled and first.always and not then.always:
            key = f"approvals.{first.name}.always"
            yield f"{key} true -> false{place_of(where, key, f'approvals.{first.name}')}"


def _light(old: ApprovalType, new: ApprovalType, where: Places) -> dict[str, str]:
    """Return the line on the light judge of a type, by the setting that it is about."""
    first, then = old.run.smart, new.run.smart
    if then is None or new.always or (first and _is_no_milder(first, then)):
        return {}
    own = f"approvals.{old.name}.smart"
    key = own if own in where or "defaults.smart" not in where else "defaults.smart"
    place = place_of(where, key, f"approvals.{old.name}")
    return {key: f"{key} {_shown(first)} -> {_shown(then)}{place}"}


def _is_no_milder(first: Smart, then: Smart) -> bool:
    is_same = (first.agent, first.model) == (then.agent, then.model)
    return (
        is_same
        and then.confidence >= first.confidence
        and then.max_cost_usd <= first.max_cost_usd
        and then.timeout <= first.timeout
    )


def _shown(smart: Smart | None) -> str:
    if not smart:
        return "false"
    agent = f" by {smart.agent}" if smart.agent else ""
    limits = f"${smart.max_cost_usd:g}, {smart.timeout} s"
    return f"{smart.model}{agent} above {smart.confidence:g} ({limits})"
