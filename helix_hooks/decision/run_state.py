"""The state that a run carries to the next one in a hidden mark: costs, deadlines, objections,
rejected rounds. Pure.

Anyone who can write checks could change it, and everybody can read it. Most of it needs no
signature: a wrong sum can only save or cost a little. Answers of judges are
encrypted and authenticated, with a key that only the judge's environment has (ADR-137).
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

from ..codec import Amount, Count, TypeName

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
"""Maximum number of objections, changed votes or rounds that are read from a mark."""
_TIMES = ("since", "seen", "retargeted", "looked")


class Objection(NamedTuple):
    """The comment of an objection, with its author by number and login.

    `at` is in seconds since 1970. The objection remains even if the comment is deleted.
    """

    source: int
    at: int
    id: int
    login: str


class Tampering(NamedTuple):
    """A comment with a vote that another user (`by`) has edited or deleted.

    `id` and `login` identify the voter. `at` is in seconds since 1970.
    """

    source: int
    at: int
    id: int
    login: str
    by: str


class RejectedRound(NamedTuple):
    """A head that the judge of an approval type rejected, by the start of the commit's name."""

    approval_type: TypeName
    commit: Annotated[str, re.compile("[0-9a-f]{16}")]


class CarriedState(NamedTuple):
    """The state that the next run reads. Times are in seconds since 1970, 0 for none.

    `spent` is the cost of all runs in US dollars, and `sealed` the answers of judges, encrypted.
    `since` is when people were asked about this commit, `seen` when the gate first processed it for
    this branch, `retargeted` when the pull request was moved to this branch, and `looked` when the
    last run read the votes. `escalated`: an escalation was sent since people were asked. `rounds`
    are the rejections by judges on this pull request. `unkept` is the number of errors of judges
    that did not fit into a record, so that no later judge was shown them.
    """

    spent: Amount = 0
    sealed: Annotated[str, re.compile("[A-Za-z0-9+/=]*")] = ""
    since: Count = 0
    objections: tuple[Objection, ...] = ()
    tampered: tuple[Tampering, ...] = ()
    escalated: bool = False
    seen: Count = 0
    retargeted: Count = 0
    looked: Count = 0
    rounds: tuple[RejectedRound, ...] = ()
    unkept: Count = 0

    def without_people(self) -> "CarriedState":
        """Return the part that is valid for every pull request at a commit."""
        return CarriedState(spent=self.spent, sealed=self.sealed)


def text(carried: CarriedState) -> str:
    """Return the state as the hidden text of a check run."""
    # The names are older than those of the fields, and other versions read them.
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
    if spent != spent:  # noqa: PLR0124 - NaN counts as the maximum, so that the budget is used up
        return 999_999
    return min(max(spent, 0), 999_999)


def _joined(items: Iterable[Iterable[object]]) -> str:
    """Return items as a list of their parts.

    Characters that GitHub does not allow in a name are replaced, so that no item is lost.
    """
    return ",".join(":".join(map(_plain, item)) for item in items)


def _plain(part: object) -> str:
    return re.sub(r"[^A-Za-z0-9_.\[\]-]", "-", str(part))[:_LONGEST] or "-"


def read(body: str) -> CarriedState:
    """Return the state on a check run; an empty one if there is none."""
    match = _BLOCK.search(body)
    if not match:
        return CarriedState()
    spent, people, sealed = match.groups()
    parts = dict(part.split("=", 1) for part in people.split())
    times = {name: _number(parts.get(name), 12) for name in _TIMES}
    return CarriedState(
        spent=float(spent),
        sealed=sealed or "",
        objections=_objections(parts.get("against")),
        tampered=_tampered(parts.get("touched")),
        escalated=parts.get("escalated") == "yes",
        rounds=_rounds(parts.get("rounds")),
        unkept=_number(parts.get("unkept"), 6),
        **times,
    )


def _number(digits: str | None, most: int) -> int:
    """Return a number of at most `most` digits, 0 if it is none."""
    if digits is None or not re.fullmatch(r"[0-9]+", digits) or len(digits) > most:
        return 0
    return int(digits)


def ledger(objections: Iterable[Objection]) -> str:
    """Return objections as a mark in the summary comment, for a commit without a check run."""
    listed = _joined(objections)
    return f"<!-- helix:against={listed} -->\n" if listed else ""


def in_ledger(body: str) -> tuple[Objection, ...]:
    """Return the objections in the mark of a comment."""
    return _objections(",".join(_LEDGER.findall(body)))


def _objections(listed: str | None) -> tuple[Objection, ...]:
    parts = _parts(listed, _NAME)
    return tuple(Objection(int(source), int(at), int(id), login) for source, at, id, login in parts)


def _tampered(listed: str | None) -> tuple[Tampering, ...]:
    parts = _parts(listed, f"{_NAME}:{_NAME}")
    return tuple(
        Tampering(int(source), int(at), int(id), *names.split(":"))
        for source, at, id, names in parts
    )


def _parts(listed: str | None, names: str) -> list[tuple[str, str, str, str]]:
    pattern = rf"(?a:(?<![^,])(\d{{1,18}}):(\d{{1,12}}):(\d{{1,18}}):({names})(?![^,]))"
    return re.findall(pattern, listed or "")[:_MOST_LISTED]


def rounds_mark(rounds: Iterable[RejectedRound]) -> str:
    """Return rejected rounds as a mark in the summary comment, as `ledger` does for objections."""
    listed = _joined(rounds)
    return f"<!-- helix:rounds={listed} -->\n" if listed else ""


def rounds_in(body: str) -> tuple[RejectedRound, ...]:
    """Return the rejected rounds in the mark of a comment."""
    return _rounds(",".join(_ROUNDS.findall(body)))


def _rounds(listed: str | None) -> tuple[RejectedRound, ...]:
    pattern = r"(?a:(?<![^,])([a-z][a-z0-9-]{0,40}):([0-9a-f]{16})(?![^,]))"
    return tuple(RejectedRound(*round) for round in re.findall(pattern, listed or ""))


MOST = 30_000
"""Maximum characters of the encrypted text; for longer answers the judge runs again."""

SHORTEST_KEY = 16
"""Minimum characters of a key: the encrypted text is public, so a short key could be guessed."""

_UNPACKED = 5_000_000
"""Maximum bytes after decompression."""
Answers = dict[str, dict[str, Any]]
"""Accepted answers by the key of their question."""


def sealed(carried: CarriedState, answers: Answers, key: bytes, repository: str) -> CarriedState:
    """Return the state with answers that can only be read with the key, and for this repository.

    Without a key it has no answers. The encryption is deterministic (AES-SIV, RFC 5297): the same
    answers give the same text, and no two texts share a nonce.
    """
    if len(key) < SHORTEST_KEY or not answers:
        return carried._replace(sealed="")
    # Imported here: most runs have no key, and the package is slow to import.
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    packed = zlib.compress(json.dumps(answers, sort_keys=True).encode())
    text = base64.b64encode(AESSIV(_derived(key)).encrypt(packed, [_bound(repository)])).decode()
    return carried._replace(sealed=text if len(text) <= MOST else "")


def opened(carried: CarriedState, key: bytes, repository: str) -> Answers:
    """Return the decrypted answers; none for another key or repository, or a changed text."""
    if len(key) < SHORTEST_KEY or not carried.sealed:
        return {}
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    try:
        encrypted = base64.b64decode(carried.sealed)
        packed = AESSIV(_derived(key)).decrypt(encrypted, [_bound(repository)])
        data = json.loads(zlib.decompressobj().decompress(packed, _UNPACKED))
    except (InvalidTag, binascii.Error, zlib.error, ValueError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {name: entry for name, entry in data.items() if isinstance(entry, dict)}


def _derived(key: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), 64, None, b"helix-hooks kept answers 1").derive(key)


def _bound(repository: str) -> bytes:
    return f"helix:kept\0{repository}".encode()
