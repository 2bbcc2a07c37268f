"""The decision on the stop of an agent, and the message to the agent."""

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..errors import HelixError
from ..text import printable
from ..verification.attempts import BLOCKED, CAPPED, COMPLETE
from ..verification.feedback import gave_up
from ..verification.naming import short_name
from ..verification.pending import Attempt, Counted, Records, after
from ..verification.result import (
    EXIT_CODES,
    FAILED,
    PROMISES_NOTHING,
    UNAPPROVED,
    UNMET,
    UNPROVEN,
    VERIFIED,
    VerificationResult,
)
from . import store, tree
from .store import Store

INSIDE, RUN = "HELIX_HOOKS_INSIDE", "HELIX_RUN"
"""The environment variables of programs that a verification or a run has started."""

_SHOW = "helix-hooks feedback"


class StopDecision(NamedTuple):
    """The decision (`allow`: the agent may stop), the message to it, and an exit code."""

    allow: bool
    message: str
    exit_code: int = 0


def inside(environment: Mapping[str, str]) -> StopDecision | None:
    """Return the decision on a stop inside of `verify --run`, which verifies the work itself.

    None for any other stop.
    """
    if not environment.get(INSIDE):
        return None
    return StopDecision(
        True, "helix-hooks verifies this run at its end, so this stop is not counted"
    )


def decide_stop(
    results: Sequence[VerificationResult], session: str, place: Store, max_retries: int, now: int
) -> StopDecision:
    """Count an attempt and return the decision. If counting fails, the agent may stop."""
    if not results:
        return StopDecision(True, "no ADR is claimed to be implemented, so nothing was verified")
    try:
        counted = count(results, session, place, max_retries, now)
    except HelixError as error:
        message = f"not verified: the attempt could not be counted: {printable(str(error), 500)}"
        return StopDecision(True, message, HelixError.exit_code)
    return decision_on(counted)


def count(
    results: Sequence[VerificationResult],
    session: str,
    place: Store,
    max_retries: int,
    now: int,
    *,
    is_ordered: bool = False,
) -> tuple[Counted, ...]:
    """Count an attempt and write its feedback. With `is_ordered`, only this session counts.

    Raises:
        HelixError: The store can't be read or written.
    """
    # The state of the work tree: a repeated stop without any change is not a new attempt.
    bases = {result.since for result in results if result.state == UNMET}
    trees = {since: tree.state(place.root, since, place.copy) for since in bases}
    attempt = Attempt(
        session=key_of_session(session),
        max_retries=max_retries,
        now=now,
        tree=lambda result: trees.get(result.since, ""),
        command=command_for,
        is_ordered=is_ordered,
    )

    def change(records: Records) -> tuple[Records, tuple[Counted, ...]]:
        return after(records, results, attempt)

    return store.update(place, change)


def command_for(result: VerificationResult) -> str:
    """Return the command that verifies an ADR."""
    return f"helix-hooks verify {shlex.quote(result.path or result.adr_id)}"


def key_of_session(session: str) -> str:
    """Return the key of a session in the store: agents choose length and characters of its name.

    `session` is `AgentStop.conversation`, or a word without a colon.
    """
    agent, _, name = session.partition(":")
    return f"{_hash(name or agent)[:32]}:{_hash(agent)[:8]}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def decision_on(counted: Sequence[Counted]) -> StopDecision:
    """Return the decision on counted results: one blocked ADR blocks the stop."""
    blocked = [item for item in counted if item.state.state == BLOCKED]
    if blocked:
        texts = "\n---\n\n".join(item.feedback for item in blocked)
        others = "".join(f"\n{_line(item)}" for item in counted if item not in blocked)
        return StopDecision(False, f"{texts}{others}", EXIT_CODES[UNMET])
    message = "\n".join(_line(item) for item in counted)
    return StopDecision(True, message, _exit_code({item.state.state for item in counted}))


def _exit_code(states: set[str]) -> int:
    """Return the exit code for the states of results, none of which is blocked."""
    if states <= {COMPLETE}:
        return EXIT_CODES[VERIFIED]
    if FAILED in states:
        return EXIT_CODES[FAILED]
    # Capped, unapproved or unproven: a person must decide.
    return EXIT_CODES[UNAPPROVED]


def _line(item: Counted) -> str:
    """Return a result as one line."""
    name = printable(short_name(item.result.adr_id, item.result.path), 200)
    state = item.state
    if state.state == COMPLETE:
        return f"{name}: verified"
    if state.state == UNPROVEN:
        counts = item.result.counts or PROMISES_NOTHING
        return f"{name}: not verified: {counts}: a person must look"
    if state.state == CAPPED:
        missing = "; ".join(printable(error, 200) for error in item.result.errors[:5])
        return f"{name}: {gave_up(state)} Missing: {missing}. Full list: `{_SHOW}`"
    reason = printable(state.reason, 300) if state.reason else "no reason is known"
    if state.state == UNAPPROVED:
        return f"{name}: not verified, the ADR is not approved: {reason}"
    return f"{name}: verification failed: {reason}"
