"""The run record: the hand-over of a run, packed into a hidden mark on its check run. Pure.

With it a vote is counted without another judge. A check run can only be written by its App, which
for GitHub Actions is any workflow of the repository. Anyone who can write one there could write the
conclusion too, so the record is trusted that far and no further: no verdict is taken from it for
another commit, or for other settings.
"""

import base64
import binascii
import re
import zlib
from collections.abc import Iterator
from itertools import product

from ..text import MOST
from . import handover as handovers
from . import run_state
from .chain import Chain, block
from .handover import Handover, Judged
from .reasons import failing
from .rounds import shortened, with_unkept

_BLOCK = re.compile(r"<!-- helix:record(?: (\d{1,10}))? ([A-Za-z0-9+/=]+) -->", re.ASCII)
_NUMBERED = re.compile(r"<!-- helix:(?:record|waits) (\d{1,10}) [A-Za-z0-9+/=]* -->", re.ASCII)
_SHOWN = 4
"""Maximum number of protected paths that the summary comment lists."""

_UNPACKED = 20_000_000
"""Maximum bytes after decompression: a small mark could expand without end."""


def text(
    handover: Handover,
    others: str = "",
    decisions: Chain = Chain(),  # noqa: B008 - it is frozen
    waits: str = "",
) -> str:
    """Return the record for a check run, followed by the `others`: pull requests at the same
    commit. `waits` is the mark that says whether the pull request waits for a person.

    If it is too long, the mark is omitted, then text that is only displayed. A record that would
    lack anything that counts is not written; the state then has the number of its errors of judges.
    The newest of the `decisions` is always included, and older ones as far as there is room.
    """
    first = run_state.text(handover.carried)
    newest = block(decisions, 0)
    others += decisions.others
    marks = [f"\n{waits}", ""] if waits else [""]
    for candidate, mark in product(_candidates(handover), marks):
        packed = f"<!-- helix:record {handover.target.number} {_packed(candidate)} -->"
        own = f"{first}{mark}\n{packed}"
        room = MOST - len(own) - len(newest)
        if room >= 0:
            theirs = others if len(others) <= room else ""
            return own + block(decisions, room - len(theirs) + len(newest)) + theirs
    first = run_state.text(with_unkept(handover))
    return first + newest if len(first) + len(newest) <= MOST else first


def _candidates(handover: Handover) -> Iterator[Handover]:
    """Yield versions of a hand-over, from the longest to the shortest that still counts."""
    complete = handover._replace(
        carried=handover.carried._replace(sealed=""),  # the mark of the state has it
        graph="",
        judged=tuple(_without_suggestions(item) for item in handover.judged),
    )
    yield complete
    short = complete._replace(
        rule_findings=tuple(failing(complete)),
        changed=(),
        claimed=tuple(item._replace(title="", first=()) for item in complete.claimed),
    )
    yield short
    yield _shortest(short)


def _without_suggestions(judged: Judged) -> Judged:
    """Return a verdict without suggestions, which are in the review comments already."""
    return judged._replace(placed=tuple(item._replace(suggestion="") for item in judged.placed))


def _shortest(handover: Handover) -> Handover:
    """Return the hand-over with only those items of each list that the summary comment shows."""
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
    """Return the first lines, and a line with the number of the others."""
    if len(lines) <= _SHOWN:
        return lines
    return (*lines[:_SHOWN], f"and {len(lines) - _SHOWN} more")


def _without_files(judged: Judged) -> Judged:
    return judged._replace(verdict=judged.verdict._replace(files=judged.verdict.files[:_SHOWN]))


def _packed(handover: Handover) -> str:
    data = zlib.compress(handovers.text(handover).encode(), 9)
    return base64.b64encode(data).decode()


def others(body: str, number: int) -> str:
    """Return the marks of other pull requests on a check run, unchanged."""
    records = ""
    for match in _NUMBERED.finditer(body):
        if int(match[1]) != number:
            records += f"\n{match[0]}"
    return records


def read(body: str, number: int = 0) -> Handover | None:
    """Return the record of a pull request (0 for any) on a check run; None if it can't be read."""
    packed = _packed_record(body, number)
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(packed), _UNPACKED)
        return handovers.read(data)
    except (binascii.Error, zlib.error, ValueError):
        return None


def _packed_record(body: str, number: int) -> str:
    for match in _BLOCK.finditer(body):
        if not number or match[1] == str(number):
            return match[2]
    return ""
