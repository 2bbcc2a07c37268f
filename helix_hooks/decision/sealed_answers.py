"""Answers of judges in the carried state, encrypted with a key that only the judge's environment
has (ADR-028). Pure.

Everybody can read a check run, and anyone who can write checks could change it. So answers are
encrypted and authenticated.
"""

import base64
import binascii
import json
import zlib
from typing import Any

from .run_state import CarriedState

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
