"""What is claimed to be implemented, in the hand-over, in its JSON, and in the run record."""

import hashlib

import pytest

from helix_hooks.decision import run_record
from helix_hooks.decision.handover import (
    MOST_LISTED,
    ClaimedAdr,
    ClaimedPromise,
    Handover,
    PlacedFinding,
    claimed_adr,
    read,
    text,
    worst_first,
)
from helix_hooks.decision.reasons import of_claims
from helix_hooks.finding import Finding
from helix_hooks.verification.result import (
    MISSING,
    SHOWN,
    UNMET,
    Expectation,
    VerificationResult,
    without_evidence,
)
from tests.unit.decision.table import Row, facts

STATES = ("verified", "unproven", "unmet", "unapproved", "failed")


def result(missing: int, subject: str = "src/a.py") -> VerificationResult:
    lacks = [Expectation("create", subject, MISSING, 3, "it is not there")] * missing
    found = (*lacks, Expectation("modify", "src/b.py", SHOWN))
    return VerificationResult("014", "docs/adr/0014.md", "14. Use Kafka", UNMET, found)


def handover(*claimed: ClaimedAdr) -> Handover:
    given = facts(Row("", 0, "-", "adr=ok", "-", "-", "", "", "")).given
    return given._replace(claims=("ADR-014",), claims_left_out=3, claimed=claimed)


def test_a_result_is_taken_along_in_short() -> None:
    found = claimed_adr(result(30), blocks=True)
    assert found[:5] == ("ADR-014", "docs/adr/0014.md", "Use Kafka", "unmet", True)
    assert (found.promises, found.missing, len(found.first)) == (31, 30, MOST_LISTED)


def test_long_and_odd_texts_fit_the_schema() -> None:
    found = claimed_adr(result(12, "src/" + "ä" * 5_000 + "\udcff"), blocks=True)
    odd = claimed_adr(without_evidence("\udcff" * 900, "docs/\udcff.md", "failed", "x" * 999), True)
    given = handover(found, odd)
    assert read(text(given)) == given


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_read_as_it_was_written(state: str) -> None:
    lack = ClaimedPromise("criterion", "it works", "missing", "it names no test")
    given = handover(ClaimedAdr("ADR-1", "", "", state, False, "why", 9, 2, 1, 3, 1, (lack,)))
    assert read(text(given)) == given


def test_what_is_missing_is_left_out_of_a_long_record_and_the_state_stays() -> None:
    claimed = tuple(claimed_adr(result(12, "src/a.py"), blocks=True) for _ in range(20))
    given = handover(*claimed)
    noise = [hashlib.sha512(str(number).encode()).hexdigest() for number in range(900)]
    notes = [Finding("info", "note", "rules", text, "docs/adr/0001.md") for text in noise]
    long = given._replace(
        rule_findings=tuple(PlacedFinding(item, f"{n:016x}") for n, item in enumerate(notes))
    )
    for item, rows in ((given, MOST_LISTED), (long, 0)):
        packed = run_record.text(item)
        kept = run_record.read(packed)
        assert kept is not None and len(packed) <= 65_000
        assert {len(adr.first) for adr in kept.claimed} == {rows}
        assert of_claims(kept.claimed) == of_claims(given.claimed)


def test_the_worst_that_counts_comes_first() -> None:
    items = [
        ClaimedAdr(f"{state} {blocks}", "", "", state, blocks)
        for state in STATES
        for blocks in (False, True)
    ]
    assert [item.name for item in worst_first(items)][:4] == [
        "failed True",
        "unmet True",
        "unapproved True",
        "unproven True",
    ]
    assert worst_first(items)[5].name == "failed False"
