"""What a run leaves on its check run for whoever comes next: all that it found, so that a person's word can be counted without a judge.

A check run can be written by its App alone, and by any workflow of the repository where that App is GitHub Actions. Whoever can write one
there could write the conclusion itself, so what stands there is believed as far as that, and no further: no verdict is taken from it for
another commit, nor for other settings.
"""

import base64
import binascii
import json
import re
import zlib
from typing import Any

from . import kept
from .handover import Handover, payload
from .harmless import MOST
from .reasons import failing

_BLOCK = re.compile(r"<!-- helix:record ([A-Za-z0-9+/=]+) -->")
_UNPACKED = 20_000_000


def text(given: Handover) -> str:
    """As it stands on a check run, where nobody sees it. What is only to be read is left out first, where it is too long; a record from which
    anything would be missing that counts is none.
    """
    first = kept.text(given.kept)
    bare = given._replace(kept=given.kept._replace(sealed="", seal=""), graph="")
    for candidate in (bare, bare._replace(said=tuple(failing(bare)))):
        block = f"\n<!-- helix:record {_packed(candidate)} -->"
        if len(first) + len(block) <= MOST:
            return first + block
    return first


def _packed(given: Handover) -> str:
    return base64.b64encode(zlib.compress(json.dumps(payload(given), sort_keys=True).encode(), 9)).decode()


def read(found: str) -> dict[str, Any] | None:
    """The record of a check run, still to be held against its schema; None where there is none that can be read."""
    match = _BLOCK.search(found)
    if not match:
        return None
    try:
        data = json.loads(zlib.decompressobj().decompress(base64.b64decode(match[1]), _UNPACKED))
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
