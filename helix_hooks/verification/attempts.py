"""The counter of an agent's attempts to fulfil a contract, as a value, and its transitions."""

import hashlib
import json

from ..records import NamedTuple
from .result import FAILED, NOTHING_SHOWN, UNAPPROVED, UNMET, VerificationResult

COMPLETE, BLOCKED, CAPPED = "complete", "blocked", "capped"
"""The states of an attempt, beside those of a verification that is no attempt: `unapproved`,
`failed` and `nothing-shown`. `capped`: no further attempt is asked
for, and the contract is not fulfilled, so a person is asked.
"""

EXHAUSTED, UNCHANGED = "exhausted", "unchanged"
"""Reasons for `capped`. `unchanged`: two attempts left the same tree with the same findings."""


class AttemptKey(NamedTuple):
    """The subject of a counter: an ADR by its path, as it was approved, in one session.

    `base` is the commit of the approval, `contract` the hash of the approved content.
    """

    adr: str
    base: str
    contract: str
    session: str


class Attempts(NamedTuple):
    """The failing attempts up to now. `fingerprint` is that of the last one, `at` its time.

    `capped` is "" as long as further attempts are asked for.
    """

    key: AttemptKey
    number: int
    fingerprint: str
    capped: str
    at: int


class AttemptState(NamedTuple):
    """The state after an attempt. `runs` is the maximum of attempts, `reason` says why `capped`."""

    state: str
    attempt: int
    runs: int
    reason: str = ""


def key_of(result: VerificationResult, session: str) -> AttemptKey:
    return AttemptKey(result.path, result.since, result.contract, session)


def fingerprint(result: VerificationResult, tree: str) -> str:
    """Return a hash of the tree that was verified and of what is missing in it."""
    missing = [[item.kind, item.subject, item.reason] for item in result.missing]
    text = json.dumps([tree, result.reason, sorted(missing)])
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def advance(
    attempts: Attempts | None,
    key: AttemptKey,
    result: VerificationResult,
    fingerprint: str,
    max_retries: int,
    now: int,
) -> tuple[Attempts | None, AttemptState]:
    """Return the counter and the state after a verification. No counter is left of a complete one.

    A verification that could not be carried out is neither an attempt nor a pass. Neither is one
    without a contract, or one that shows nothing. An exhausted counter stays capped. One that ended
    early goes on once the tree changes, since an agent may have stopped to ask its user something.
    """
    runs = max_retries + 1
    known = attempts if attempts and attempts.key == key else None
    count = known.number if known else 0
    if result.success:
        return None, AttemptState(COMPLETE, count, runs)
    if result.state != UNMET:
        state = result.state if result.state in (UNAPPROVED, NOTHING_SHOWN) else FAILED
        return attempts, AttemptState(state, count, runs, result.reason)
    is_same = known is not None and known.fingerprint == fingerprint
    if known and known.capped and (is_same or known.capped == EXHAUSTED):
        state = CAPPED
        return known._replace(at=now), AttemptState(state, count, max(runs, count), known.capped)
    count += 1
    capped = UNCHANGED if is_same else ""
    if count >= runs:
        capped = EXHAUSTED
    state = CAPPED if capped else BLOCKED
    counted = Attempts(key, count, fingerprint, capped, now)
    return counted, AttemptState(state, count, max(runs, count), capped)
