"""What a run leaves on its check for the next one: what was spent on the pull request, and answers of judges, sealed.

Whoever may write checks could leave something there, so an answer counts only under a seal made with a key that the environment of the judge
has. What was spent needs none: a wrong sum can but save or cost a little.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
import zlib
from typing import Any, NamedTuple

_BLOCK = re.compile(r"<!-- helix:kept spent=(\d{1,6}\.\d{4}) sealed=([A-Za-z0-9+/=]*)\.([0-9a-f]{64}|) -->")
MOST = 40_000
"""Characters of a sealed text; what is more is not kept, and asked anew."""

_UNPACKED = 5_000_000
Answers = dict[str, dict[str, Any]]
"""Accepted answers by the key of their question."""


class Kept(NamedTuple):
    """`spent` in US dollars by all runs so far; `sealed` and `seal` as they stand in the text."""

    spent: float = 0
    sealed: str = ""
    seal: str = ""


def text(kept: Kept) -> str:
    """As it stands on a check run, where nobody sees it."""
    return f"<!-- helix:kept spent={min(kept.spent, 999_999):.4f} sealed={kept.sealed}.{kept.seal} -->"


def read(found: str) -> Kept:
    """What a check run has of it."""
    match = _BLOCK.search(found)
    return Kept(float(match[1]), match[2], match[3]) if match else Kept()


def sealed(spent: float, answers: Answers, key: bytes, about: str) -> Kept:
    """Answers under a seal that holds for what they are `about`, a repository; nothing without a key."""
    if not key or not answers:
        return Kept(spent)
    packed = base64.b64encode(zlib.compress(json.dumps(answers, sort_keys=True).encode())).decode()
    return Kept(spent, packed, _seal(packed, key, about)) if len(packed) <= MOST else Kept(spent)


def opened(kept: Kept, key: bytes, about: str) -> Answers:
    """The answers under a seal that is whole; none otherwise."""
    if not key or not kept.seal or not hmac.compare_digest(kept.seal, _seal(kept.sealed, key, about)):
        return {}
    try:
        found = json.loads(zlib.decompressobj().decompress(base64.b64decode(kept.sealed), _UNPACKED))
    except (binascii.Error, zlib.error, ValueError):
        return {}
    return {name: entry for name, entry in found.items() if isinstance(entry, dict)} if isinstance(found, dict) else {}


def _seal(packed: str, key: bytes, about: str) -> str:
    return hmac.new(key, f"helix:kept\0{about}\0{packed}".encode(), hashlib.sha256).hexdigest()
