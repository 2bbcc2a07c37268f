"""The ADRs that a pull request claims to implement, with the result for each. Pure."""

import re
from typing import Annotated, NamedTuple

from ..codec import Count
from ..verification.naming import short_name
from ..verification.result import (
    FAILED,
    KINDS,
    NOTHING_SHOWN,
    UNAPPROVED,
    UNMET,
    VERIFIED,
    Expectation,
    VerificationResult,
)

MOST_CLAIMED = 20
"""Maximum number of ADRs in a hand-over."""

MOST_MISSING = 10
"""Maximum number of missing promises of one ADR in a hand-over."""

_LONGEST = 200
_ORDER = (FAILED, UNMET, UNAPPROVED, NOTHING_SHOWN, VERIFIED)
"""From worst to best."""


class MissingPromise(NamedTuple):
    """A promise without a delivery: its kind and subject, and the reason."""

    kind: Annotated[str, KINDS]
    subject: str
    reason: str


class ClaimedAdr(NamedTuple):
    """An ADR that the change claims to implement, with the state of its verification.

    `reason` explains a state of unapproved or failed. `missing` and `unverifiable` are numbers of
    its `promises`; `first_missing` are the first missing ones. The ADR counts against the change
    only if it `blocks`.
    """

    name: str
    path: str
    title: str
    state: Annotated[str, _ORDER]
    blocks: bool = True
    reason: str = ""
    promises: Count = 0
    missing: Count = 0
    unverifiable: Count = 0
    first_missing: tuple[MissingPromise, ...] = ()


def claimed_adr(result: VerificationResult, blocks: bool) -> ClaimedAdr:
    """Return a verification in the form of the hand-over."""
    missing = result.missing
    return ClaimedAdr(
        name=_short(short_name(result.adr_id, result.path)),
        path=_as_utf8(result.path),
        # The number of the ADR is in its name already.
        title=_short(re.sub(r"^\d+\s*[.:)-]\s*", "", result.title)),
        state=result.state,
        blocks=blocks,
        reason=_short(result.reason),
        promises=len(result.expectations),
        missing=len(missing),
        unverifiable=len(result.unverifiable),
        first_missing=tuple(map(_missing, missing[:MOST_MISSING])),
    )


def worst_first(claimed: list[ClaimedAdr]) -> list[ClaimedAdr]:
    """Return the claimed ADRs: first those that block the change, each group worst first."""
    return sorted(claimed, key=lambda item: (not item.blocks, _ORDER.index(item.state)))


def _missing(item: Expectation) -> MissingPromise:
    return MissingPromise(item.kind, _short(item.subject), _short(item.reason))


def _short(text: str) -> str:
    text = _as_utf8(text)
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 1]}…"


def _as_utf8(text: str) -> str:
    """Return a text that JSON can hold: the name of a file in git may be invalid UTF-8."""
    return text.encode(errors="replace").decode()
