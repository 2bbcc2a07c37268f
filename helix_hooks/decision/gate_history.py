"""The recorded decisions on a pull request, as the input of figures. Pure.

The lines of the chain were checked against the schema of a decision. Fields that were added later
may be missing.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..adr.place import is_adr
from .commands import OVERRIDE
from .states import PENDING

Fields = Mapping[str, object]


class JudgeRun(NamedTuple):
    """A judge's run, at the time of the first decision that includes it, in seconds since 1970.

    `cost` is in US dollars, None if the judge does not report it.
    """

    id: str
    approval_type: str
    result: str
    failed: bool
    cached: bool
    seconds: float
    cost: float | None
    at: int


class PullHistory(NamedTuple):
    """A pull request according to its records. Times are in seconds since 1970.

    `has_adr`: whether it touches an ADR, None if unknown. `status` is the last decision, "" without
    a record, and `decided` its time. `overrides` and `declines` are findings by fingerprint.
    """

    number: int
    created: int
    has_adr: bool | None = None
    status: str = ""
    decided: int = 0
    judges: tuple[JudgeRun, ...] = ()
    overrides: frozenset[str] = frozenset()
    declines: frozenset[str] = frozenset()

    @property
    def is_pending(self) -> bool:
        return self.status == PENDING

    @property
    def at(self) -> int:
        """The time that assigns it to a month."""
        return self.decided or self.created


def history(number: int, created: int, lines: Iterable[Fields]) -> PullHistory:
    """Return the history of a pull request from the lines of its chain, oldest first."""
    readable = [line for line in lines if line]
    if not readable:
        return PullHistory(number=number, created=created)
    runs: dict[str, JudgeRun] = {}
    overrides: set[str] = set()
    declines: set[str] = set()
    for line in readable:
        for run in _judge_runs(line):
            runs.setdefault(run.id, run)
        overrides.update(_overridden(line))
        declines.update(_text(item, "finding") for item in _items(line, "declines"))
    decision = _last_decision(readable)
    return PullHistory(
        number=number,
        created=created,
        has_adr=any(map(_has_adr, readable)),
        status=_text(decision, "status"),
        decided=int(_number(decision, "decided_at")),
        judges=tuple(runs.values()),
        overrides=frozenset(overrides),
        declines=frozenset(declines),
    )


def _last_decision(lines: list[Fields]) -> Fields:
    """Return the last decision on the open pull request; else the last one after it was closed."""
    while_open = [line for line in lines if not line.get("closed")]
    return (while_open or lines)[-1]


def _judge_runs(line: Fields) -> Iterator[JudgeRun]:
    for item in _items(line, "judges"):
        cost = item.get("cost_usd")
        yield JudgeRun(
            id=_text(item, "approval_id"),
            approval_type=_text(item, "approval_type"),
            result=_text(item, "result"),
            failed=bool(item.get("failed")),
            cached=bool(item.get("cached")),
            seconds=_number(item, "duration_seconds"),
            cost=None if cost is None else _number(item, "cost_usd"),
            at=int(_number(line, "decided_at")),
        )


def _overridden(line: Fields) -> Iterator[str]:
    for vote in _items(line, "votes"):
        if vote.get("said") == OVERRIDE:
            yield _text(vote, "finding")


def _has_adr(line: Fields) -> bool:
    files = line.get("files")
    if not isinstance(files, dict):
        return False
    return any(isinstance(path, str) and is_adr(path) for path in files)


def _items(fields: Fields, key: str) -> Iterator[Fields]:
    value = fields.get(key)
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _text(fields: Fields, key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _number(fields: Fields, key: str) -> float:
    value = fields.get(key)
    # In Python `True` is an integer.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value)
