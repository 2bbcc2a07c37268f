"""List what a change of the policy relaxes in who decides in whose place."""

from collections.abc import Iterator

from .places import Places, place_of
from .policy import Policy


def relaxed_people(old: Policy, new: Policy, where: Places) -> Iterator[str]:
    """Yield a line for each person who stands in for another one, or on more days than before.

    Days that have passed count too: a vote of such a day may still be there.
    """
    before = old.deciders.delegates
    for item in new.deciders.delegates:
        if not any(known.covers(item) for known in before):
            key = "policy.delegates"
            yield f"{key} adds {item.in_words}{place_of(where, key, 'policy')}"
