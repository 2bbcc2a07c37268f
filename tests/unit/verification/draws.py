"""Results of verifications, made and drawn."""

from hypothesis import strategies as st

from helix_hooks.verification.pending import Attempt
from helix_hooks.verification.result import (
    FAILED,
    MISSING,
    UNAPPROVED,
    UNCHECKED,
    UNMET,
    UNPROVEN,
    VERIFIED,
    Expectation,
    VerificationResult,
)

PATH = "docs/adr/014-use-kafka.md"


def missing(subject: str, line: int = 12) -> Expectation:
    return Expectation("create", subject, MISSING, line, "the file is missing", f"create {subject}")


def result(state: str, *subjects: str, adr: str = "014", since: str = "abc") -> VerificationResult:
    """Return a result; an unmet one misses these files."""
    reason = "git did not answer" if state == FAILED else ""
    return VerificationResult(
        adr_id=f"ADR-{adr}",
        path=PATH.replace("014", adr),
        title="Use Kafka",
        state=state,
        expectations=(
            *(missing(subject) for subject in subjects or ["src/a.py"] if state == UNMET),
            Expectation("criterion", "It is fast", UNCHECKED, 30, "it names no test"),
        ),
        reason=reason,
        contract="c1",
        since=since,
    )


def attempt(tree: str = "t", session: str = "s", max_retries: int = 2, now: int = 1000) -> Attempt:
    return Attempt(session, max_retries, now, lambda _: tree, lambda item: f"verify {item.adr_id}")


STATES = st.sampled_from([UNMET, UNMET, UNMET, VERIFIED, FAILED, UNAPPROVED, UNPROVEN])
RETRIES = st.integers(0, 4)
TREES = st.sampled_from(["t1", "t2", "t3", "t4", "t5"])
