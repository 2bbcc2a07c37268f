"""Each row of tests/cases/decisions/table.txt is what the gate decides. To add one, write it there, and align it by `python -m tests.unit.decision.table`."""

import re
from itertools import product

import pytest

from helix_hooks.config.policy import AUTO_APPROVE, BLOCK, CATEGORIES, ESCALATE, LEVELS, MATRIX
from helix_hooks.decision.decide import decide, of_pull_request
from helix_hooks.decision.states import CONCLUSIONS
from helix_hooks.pull.turn import escalation
from tests.conftest import ROOT
from tests.unit.decision.table import ASKED, TABLE, Row, aligned, facts, rows, seconds

TEXT = TABLE.read_text(encoding="utf-8")
ROWS = list(rows(TEXT))


def parameter(row: Row) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=row.bug)] if row.bug else []
    return pytest.param(row, id=f"line {row.number}, {row.section}", marks=marks)


@pytest.mark.parametrize("row", [parameter(row) for row in ROWS])
def test_row(row: Row) -> None:
    given = facts(row)
    found = given.decided()
    reasons = " / ".join(f"{reason.text}; {reason.way_out}" for reason in found.reasons)
    refused = [vote.refused for vote in found.refused]
    assert (found.state, str(found.exit_code)) == (row.state, row.code), f"{reasons} / {refused}"
    for phrase in row.why.split(" / "):
        text = phrase.removeprefix("refused: ")
        assert text in reasons if text == phrase else any(text in item for item in refused), (
            f"{text!r} in {reasons} / {refused}"
        )
    assert len(refused) == row.why.count("refused: "), "each refusal is said in the row"
    assert found.conclusion == CONCLUSIONS[row.state] and found.conclusion not in (
        "neutral",
        "skipped",
    )
    assert (found.conclusion == "success") == (row.state == "approved") == (found.exit_code == 0)


def test_the_table_is_aligned() -> None:
    assert aligned(TEXT) == TEXT


def test_the_table_leaves_nothing_out() -> None:
    assert {row.state for row in ROWS} == {*CONCLUSIONS}
    timed = {
        (row.section.removeprefix("Deadlines: "), word, row.now)
        for row in ROWS
        for word in row.policy.split()
        if row.section.startswith("Deadlines: ")
    }
    for category, action, now in product(
        CATEGORIES, (BLOCK, ESCALATE, AUTO_APPROVE), ("24h-1", "24h", "24h+1")
    ):
        assert (category, f"then={action}", now) in timed
    asked = {(row.policy, row.found) for row in ROWS}
    for action, level in product(MATRIX, LEVELS):
        assert (f"level={level}", f"adr=ok,{action}") in asked


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row.section.startswith("Deadlines: ")],
    ids=lambda row: f"line {row.number}, {row.section}",
)
def test_somebody_is_turned_to_once_and_everybody_is_told_until_when(row: Row) -> None:
    given = facts(row)
    found, late = given.decided(), given.now >= ASKED + seconds("24h")
    pending = row.state == "pending"
    assert found.escalated == (pending and late)
    assert found.due == (ASKED + seconds("48h" if late else "24h") if pending else 0)
    calls = escalation(given.given, found)
    assert (calls is not None) == found.escalated and (calls is None or calls.people == ("mia",))
    sent = given.given._replace(carried=given.given.carried._replace(escalated=True))
    assert escalation(sent, decide(of_pull_request(sent, given.pull, now=given.now))) is None


def test_one_function_decides() -> None:
    texts = {
        path: path.read_text(encoding="utf-8") for path in (ROOT / "helix_hooks").rglob("*.py")
    }
    assert [
        path.stem
        for path, text in texts.items()
        if re.search(r"^(?:async )?def decide\(", text, re.MULTILINE)
    ] == ["decide"]
