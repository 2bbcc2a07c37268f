"""What a paused run asks, and the command lines that answer it."""

import pytest

from helix_hooks.phases.advance import refusal
from helix_hooks.phases.questions import BUDGET, answerable, question_of, questions, ways_on
from helix_hooks.phases.run_state import (
    DECIDE,
    MAKE,
    PAUSED,
    REJECTED,
    REVIEW,
    Decider,
    PersonDecided,
    PhaseProgress,
)
from tests.unit.phases.runs import FLOW, REJECTED_CODE, STATE, UNSAFE, progress, with_code


def test_a_paused_phase_is_a_question_and_a_cancelled_run_asks_nothing() -> None:
    assert [item.phase for item in questions(FLOW, STATE)] == ["code-approval"]
    assert questions(FLOW, STATE._replace(cancelled=True)) == ()


def test_the_budget_is_asked_for_first() -> None:
    asked = questions(FLOW, STATE._replace(question="$5.00 are used up", raised=2))
    assert [(item.name, item.number) for item in asked] == [(BUDGET, 2), ("code-approval", 2)]


def test_what_was_rejected_can_be_tried_again_where_nothing_asks() -> None:
    rejected = with_code(progress(REJECTED, UNSAFE))
    assert questions(FLOW, rejected) == ()
    assert [item.phase for item in answerable(FLOW, rejected)] == ["code-approval"]
    assert answerable(FLOW, rejected._replace(cancelled=True)) == ()
    asked = rejected._replace(question="$5.00 are used up", raised=2)
    assert [item.name for item in answerable(FLOW, asked)] == [BUDGET]


@pytest.mark.parametrize(
    ("found", "actions"),
    [
        (REJECTED_CODE, ["approve", "reject", "retry"]),
        (progress(PAUSED, pause=DECIDE), ["approve", "reject"]),
        (progress(PAUSED, pause=MAKE), ["approve"]),
        (progress(PAUSED, pause=REVIEW), ["reject", "retry"]),
        (progress(REJECTED, UNSAFE), ["approve", "retry"]),
    ],
)
def test_each_way_on_can_be_taken(found: PhaseProgress, actions: list[str]) -> None:
    """The rules of a run refuse none of the lines that are offered, for somebody who did not ask."""
    state = with_code(found)
    question = question_of("code-approval", found)
    lines = ways_on(state.run, question)
    assert [line.split()[2] for line in lines] == actions
    for action, line in zip(actions, lines, strict=True):
        event = PersonDecided(
            action=action,
            phase="code-approval",
            number=found.number,
            by=Decider("mona", verified=True),
            reason="x" if "TEXT" in line else "",
            override="--override" in line,
        )
        assert refusal(state, event) == ""
