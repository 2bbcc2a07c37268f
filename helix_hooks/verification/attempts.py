"""The counter of an agent's attempts to fulfil a contract, and its transitions."""

import hashlib
import json
from typing import NamedTuple

from ..codec import Count
from .result import FAILED, UNAPPROVED, UNMET, UNPROVEN, VerificationResult

COMPLETE, BLOCKED, CAPPED = "complete", "blocked", "capped"
"""The states of an attempt. A verification that is `unapproved`, `failed` or `unproven` is not an
attempt. `capped`: the contract is not fulfilled, no further attempt is made, and a person
decides.
"""

EXHAUSTED, UNCHANGED = "exhausted", "unchanged"
"""Reasons for `capped`. `unchanged`: two attempts left the same tree with the same findings."""


class AttemptKey(NamedTuple):
    """The key of a counter: the path and the approved version of an ADR, and the session.

    `base` is the commit of the approval, `contract` the hash of the approved content. `session` is
    the part of a conversation, a colon, and the part of the agent.
    """

    adr: str
    base: str
    contract: str
    session: str

    def counts_with(self, other: "AttemptKey") -> bool:
        """Return whether another session, at the same contract, has used up attempts of this one.

        Copilot CLI also runs the hook of Claude Code: two agents in one conversation stop together.
        """
        conversations = {self.session.partition(":")[0], other.session.partition(":")[0]}
        return self[:3] == other[:3] and len(conversations) > 1


class Attempts(NamedTuple):
    """The number of failing attempts at a contract in the work tree, as its session knows it.

    `fingerprint` is that of the last one, `at` its time. `capped` is why no further attempt is
    made; "" while attempts remain.
    """

    key: AttemptKey
    number: Count
    fingerprint: str
    capped: str
    at: Count


class AttemptState(NamedTuple):
    """The state after an attempt, of at most `runs`. `reason` is why it is `capped`."""

    state: str
    attempt: int
    runs: int
    reason: str = ""


def key_of(result: VerificationResult, session: str) -> AttemptKey:
    return AttemptKey(result.path, result.since, result.contract, session)


def fingerprint(result: VerificationResult, tree: str) -> str:
    """Return a hash of the verified tree and of what is missing in it."""
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
    elsewhere: int = 0,
) -> tuple[Attempts | None, AttemptState]:
    """Return the counter and the state after a verification; no counter after a success.

    `elsewhere` are the attempts that other sessions have made: a new session has only those that
    are left. A verification that could not run is neither an attempt nor a success. Neither is one
    without a contract, or one at which a person must look. An exhausted counter stays capped. One
    that was capped early continues when the tree changes: the agent may have stopped to ask its
    user a question.
    """
    runs = max_retries + 1
    counter = Attempts(key, 0, "", "", now)
    if attempts and attempts.key == key:
        counter = attempts
    if result.success:
        return None, AttemptState(COMPLETE, counter.number, runs)
    if result.state != UNMET:
        return attempts, AttemptState(_no_attempt(result), counter.number, runs, result.reason)
    is_same = counter.fingerprint == fingerprint
    counter = counter._replace(number=max(counter.number, elsewhere))
    if elsewhere >= runs:
        counter = counter._replace(fingerprint=fingerprint, capped=EXHAUSTED)
    if counter.capped and (is_same or counter.capped == EXHAUSTED):
        runs = max(runs, counter.number)
        return counter._replace(at=now), AttemptState(CAPPED, counter.number, runs, counter.capped)
    counter = _counted(counter, fingerprint, now, runs, is_same=is_same)
    # `max_retries` may be lower than at the last attempt.
    runs = max(runs, counter.number)
    if counter.capped:
        return counter, AttemptState(CAPPED, counter.number, runs, counter.capped)
    return counter, AttemptState(BLOCKED, counter.number, runs)


def _no_attempt(result: VerificationResult) -> str:
    if result.state in (UNAPPROVED, UNPROVEN):
        return result.state
    return FAILED


def _counted(
    counter: Attempts, fingerprint: str, now: int, runs: int, *, is_same: bool
) -> Attempts:
    """Return a counter with one more attempt, of `runs`."""
    number = counter.number + 1
    capped = ""
    if number >= runs:
        capped = EXHAUSTED
    elif is_same:
        capped = UNCHANGED
    return Attempts(counter.key, number, fingerprint, capped, now)
