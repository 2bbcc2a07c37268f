"""The ADRs that a pull request claims to implement, with the result for each. Pure."""

import re
from collections import Counter
from typing import Annotated, NamedTuple

from ..codec import Count
from ..verification.naming import short_name
from ..verification.result import (
    FAILED,
    KINDS,
    UNAPPROVED,
    UNMET,
    UNPROVEN,
    VERIFIED,
    WORDS,
    Expectation,
    VerificationResult,
    in_words,
)

MOST_CLAIMED = 20
"""Maximum number of ADRs in a hand-over."""

MOST_LISTED = 10
"""Maximum number of listed promises of one ADR in a hand-over."""

_LONGEST = 200
_ORDER = (FAILED, UNMET, UNAPPROVED, UNPROVEN, VERIFIED)
"""From worst to best."""


class ClaimedPromise(NamedTuple):
    """A promise that is neither shown nor judged: its kind, subject and state, and the reason."""

    kind: Annotated[str, KINDS]
    subject: str
    state: Annotated[str, WORDS]
    reason: str


class ClaimedAdr(NamedTuple):
    """An ADR that the change claims to implement, with the state of its verification.

    `reason` explains a state of unapproved or failed. The numbers are those of its promises with
    each state. `first` are the first that are neither shown nor judged, missing ones first. The ADR
    counts against the change only if it `blocks`.
    """

    name: str
    path: str
    title: str
    state: Annotated[str, _ORDER]
    blocks: bool = True
    reason: str = ""
    shown: Count = 0
    judged: Count = 0
    present: Count = 0
    unchecked: Count = 0
    missing: Count = 0
    first: tuple[ClaimedPromise, ...] = ()

    @property
    def promises(self) -> int:
        """The number of all promises."""
        return sum(getattr(self, word) for word in WORDS)

    @property
    def counts(self) -> str:
        """The numbers of promises by state, as in "4 shown, 2 present"."""
        return in_words({word: getattr(self, word) for word in WORDS})


def claimed_adr(result: VerificationResult, blocks: bool) -> ClaimedAdr:
    """Return a verification in the form of the hand-over."""
    numbers = Counter(item.state for item in result.expectations)
    return ClaimedAdr(
        name=_short(short_name(result.adr_id, result.path)),
        path=_as_utf8(result.path),
        # The number of the ADR is in its name already.
        title=_short(re.sub(r"^\d+\s*[.:)-]\s*", "", result.title)),
        state=result.state,
        blocks=blocks,
        reason=_short(result.reason),
        **{word: numbers[word] for word in WORDS},
        first=tuple(map(_promise, (*result.missing, *result.open)))[:MOST_LISTED],
    )


def worst_first(claimed: list[ClaimedAdr]) -> list[ClaimedAdr]:
    """Return the claimed ADRs: first those that block the change, each group worst first."""
    return sorted(claimed, key=lambda item: (not item.blocks, _ORDER.index(item.state)))


def _promise(item: Expectation) -> ClaimedPromise:
    return ClaimedPromise(item.kind, _short(item.subject), item.state, _short(item.reason))


def _short(text: str) -> str:
    text = _as_utf8(text)
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 1]}…"


def _as_utf8(text: str) -> str:
    """Return a text that JSON can hold: the name of a file in git may be invalid UTF-8."""
    return text.encode(errors="replace").decode()
