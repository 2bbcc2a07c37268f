"""The recorded decisions on a pull request, as figures are made of them. Pure.

The lines of the chain are checked against the schema of a decision before. Fields that were added
to it later may be absent.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..adr.names.place import is_adr
from .commands import OVERRIDE
from .states import PENDING

Fields = Mapping[str, object]


class JudgeRun(NamedTuple):
    """A judge's run, at the time of the first decision that it was part of, in seconds since 1970.

    `cost` is in US dollars, None where the judge does not say it.
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
    """A pull request as its records tell it. Times are in seconds since 1970.

    `has_adr` says whether it touches an ADR, None where that was not asked. `status` is the
    decision that stands, "" without a record; it was taken at `decided`. `overrides` and `declines`
    are the findings that people set aside.
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
        """The time by which it belongs to a month."""
        return self.decided or self.created


def history(number: int, created: int, lines: Iterable[Fields]) -> PullHistory:
    """Return what the lines of a chain, oldest first, tell of a pull request."""
    known = [line for line in lines if line]
    if not known:
        return PullHistory(number=number, created=created)
    taken = [line for line in known if not line.get("closed")] or known
    runs: dict[str, JudgeRun] = {}
    for line in known:
        for run in _judge_runs(line):
            runs.setdefault(run.id, run)
    return PullHistory(
        number=number,
        created=created,
        has_adr=any(is_adr(path) for line in known for path in _files(line)),
        status=_text(taken[-1], "status"),
        decided=int(_number(taken[-1], "decided_at")),
        judges=tuple(runs.values()),
        overrides=frozenset(name for line in known for name in _overridden(line)),
        declines=frozenset(
            _text(item, "finding") for line in known for item in _items(line, "declines")
        ),
    )


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


def _files(line: Fields) -> Iterator[str]:
    files = line.get("files")
    if isinstance(files, dict):
        yield from (path for path in files if isinstance(path, str))


def _items(fields: Fields, key: str) -> Iterator[Fields]:
    value = fields.get(key)
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _text(fields: Fields, key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _number(fields: Fields, key: str) -> float:
    value = fields.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value)
