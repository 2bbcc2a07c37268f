"""List relaxed rules of the policy on delegates, coding agents and review requests."""

from collections.abc import Iterator

from .places import Places, place_of
from .policy import Policy


def relaxed_people(old: Policy, new: Policy, where: Places) -> Iterator[str]:
    """Yield a line for each relaxation.

    It is a new delegate, or more days of one; fewer approvals for the work of coding agents; and
    the end of review requests. Past days count too: a vote of such a day may still exist.
    """
    before = old.deciders.delegates
    for item in new.deciders.delegates:
        if not any(delegate.covers(item) for delegate in before):
            key = "policy.delegates"
            yield f"{key} adds {item.in_words}{place_of(where, key, 'policy')}"
    yield from _agents(old, new, where)
    if old.requests_reviews and not new.requests_reviews:
        key = "policy.request_reviews"
        yield f"{key} true -> false{place_of(where, key, 'policy')}"


def _agents(old: Policy, new: Policy, where: Places) -> Iterator[str]:
    before, now = old.agents, new.agents
    key = "policy.authors.agents"
    old_minimum = old.deciders_about(by_agents=True).minimum
    new_minimum = new.deciders_about(by_agents=True).minimum
    # A lower minimum for agents has no effect if the minimum for all changes is as high.
    if now.minimum < before.minimum and new_minimum < old_minimum:
        at = place_of(where, f"{key}.minimum_approvals", key, "policy.authors", "policy")
        yield f"{key}.minimum_approvals {before.minimum} -> {now.minimum or 'none'}{at}"
    if not now.minimum:
        return
    lost = [name for name in before.names if name not in now.names]
    if lost:
        at = place_of(where, f"{key}.names", key, "policy.authors", "policy")
        yield f"{key}.names leaves out {', '.join(lost)}{at}"
