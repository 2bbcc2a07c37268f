"""The counters of a working tree, with their feedback and questions."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from .. import codec
from .attempts import (
    BLOCKED,
    CAPPED,
    COMPLETE,
    AttemptKey,
    Attempts,
    AttemptState,
    advance,
    fingerprint,
    key_of,
)
from .feedback import feedback
from .result import UNPROVEN, VerificationResult

_MAX_AGE = 14 * 24 * 3600
"""Seconds after which a counter without a question is dropped."""
_MAX_RECORDS = 100
"""Maximum records of a working tree beside those of one attempt; the oldest are dropped."""
_MAX_ERRORS = 50
_VERSION = 2
"""The version of the stored form."""


class Pending(NamedTuple):
    """A counter with the pending feedback, and the facts that a person needs.

    `feedback` is "" if nothing is pending and only the counter is kept. With `is_answered`, its
    attempts do not count for other sessions.
    """

    attempts: Attempts
    adr_id: str
    title: str
    errors: tuple[str, ...] = ()
    feedback: str = ""
    is_answered: bool = False

    @property
    def is_question(self) -> bool:
        """True if a person must decide: attempts are used up, and nobody has answered."""
        return bool(self.attempts.capped and self.feedback)


Records = tuple[Pending, ...]


class _Stored(NamedTuple):
    records: Records


class Attempt(NamedTuple):
    """One attempt: the session, the number of retries, the time, and the state of the tree.

    `tree` returns a hash of the tree that the contract of a result is compared with. `command`
    returns the command that verifies again. `is_ordered`: a command said how many runs there
    are, so the attempts of other sessions do not count.
    """

    session: str
    max_retries: int
    now: int
    tree: Callable[[VerificationResult], str]
    command: Callable[[VerificationResult], str]
    is_ordered: bool = False


class Counted(NamedTuple):
    """A result with its state, and the feedback on it ("" if there is none)."""

    result: VerificationResult
    state: AttemptState
    feedback: str = ""


def after(
    records: Records, results: Iterable[VerificationResult], attempt: Attempt
) -> tuple[Records, tuple[Counted, ...]]:
    """Return the records after an attempt, and the state of each result.

    An ADR in which nothing is missing loses its feedback and its question in all sessions. Its
    counter is dropped only in its own session, and not while another ADR of the attempt is
    blocked: an agent that breaks one ADR to fulfil the other would otherwise never stop.
    """
    by_key = {item.attempts.key: item for item in records}
    updated, counted = dict(by_key), list[Counted]()
    for result in results:
        key = key_of(result, attempt.session)
        elsewhere = 0 if attempt.is_ordered else _elsewhere(records, key)
        item, state = _advanced(by_key.get(key), key, result, attempt, elsewhere)
        if item:
            _put(updated, item)
        counted.append(Counted(result, state, item.feedback if item else ""))
    fulfilled = {item.result.path for item in counted if item.state.state in (COMPLETE, UNPROVEN)}
    remaining = answered(tuple(updated.values()), fulfilled)
    finished = _finished_keys(counted, attempt.session)
    remaining = tuple(item for item in remaining if item.attempts.key not in finished)
    current = {key_of(item.result, attempt.session) for item in counted}
    return _pruned(remaining, attempt.now, current), tuple(counted)


def _elsewhere(records: Records, key: AttemptKey) -> int:
    """Return the attempts of other sessions at a contract, unless a person has answered."""
    others = (item.attempts for item in records if not item.is_answered)
    return max((item.number for item in others if key.counts_with(item.key)), default=0)


def _put(records: dict[AttemptKey, Pending], item: Pending) -> None:
    """Replace all counters of the ADR in the session, also of other contracts and bases.

    The feedback replaces that of other sessions on the same contract: it is about the same tree.
    """
    key = item.attempts.key
    for other in [*records]:
        if (other.adr, other.session) == (key.adr, key.session):
            del records[other]
        elif other[:3] == key[:3]:
            records[other] = records[other]._replace(errors=(), feedback="")
    records[key] = item


def _finished_keys(counted: Iterable[Counted], session: str) -> set[AttemptKey]:
    """Return the keys of the counters that end; none while an ADR is blocked."""
    finished = set()
    for item in counted:
        if item.state.state == BLOCKED:
            return set()
        if item.state.state == COMPLETE:
            finished.add(key_of(item.result, session))
    return finished


def _advanced(
    record: Pending | None,
    key: AttemptKey,
    result: VerificationResult,
    attempt: Attempt,
    elsewhere: int,
) -> tuple[Pending | None, AttemptState]:
    """Return the record of a failed attempt, None for any other one, and the state."""
    attempts = record.attempts if record else None
    # The hash of a tree is expensive, and a success does not need it.
    current = "" if result.success else fingerprint(result, attempt.tree(result))
    attempts, state = advance(
        attempts, key, result, current, attempt.max_retries, attempt.now, elsewhere
    )
    if not attempts or state.state not in (BLOCKED, CAPPED):
        return None, state
    item = Pending(
        attempts=attempts,
        adr_id=result.adr_id,
        title=result.title,
        errors=result.errors[:_MAX_ERRORS],
        feedback=feedback(result, state, attempt.now, attempt.command(result)),
        # A stop of a session that had given up takes no answer back.
        is_answered=bool(record and record.is_answered and record.attempts.capped),
    )
    return item, state


def _pruned(records: Iterable[Pending], now: int, current: Collection[AttemptKey]) -> Records:
    """Return the records without old ones. All of the current attempt stay: without its counter,
    an ADR would be blocked for ever.
    """
    young = [item for item in records if item.is_question or now - item.attempts.at < _MAX_AGE]
    young.sort(key=lambda item: (item.attempts.key in current, item.attempts.at))
    return tuple(young[-max(_MAX_RECORDS, len(current)) :])


def answered(
    records: Records, adrs: Collection[str] | None = None, *, is_person: bool = False
) -> Records:
    """Return the records without feedback and questions on some ADRs, or on all by default.

    A new session starts again. In their own sessions the counters stay unless a person has answered
    for certain: an agent that clears its own feedback must not be blocked again.
    """
    if is_person:
        return tuple(item for item in records if adrs and item.attempts.key.adr not in adrs)
    cleared = []
    for item in records:
        if adrs is None or item.attempts.key.adr in adrs:
            item = item._replace(errors=(), feedback="", is_answered=True)  # noqa: PLW2901 -- the same record
        cleared.append(item)
    return tuple(cleared)


def begun(records: Records, adrs: Iterable[str], session: str) -> Records:
    """Return the records at the start of a session, without those of these ADRs in it."""
    paths = set(adrs)
    keys = {item.attempts.key for item in records}
    dropped = {key for key in keys if key.session == session and key.adr in paths}
    return tuple(item for item in records if item.attempts.key not in dropped)


def shown(records: Records) -> str:
    """Return the text of `feedback.md`; "" if nothing is pending."""
    return "\n---\n\n".join(item.feedback for item in records if item.feedback)


def to_json(records: Records) -> str:
    """Return the records as they are stored."""
    return codec.stored(_Stored(records), _VERSION)


def from_json(text: bytes | str) -> Records:
    """Return the records of a text.

    Raises:
        ValueError: The text differs from what `to_json` writes.
    """
    return codec.loaded(text, _Stored, _VERSION).records
