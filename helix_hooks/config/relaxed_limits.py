"""List relaxed limits of the policy: of cost, and of rounds."""

from collections.abc import Iterator

from .places import Places, place_of
from .policy import Policy


def relaxed_limits(old: Policy, new: Policy, where: Places) -> Iterator[str]:
    """Yield a line for each limit that is higher or removed.

    More rounds are milder: a judge that is run often enough may approve by chance.
    """
    if old.budget is not None and (new.budget is None or new.budget > old.budget):
        key = "policy.budget_per_pull_request_usd"
        limit = "no limit" if new.budget is None else f"{float(new.budget):g}"
        yield f"{key} {float(old.budget):g} -> {limit}{place_of(where, key, 'policy')}"
    if new.max_rounds > old.max_rounds:
        at = place_of(where, "policy.max_rounds", "policy")
        yield f"policy.max_rounds {old.max_rounds} -> {new.max_rounds}{at}"
