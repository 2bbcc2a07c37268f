"""Measure how much longer four times the input takes: each construct of Markdown and of the header,
repeated, from bytes to report, in processor time.
"""

import time
from collections.abc import Callable

from tests.unit.adr.test_repeated import DOCUMENTS, check

Row = tuple[str, str, float, float]

_COUNT, _PASSES, _LIMIT = 1_000, 3, 6.0
_OF_THE_PARSER = {"open emphasis": 16.0}
"""Limits of what pyromark itself takes longer for: `*a **b ` a hundred thousand times is 10 s."""


def rows() -> list[Row]:
    """For each construct, the time of four times as many in times of once."""
    return [
        (
            f"{4 * _COUNT} {name}",
            str(_COUNT),
            _seconds(make(4 * _COUNT)) / _seconds(make(_COUNT)),
            _OF_THE_PARSER.get(name, _LIMIT),
        )
        for name, make in DOCUMENTS.items()
    ]


def _seconds(document: str) -> float:
    return min(_once(lambda: check(document)) for _ in range(_PASSES))


def _once(work: Callable[[], None]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
