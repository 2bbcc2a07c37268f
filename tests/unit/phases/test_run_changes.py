"""A run as lines of a log: one for each change of a phase, and none for a state that is told again."""

from helix_hooks.phases.flow import RETRY_PHASE, Rejection
from helix_hooks.phases.run_state import RUNNING, WAITING
from helix_hooks.phases.run_text import changes, listed
from tests.unit.phases.runs import FLOW, REJECTED_CODE, STATE, UNSAFE, progress, with_code


def test_the_first_state_tells_what_has_begun() -> None:
    lines = [*changes(FLOW, None, STATE)]
    assert lines == [
        "adr-creation: approved (12 s, < $0.01): adr_complete: 1 ADR is complete",
        "adr-approval: approved (40 s, $0.30): approval: approved with confidence 0.93",
        "implementation: approved (4 min, $1.20)",
        "code-approval: paused (31 s, $0.11): its gate rejected it, and no tries are left",
        "security-approval: running, try 1/1",
    ]
    assert [*changes(FLOW, STATE, STATE)] == []
    assert [*changes(FLOW, None, with_code(progress(WAITING, number=0)))] == [
        line for line in lines if not line.startswith("code-approval")
    ]


def test_another_try_is_told_with_the_answer_that_led_to_it() -> None:
    before = with_code(progress(RUNNING, number=1))
    again = with_code(progress(RUNNING, UNSAFE, number=2, attempt=2))
    assert [*changes(FLOW, before, again)] == [
        "code-approval: approval: 1 error stands",
        "code-approval: running, try 2/2",
    ]
    waiting = with_code(REJECTED_CODE._replace(state=WAITING))
    assert [*changes(FLOW, STATE, waiting)] == ["code-approval: waiting again"]


def test_a_phase_that_repeats_another_says_why() -> None:
    phases = tuple(
        phase._replace(on_rejection=Rejection(RETRY_PHASE, "implementation", 2))
        if phase.id == "code-approval"
        else phase
        for phase in FLOW.phases
    )
    waiting = with_code(progress(WAITING, UNSAFE, number=1, used=1))
    assert [*changes(FLOW._replace(phases=phases), STATE, waiting)] == [
        "code-approval: rejected; implementation runs again (1 of 2): approval: 1 error stands"
    ]


def test_a_list_without_runs_says_how_to_begin() -> None:
    assert listed(()) == "no runs here; `helix-hooks run FILE` starts one\n"
