"""What a paused run asks, and which answers are refused with which words."""

from typing import Any

import pytest

from helix_hooks.phases.questions import questions, refusal
from helix_hooks.phases.run_state import APPROVED, PAUSED, Decider, PersonDecided, PhaseProgress
from tests.unit.report.runs import FLOW, REJECTED_CODE, STATE, progress, with_code

PERSON = Decider("mona", verified=False)
MADE_BY_HAND = progress(PAUSED, question="make it")


def answer(
    action: str, phase: str = "code-approval", number: int = 2, **more: Any
) -> PersonDecided:
    return PersonDecided(action, phase, number, PERSON)._replace(**more)


def test_a_paused_phase_is_a_question_and_a_cancelled_run_asks_nothing() -> None:
    assert [item.phase for item in questions(FLOW, STATE)] == ["code-approval"]
    assert questions(FLOW, STATE._replace(cancelled=True)) == ()


@pytest.mark.parametrize(
    ("code", "decided", "words"),
    [
        (REJECTED_CODE, answer("approve"), "flow approve critical-8f3a --phase code-approval --override --reason"),
        (REJECTED_CODE, answer("approve", override=True, reason=" "), "--override --reason TEXT"),
        (REJECTED_CODE, answer("approve", override=True, reason="accepted risk"), ""),
        (REJECTED_CODE, answer("reject"), "a rejection needs feedback"),
        (REJECTED_CODE, answer("reject", reason="name the owner"), ""),
        (REJECTED_CODE, answer("reject", reason="x", number=1), "was tried again since"),
        (REJECTED_CODE, answer("approve", phase="code"), "has no phase 'code'; there are adr-creation"),
        (REJECTED_CODE, answer("retry"), ""),
        (MADE_BY_HAND, answer("approve", number=1), ""),
        (MADE_BY_HAND, answer("approve", number=1, override=True, reason="x"), "leave it out"),
        (progress(APPROVED), answer("approve"), "asks nobody: it is approved"),
        (progress(APPROVED, overridden="@mona: fine"), answer("approve"), "decided already: @mona: fine"),
        (progress("running"), answer("retry", number=1), "asks nobody: it is running"),
        (progress("rejected"), answer("retry", number=1), ""),
        (progress("running"), answer("cancel", phase=""), ""),
    ],
)  # fmt: skip
def test_answers(code: PhaseProgress, decided: PersonDecided, words: str) -> None:
    found = refusal(with_code(code), decided)
    assert (words in found) if words else found == ""


def test_nothing_is_decided_about_a_cancelled_run() -> None:
    assert refusal(STATE._replace(cancelled=True), answer("retry")) == "critical-8f3a was cancelled"
