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

from ..text.inert import MOST
from . import run_state
from .chain import Chain, block
from .handover import Handover, Judged
from .handover_to_json import payload
from .reasons import failing

_BLOCK = re.compile(r"<!-- helix:record(?: (\d{1,10}))? ([A-Za-z0-9+/=]+) -->", re.ASCII)
_SHOWN = 4
"""Protected paths that a page can name."""

_UNPACKED = 20_000_000


def text(given: Handover, others: str = "", decisions: Chain = Chain()) -> str:  # noqa: B008 - it is frozen
    """As it stands on a check run, where nobody sees it, before the records of `others`: pull requests at the same commit.

    What is only to be read is left out where it is too long; a record from which anything would be missing that counts is none. The newest
    of the `decisions` is always there, and older ones as far as there is room.
    """
    first = run_state.text(given.carried)
    newest = block(decisions, 0)
    others += decisions.others
    bare = given._replace(carried=given.carried._replace(sealed=""), graph="")
    short = bare._replace(rule_findings=tuple(failing(bare)), changed=())
    repair = short.repair and short.repair._replace(files=short.repair.files[:_SHOWN])
    judged = tuple(_without_files(item) for item in short.judged)
    shortest = short._replace(protected=short.protected[:_SHOWN], judged=judged, skipped=(), files=(), broken=short.broken[:_SHOWN], repair=repair,
                              protected_left_out=short.protected_left_out + len(short.protected[_SHOWN:]), loosened=_counted(short.loosened),
                              files_left_out=short.files_left_out + len(short.files))  # fmt: skip
    for candidate in (bare, short, shortest):
        own = f"{first}\n<!-- helix:record {given.target.number} {_packed(candidate)} -->"
        room = MOST - len(own) - len(newest)
        if room >= 0:
            theirs = others if len(others) <= room else ""
            return own + block(decisions, room - len(theirs) + len(newest)) + theirs
    return first + newest if len(first) + len(newest) <= MOST else first


def _counted(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The first lines, and how many more there are."""
    return lines if len(lines) <= _SHOWN else (*lines[:_SHOWN], f"and {len(lines) - _SHOWN} more")


def _without_files(judged: Judged) -> Judged:
    return judged._replace(verdict=judged.verdict._replace(files=judged.verdict.files[:_SHOWN]))


def others(found: str, number: int) -> str:
    """The records of other pull requests, as they stand on a check run."""
    return "".join(f"\n{match[0]}" for match in _BLOCK.finditer(found) if match[1] and int(match[1]) != number)


def _packed(given: Handover) -> str:
    return base64.b64encode(zlib.compress(json.dumps(payload(given), sort_keys=True).encode(), 9)).decode()


def read(found: str, number: int = 0) -> dict[str, Any] | None:
    """The record of a pull request (0 for any) on a check run, still to be held against its schema; None where there is none that can be read."""
    match = next((match for match in _BLOCK.finditer(found) if not number or match[1] == str(number)), None)
    if not match:
        return None
    try:
        data = json.loads(zlib.decompressobj().decompress(base64.b64decode(match[2]), _UNPACKED))
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
