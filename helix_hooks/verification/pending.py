"""The counters of a work tree with their feedback and questions, as values."""

from collections.abc import Callable, Collection, Iterable

from ..records import NamedTuple
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
from .result import NOTHING_SHOWN, VerificationResult

_OLD = 14 * 24 * 3600
"""Seconds after which a counter is dropped that asks nobody anything."""
_MOST = 100
"""Records of a work tree; the oldest are dropped."""
_MOST_ERRORS = 50


class Pending(NamedTuple):
    """A counter with the feedback that is pending, and what a person needs to know.

    `feedback` is "" where nothing is pending any more and only the counter is kept.
    """

    attempts: Attempts
    adr_id: str
    title: str
    errors: tuple[str, ...] = ()
    feedback: str = ""

    @property
    def is_question(self) -> bool:
        """Return whether a person is asked: attempts are used up, and nobody has answered."""
        return bool(self.attempts.capped and self.feedback)


Records = tuple[Pending, ...]


class Attempt(NamedTuple):
    """One attempt: the session, the number of retries, the time, and the state of the tree.

    `tree` returns a hash of the tree, for the result whose contract it is compared with; `command`
    verifies again.
    """

    session: str
    max_retries: int
    now: int
    tree: Callable[[VerificationResult], str]
    command: Callable[[VerificationResult], str]


class Counted(NamedTuple):
    """A result with its state, and the feedback on it ("" for none)."""

    result: VerificationResult
    state: AttemptState
    feedback: str = ""


def after(
    records: Records, results: Iterable[VerificationResult], attempt: Attempt
) -> tuple[Records, tuple[Counted, ...]]:
    """Return the records after an attempt, and the state of each result.

    An ADR of which nothing is missing has no feedback and no question any more, in no session. A
    counter ends only with a verified ADR of its own session, and not while another ADR of the same
    attempt is blocked; else an agent that breaks one ADR to fulfil the other would be blocked for
    ever.
    """
    known = {item.attempts.key: item for item in records}
    kept, counted = dict(known), list[Counted]()
    for result in results:
        key = key_of(result, attempt.session)
        item, state = _advanced(known.get(key), key, result, attempt)
        counted.append(Counted(result, state, item.feedback if item else ""))
        if state.state in (BLOCKED, CAPPED) and item:
            kept = {other: value for other, value in kept.items() if not _replaced(other, key)}
            kept[key] = item
    blocks = any(done.state.state == BLOCKED for done in counted)
    done = [item for item in counted if item.state.state in (COMPLETE, NOTHING_SHOWN)]
    left = answered(tuple(kept.values()), {item.result.path for item in done})
    over = {
        key_of(item.result, attempt.session)
        for item in done
        if item.state.state == COMPLETE and not blocks
    }
    left = tuple(item for item in left if item.attempts.key not in over)
    return _pruned(left, attempt.now), tuple(counted)


def _advanced(
    known: Pending | None, key: AttemptKey, result: VerificationResult, attempt: Attempt
) -> tuple[Pending | None, AttemptState]:
    before = known.attempts if known else None
    found = "" if result.success else fingerprint(result, attempt.tree(result))
    attempts, state = advance(before, key, result, found, attempt.max_retries, attempt.now)
    if not attempts or state.state not in (BLOCKED, CAPPED):
        return None, state
    item = Pending(
        attempts=attempts,
        adr_id=result.adr_id,
        title=result.title,
        errors=result.errors[:_MOST_ERRORS],
        feedback=feedback(result, state, attempt.now, attempt.command(result)),
    )
    return item, state


def _replaced(other: AttemptKey, key: AttemptKey) -> bool:
    """Return whether a counter is of the same ADR and session, with another contract or base."""
    return (other.adr, other.session) == (key.adr, key.session)


def _pruned(records: Iterable[Pending], now: int) -> Records:
    young = [item for item in records if item.is_question or now - item.attempts.at < _OLD]
    return tuple(sorted(young, key=lambda item: item.attempts.at)[-_MOST:])


def answered(records: Records, adrs: Collection[str] | None = None) -> Records:
    """Return the records without feedback and questions on some ADRs, None for all.

    The counters stay, so that an agent that clears its own feedback is not blocked anew.
    """
    return tuple(
        item._replace(errors=(), feedback="")
        if adrs is None or item.attempts.key.adr in adrs
        else item
        for item in records
    )


def begun(records: Records, adrs: Iterable[str], session: str) -> Records:
    """Return the records at the start of a session: none of its own for these ADRs."""
    started = set(adrs)
    return tuple(
        item
        for item in records
        if item.attempts.key.session != session or item.attempts.key.adr not in started
    )


def shown(records: Records) -> str:
    """Return the text of `feedback.md`; "" if nothing is pending."""
    return "\n---\n\n".join(item.feedback for item in records if item.feedback)
