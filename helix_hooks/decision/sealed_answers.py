"""Answers of judges in the carried state, encrypted: only the environment of the judge has the key
(ADR-028). Pure.

Everybody can read a check run, and whoever may write checks could leave something there. So answers
are encrypted and authenticated.
"""

import base64
import binascii
import json
import zlib
from typing import Any

from .run_state import CarriedState

MOST = 30_000
"""Maximum characters of the encrypted text; longer answers are not carried, and asked anew."""

SHORTEST_KEY = 16
"""Minimum characters of a key; what it encrypts is public, so a short one could be guessed."""

_UNPACKED = 5_000_000
Answers = dict[str, dict[str, Any]]
"""Accepted answers by the key of their question."""


def sealed(carried: CarriedState, answers: Answers, key: bytes, repository: str) -> CarriedState:
    """Return the state with answers that only the key opens, and only for a repository; without any
    if there is no key.

    The encryption is deterministic (AES-SIV, RFC 5297): the same answers are the same text, and no
    two texts share a nonce.
    """
    if len(key) < SHORTEST_KEY or not answers:
        return carried._replace(sealed="")
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    packed = zlib.compress(json.dumps(answers, sort_keys=True).encode())
    text = base64.b64encode(AESSIV(_derived(key)).encrypt(packed, [_bound(repository)])).decode()
    return carried._replace(sealed=text if len(text) <= MOST else "")


def opened(carried: CarriedState, key: bytes, repository: str) -> Answers:
    """Return the answers that the key opens; none for another key or repository, or if anything was
    changed.
    """
    if len(key) < SHORTEST_KEY or not carried.sealed:
        return {}
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    try:
        packed = AESSIV(_derived(key)).decrypt(
            base64.b64decode(carried.sealed), [_bound(repository)]
        )
        data = json.loads(zlib.decompressobj().decompress(packed, _UNPACKED))
    except (InvalidTag, binascii.Error, zlib.error, ValueError):
        return {}
    entries = data.items() if isinstance(data, dict) else ()
    return {name: entry for name, entry in entries if isinstance(entry, dict)}


def _derived(key: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), 64, None, b"helix-hooks kept answers 1").derive(key)


def _bound(repository: str) -> bytes:
    return f"helix:kept\0{repository}".encode()
