"""What several tries used together."""

from helix_hooks.judge.provider import Usage
from helix_hooks.judge.review import Spent, spent


def test_tries_add_up() -> None:
    tries = [Usage(0.25, 100, 2, "first"), Usage(0.5, 50, 1, ""), Usage(0, 1, 0, "last")]
    assert spent(tries) == Spent(cost=0.75, tokens=151, turns=3, model="last")


def test_one_cost_that_is_unknown_leaves_the_sum_unknown() -> None:
    assert spent([Usage(0.25, 1, 1, ""), Usage(None, 1, 1, "")]).cost is None
    assert spent([]) == Spent(cost=0, tokens=0, turns=0, model="")
