"""The state that a run carries to the next one in a hidden mark: costs, deadlines, objections,
rejected rounds.

Pure.

Whoever may write checks could leave something there, and everybody can read it. Most of it needs no
signature: a wrong sum can but save or cost a little. Answers of judges do; see `sealed_answers`.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

_BLOCK = re.compile(
    r"<!-- helix:kept spent=(\d{1,6}\.\d{4})((?: [a-z]+=[\w:,.\[\]-]*)*) "
    r"(?:encrypted=([A-Za-z0-9+/=]*)|sealed=[A-Za-z0-9+/=]*\.(?:[0-9a-f]{64})?) -->",
    re.ASCII,
)
_LEDGER = re.compile(r"^<!-- helix:against=([\w:,.\[\]-]+) -->$", re.MULTILINE | re.ASCII)
_ROUNDS = re.compile(r"^<!-- helix:rounds=([\w:,-]+) -->$", re.MULTILINE | re.ASCII)
_LONGEST = 120
_NAME = rf"[\w.\[\]-]{{1,{_LONGEST}}}"
_MOST_LISTED = 100
_TIMES = ("since", "seen", "retargeted", "looked")


class Objection(NamedTuple):
    """A comment in which somebody has rejected, and who, by number and name.

    `at` is in seconds since 1970.

    It stands though the comment were deleted.
    """

    source: int
    at: int
    id: int
    login: str


class Tampering(NamedTuple):
    """Somebody (`by`) has edited or deleted a comment with the vote of another, by number and name.

    `at` is in seconds since 1970.
    """

    source: int
    at: int
    id: int
    login: str
    by: str


class RejectedRound(NamedTuple):
    """A head that the judge of an approval type has rejected, by the beginning of its name."""

    approval_type: str
    commit: str


class CarriedState(NamedTuple):
    """The state that the next run reads. Times are in seconds since 1970, 0 for none.

    `spent` is the cost of all runs in US dollars, and `sealed` the answers of judges, encrypted.
    `since` is when people were asked about this commit, `seen` when the gate first saw it for this
    branch, `retargeted` when the pull request came here from another branch, and `looked` when the
    last run read the votes. `escalated` says that an escalation was sent since people were asked.
    `rounds` are what judges have rejected on this pull request, and `unkept` how many errors of
    judges no record had room for, so that no later judge could be told of them.
    """

    spent: float = 0
    sealed: str = ""
    since: int = 0
    objections: tuple[Objection, ...] = ()
    tampered: tuple[Tampering, ...] = ()
    escalated: bool = False
    seen: int = 0
    retargeted: int = 0
    looked: int = 0
    rounds: tuple[RejectedRound, ...] = ()
    unkept: int = 0

    def without_people(self) -> "CarriedState":
        """Return what holds for every pull request at a commit."""
        return CarriedState(spent=self.spent, sealed=self.sealed)


def text(carried: CarriedState) -> str:
    """Return the state as the hidden text of a check run."""
    parts = {
        **{name: str(getattr(carried, name) or "") for name in _TIMES},
        "escalated": "yes" if carried.escalated else "",
        "against": _joined(carried.objections),
        "touched": _joined(carried.tampered),
        "rounds": _joined(carried.rounds),
        "unkept": str(carried.unkept or ""),
    }
    people = "".join(f" {name}={value}" for name, value in parts.items() if value)
    return f"<!-- helix:kept spent={_sum(carried.spent):.4f}{people} encrypted={carried.sealed} -->"


def _sum(spent: float) -> float:
    if spent != spent:  # noqa: PLR0124 - NaN is as good as all that there is
        return 999_999
    return min(max(spent, 0), 999_999)


def _joined(items: Iterable[Iterable[object]]) -> str:
    """Return items as a list of their parts.

    Characters that GitHub does not allow in a name are replaced, so that every item is kept.
    """
    return ",".join(":".join(_plain(part) for part in item) for item in items)


def _plain(part: object) -> str:
    return re.sub(r"[^A-Za-z0-9_.\[\]-]", "-", str(part))[:_LONGEST] or "-"


def read(body: str) -> CarriedState:
    """Return the state on a check run; an empty one if there is none."""
    match = _BLOCK.search(body)
    if not match:
        return CarriedState()
    spent, people, sealed = match.groups()
    parts = dict(part.split("=", 1) for part in people.split())
    times = {name: parts.get(name, "") for name in _TIMES}
    unkept = parts.get("unkept", "")
    tampered = _parts(parts.get("touched"), f"{_NAME}:{_NAME}")
    return CarriedState(
        spent=float(spent),
        sealed=sealed or "",
        objections=_objections(parts.get("against")),
        tampered=tuple(
            Tampering(int(source), int(at), int(id), *names.split(":"))
            for source, at, id, names in tampered
        ),
        escalated=parts.get("escalated") == "yes",
        rounds=_rounds(parts.get("rounds")),
        unkept=int(unkept) if re.fullmatch(r"[0-9]{1,6}", unkept) else 0,
        **{name: int(time) for name, time in times.items() if re.fullmatch(r"[0-9]{1,12}", time)},
    )


def ledger(objections: Iterable[Objection]) -> str:
    """Return objections as a mark in the comment that stays, which knows of them where no check run
    does.
    """
    listed = _joined(objections)
    return f"<!-- helix:against={listed} -->\n" if listed else ""


def in_ledger(body: str) -> tuple[Objection, ...]:
    """Return the objections that a comment knows of."""
    return _objections(",".join(_LEDGER.findall(body)))


def _objections(listed: str | None) -> tuple[Objection, ...]:
    parts = _parts(listed, _NAME)
    return tuple(Objection(int(source), int(at), int(id), login) for source, at, id, login in parts)


def _parts(listed: str | None, names: str) -> list[tuple[str, str, str, str]]:
    pattern = rf"(?a:(?<![^,])(\d{{1,18}}):(\d{{1,12}}):(\d{{1,18}}):({names})(?![^,]))"
    return re.findall(pattern, listed or "")[:_MOST_LISTED]


def rounds_mark(rounds: Iterable[RejectedRound]) -> str:
    """Return rejected rounds as a mark in the comment that stays, which knows of them where no
    check run does.
    """
    listed = _joined(rounds)
    return f"<!-- helix:rounds={listed} -->\n" if listed else ""


def rounds_in(body: str) -> tuple[RejectedRound, ...]:
    """Return the rejected rounds that a comment knows of."""
    return _rounds(",".join(_ROUNDS.findall(body)))


def _rounds(listed: str | None) -> tuple[RejectedRound, ...]:
    pattern = r"(?a:(?<![^,])([a-z][a-z0-9-]{0,40}):([0-9a-f]{16})(?![^,]))"
    return tuple(RejectedRound(*found) for found in re.findall(pattern, listed or ""))
