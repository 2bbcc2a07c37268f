"""How much of a series is run: a quarter by `make test` and `make rest`, a taste by `make quick`, and all of it by `make soak`.

A single case that belongs to a series alone carries the marker `soak`, a test whose input grows the marker `series`.
"""

QUICK, BASE, SOAK = "quick", "test", "soak"
_PART = {QUICK: 20, BASE: 4, SOAK: 1}
_FEWEST = 25
_chosen = [BASE]


def choose(how_much: str) -> None:
    """Choose before the tests are collected."""
    _chosen[:] = [how_much]


def chosen() -> str:
    return _chosen[0]


def examples(number: int) -> int:
    """Return how many examples hypothesis draws, of the number that it draws in `make soak`."""
    return min(number, max(number // _PART[chosen()], _FEWEST))


def size(number: int) -> int:
    """Return the size of a large input, of the largest, which is that of `make soak`."""
    return number // _PART[chosen()]
