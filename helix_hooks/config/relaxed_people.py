"""List what a change of the policy relaxes in who decides in whose place, about agents, and in
whether people are called.
"""

from collections.abc import Iterator

from .places import Places, place_of
from .policy import Policy


def relaxed_people(old: Policy, new: Policy, where: Places) -> Iterator[str]:
    """Yield a line for each person who stands in for another one, or on more days than before, and
    for what coding agents write and fewer must approve, and where nobody is called any more.

    Days that have passed count too: a vote of such a day may still be there.
    """
    before = old.deciders.delegates
    for item in new.deciders.delegates:
        if not any(known.covers(item) for known in before):
            key = "policy.delegates"
            yield f"{key} adds {item.in_words}{place_of(where, key, 'policy')}"
    yield from _agents(old, new, where)
    if old.requests_reviews and not new.requests_reviews:
        key = "policy.request_reviews"
        yield f"{key} true -> false{place_of(where, key, 'policy')}"


def _agents(old: Policy, new: Policy, where: Places) -> Iterator[str]:
    before, now = old.agents, new.agents
    key = "policy.authors.agents"
    minimums = [item.deciders_about(by_agents=True).minimum for item in (old, new)]
    if now.minimum < before.minimum and minimums[1] < minimums[0]:
        at = place_of(where, f"{key}.minimum_approvals", key, "policy.authors", "policy")
        yield f"{key}.minimum_approvals {before.minimum} -> {now.minimum or 'none'}{at}"
    lost = [name for name in before.names if name not in now.names]
    if lost and now.minimum:
        at = place_of(where, f"{key}.names", key, "policy.authors", "policy")
        yield f"{key}.names leaves out {', '.join(lost)}{at}"
