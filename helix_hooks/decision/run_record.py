"""The run record: all that a run has found, packed into a hidden mark on its check run. Pure.

By it a vote is counted without a judge. A check run can be written by its App alone, and by any
workflow of the repository where that App is GitHub Actions. Whoever can write one there could write
the conclusion itself, so the record is trusted as far as that, and no further: no verdict is taken
from it for another commit, nor for other settings.
"""

import base64
import binascii
import json
import re
import zlib
from typing import Any

from ..text.sanitize import MOST
from . import run_state
from .chain import Chain, block
from .handover import Handover, Judged
from .handover_to_json import payload
from .last_rounds import shortened, with_unkept
from .reasons import failing

_BLOCK = re.compile(r"<!-- helix:record(?: (\d{1,10}))? ([A-Za-z0-9+/=]+) -->", re.ASCII)
_SHOWN = 4
"""Protected paths that a page can name."""

_UNPACKED = 20_000_000


def text(
    handover: Handover,
    others: str = "",
    decisions: Chain = Chain(),  # noqa: B008 - it is frozen
) -> str:
    """Return the record as it stands on a check run, before those of `others`: pull requests at the
    same commit.

    Where it is too long, what is only for reading is left out. A record that would lack anything
    that counts is not written; the state then says how many errors of judges it had. The newest of
    the `decisions` is always there, and older ones as far as there is room.
    """
    first = run_state.text(handover.carried)
    newest = block(decisions, 0)
    others += decisions.others
    whole = handover._replace(
        carried=handover.carried._replace(sealed=""),
        graph="",
        judged=tuple(_without_suggestions(item) for item in handover.judged),
    )
    short = whole._replace(
        rule_findings=tuple(failing(whole)),
        changed=(),
        claimed=tuple(item._replace(title="", first_missing=()) for item in whole.claimed),
    )
    for candidate in (whole, short, _shortest(short)):
        own = f"{first}\n<!-- helix:record {handover.target.number} {_packed(candidate)} -->"
        room = MOST - len(own) - len(newest)
        if room >= 0:
            theirs = others if len(others) <= room else ""
            return own + block(decisions, room - len(theirs) + len(newest)) + theirs
    first = run_state.text(with_unkept(handover))
    return first + newest if len(first) + len(newest) <= MOST else first


def _without_suggestions(judged: Judged) -> Judged:
    """Return a verdict without proposed texts, which the comments at lines have."""
    return judged._replace(placed=tuple(item._replace(suggestion="") for item in judged.placed))


def _shortest(handover: Handover) -> Handover:
    """Return the hand-over with just as much of each list as a page shows."""
    repair = handover.repair
    return handover._replace(
        protected=handover.protected[:_SHOWN],
        protected_left_out=handover.protected_left_out + len(handover.protected[_SHOWN:]),
        judged=tuple(_without_files(item) for item in handover.judged),
        skipped=(),
        files=(),
        files_left_out=handover.files_left_out + len(handover.files),
        broken=handover.broken[:_SHOWN],
        repair=repair and repair._replace(files=repair.files[:_SHOWN]),
        loosened=_first(handover.loosened),
        earlier=tuple(shortened(item) for item in handover.earlier),
    )


def _first(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first lines, and how many more there are."""
    return lines if len(lines) <= _SHOWN else (*lines[:_SHOWN], f"and {len(lines) - _SHOWN} more")


def _without_files(judged: Judged) -> Judged:
    return judged._replace(verdict=judged.verdict._replace(files=judged.verdict.files[:_SHOWN]))


def _packed(handover: Handover) -> str:
    return base64.b64encode(
        zlib.compress(json.dumps(payload(handover), sort_keys=True).encode(), 9)
    ).decode()


def others(body: str, number: int) -> str:
    """Return the records of other pull requests, as they stand on a check run."""
    return "".join(
        f"\n{match[0]}" for match in _BLOCK.finditer(body) if match[1] and int(match[1]) != number
    )


def read(body: str, number: int = 0) -> dict[str, Any] | None:
    """Return the record of a pull request (0 for any) on a check run; None if none can be read.

    It is still to be checked against its schema.
    """
    match = next(
        (match for match in _BLOCK.finditer(body) if not number or match[1] == str(number)), None
    )
    if not match:
        return None
    try:
        data = json.loads(zlib.decompressobj().decompress(base64.b64decode(match[2]), _UNPACKED))
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
