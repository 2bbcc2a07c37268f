"""What a run leaves on its check for the next one: what was spent on the pull request, and answers of judges, encrypted.

Whoever may write checks could leave something there, and everybody can read it. So answers are encrypted and authenticated with a key that
only the environment of the judge has (ADR-028). What was spent needs none: a wrong sum can but save or cost a little.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

_BLOCK = re.compile(
    r"<!-- helix:kept spent=(\d{1,6}\.\d{4})((?: [a-z]+=[\w:,.\[\]-]*)*) "
    r"(?:encrypted=([A-Za-z0-9+/=]*)|sealed=[A-Za-z0-9+/=]*\.(?:[0-9a-f]{64})?) -->",
    re.ASCII,
)
_LONGEST = 120
_NAME = rf"[\w.\[\]-]{{1,{_LONGEST}}}"
_MOST_LISTED = 100
MOST = 30_000
"""Characters of an encrypted text; what is more is not kept, and asked anew."""

SHORTEST_KEY = 16
"""Characters of a key; what it encrypts is public, so a short one could be guessed."""

_UNPACKED = 5_000_000
Answers = dict[str, dict[str, Any]]
"""Accepted answers by the key of their question."""


class Objection(NamedTuple):
    """A comment in which somebody has rejected, and who, by number and name: it stands though it were deleted. `at` is in seconds since 1970."""

    source: int
    at: int
    id: int
    login: str


class Tampering(NamedTuple):
    """Somebody (`by`) has edited or deleted a comment in which another has voted, `at` seconds since 1970: the voter, by number and name."""

    source: int
    at: int
    id: int
    login: str
    by: str


class CarriedState(NamedTuple):
    """`spent` in US dollars by all runs so far; `sealed` are the encrypted answers as they stand in the text.

    Times are in seconds since 1970, 0 for none: `since` when people were asked about this commit, `seen` when the gate first saw it for this
    branch, `retargeted` when the pull request came here from another branch, `looked` when the last run read what people had said.
    `escalated` says that somebody was turned to since they were asked.
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

    def without_people(self) -> "CarriedState":
        """What holds for every pull request at a commit."""
        return CarriedState(self.spent, self.sealed)


_TIMES = ("since", "seen", "retargeted", "looked")


def text(kept: CarriedState) -> str:
    """As it stands on a check run, where nobody sees it."""
    parts = {**{name: str(getattr(kept, name) or "") for name in _TIMES}, "escalated": "yes" if kept.escalated else "",
             "against": _joined(kept.objections), "touched": _joined(kept.tampered)}  # fmt: skip
    people = "".join(f" {name}={value}" for name, value in parts.items() if value)
    return f"<!-- helix:kept spent={_sum(kept.spent):.4f}{people} encrypted={kept.sealed} -->"


def _sum(spent: float) -> float:
    return min(max(spent, 0), 999_999) if spent == spent else 999_999  # noqa: PLR0124 - what is no number is as good as all that there is


def _joined(items: Iterable[Iterable[object]]) -> str:
    """A name that GitHub would not give is kept with other signs, rather than none of them being kept."""
    return ",".join(":".join(re.sub(r"[^A-Za-z0-9_.\[\]-]", "-", str(part))[:_LONGEST] or "-" for part in item) for item in items)


def read(found: str) -> CarriedState:
    """What a check run has of it."""
    match = _BLOCK.search(found)
    if not match:
        return CarriedState()
    parts = dict(part.split("=", 1) for part in match[2].split())
    objections = (Objection(int(source), int(at), int(id), login) for source, at, id, login in _parts(parts.get("against"), _NAME))
    tampered = (
        Tampering(int(source), int(at), int(id), *names.split(":")) for source, at, id, names in _parts(parts.get("touched"), f"{_NAME}:{_NAME}")
    )
    times = {name: int(text) for name in _TIMES if re.fullmatch(r"[0-9]{1,12}", text := parts.get(name, ""))}
    people = CarriedState(0, "", 0, tuple(objections), tuple(tampered), parts.get("escalated") == "yes")
    return CarriedState(**{**people._asdict(), "spent": float(match[1]), "sealed": match[3] or "", **times})


def ledger(objections: Iterable[Objection]) -> str:
    """Objections as they stand in a comment, which knows of them where no check run does."""
    found = _joined(objections)
    return f"<!-- helix:against={found} -->\n" if found else ""


def in_ledger(text: str) -> tuple[Objection, ...]:
    """The objections that a comment knows of."""
    found = ",".join(re.findall(r"^<!-- helix:against=([\w:,.\[\]-]+) -->$", text, re.MULTILINE | re.ASCII))
    return tuple(Objection(int(source), int(at), int(id), login) for source, at, id, login in _parts(found, _NAME))


def _parts(found: str | None, names: str) -> list[tuple[str, str, str, str]]:
    return re.findall(rf"(?a:(?<![^,])(\d{{1,18}}):(\d{{1,12}}):(\d{{1,18}}):({names})(?![^,]))", found or "")[:_MOST_LISTED]


def sealed(kept: CarriedState, answers: Answers, key: bytes, about: str) -> CarriedState:
    """Return what is kept with answers that only the key opens, and only for what they are `about`, a repository; nothing without a key.

    The encryption is deterministic (AES-SIV, RFC 5297): the same answers are the same text, and no two texts share a nonce.
    """
    if len(key) < SHORTEST_KEY or not answers:
        return kept._replace(sealed="")
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    packed = zlib.compress(json.dumps(answers, sort_keys=True).encode())
    text = base64.b64encode(AESSIV(_derived(key)).encrypt(packed, [_bound(about)])).decode()
    return kept._replace(sealed=text if len(text) <= MOST else "")


def opened(kept: CarriedState, key: bytes, about: str) -> Answers:
    """Return the answers that the key opens; none where it is another key, another repository, or anything was changed."""
    if len(key) < SHORTEST_KEY or not kept.sealed:
        return {}
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    try:
        packed = AESSIV(_derived(key)).decrypt(base64.b64decode(kept.sealed), [_bound(about)])
        found = json.loads(zlib.decompressobj().decompress(packed, _UNPACKED))
    except (InvalidTag, binascii.Error, zlib.error, ValueError):
        return {}
    return {name: entry for name, entry in found.items() if isinstance(entry, dict)} if isinstance(found, dict) else {}


def _derived(key: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), 64, None, b"helix-hooks kept answers 1").derive(key)


def _bound(about: str) -> bytes:
    return f"helix:kept\0{about}".encode()
