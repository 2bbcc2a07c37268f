"""The open questions of a run as entries: category, deadline, and what can be written."""

import pytest

from helix_hooks.config.policy import AUTO_APPROVE, ESCALATE, Deciders, Expiry, Policy
from helix_hooks.phases.gate_result import PENDING, GateResult
from helix_hooks.phases.questions import OpenQuestion
from helix_hooks.phases.run_state import DECIDE, MAKE, PAUSED, REVIEW, Decider
from helix_hooks.waiting.entry import ESCALATED, EXPIRED, WAITING, ProjectPolicy
from helix_hooks.waiting.flow_entry import (
    RunQuestion,
    category_of,
    entry,
    is_approved_by_time,
    is_expired,
)
from tests.unit.phases.runs import FLOW, OCTOCAT, STATE, UNSAFE, progress, with_code

ASKED_AT = 1_000_000
HOUR, DAY = 3600, 86400
HERE = ProjectPolicy("acme/shop", repository="acme/shop", is_on_github=True, names_deciders=True)


def asked(pause: str, **details: object) -> RunQuestion:
    """Return a question about `code-approval`, whose gate asked a judge."""
    result = GateResult("code-approval", "approval", PENDING, "not sure", details=details)
    found = progress(
        PAUSED, result if pause == DECIDE else UNSAFE, pause=pause, question="not sure"
    )
    question = OpenQuestion("code-approval", 1, "not sure", pause, pause == REVIEW)
    return RunQuestion(FLOW, with_code(found), question, ASKED_AT)


BUDGET = RunQuestion(FLOW, STATE, OpenQuestion("", 0, "cost 5.10 USD"), ASKED_AT)
ROUTINE = asked(DECIDE, category="routine", result="approved", confidence=0.95)


@pytest.mark.parametrize(
    ("question", "category"),
    [
        (ROUTINE, "routine"),
        (asked(DECIDE, category="uncertainty"), "uncertainty"),
        (asked(DECIDE, category="none of these"), "expertise"),
        (asked(DECIDE), "expertise"),
        (asked(REVIEW, category="routine"), "expertise"),
        (asked(MAKE, category="routine"), "expertise"),
        (BUDGET, "critical"),
    ],
)
def test_the_category(question: RunQuestion, category: str) -> None:
    assert category_of(question) == category


def by(action: str = "block", *, category: str = "routine") -> ProjectPolicy:
    expiry = Expiry(action, ("acme/board",) if action == ESCALATE else ())
    return HERE._replace(policy=Policy(deadlines={category: HOUR}, expiry=expiry))


@pytest.mark.parametrize(
    ("action", "after", "state"),
    [
        ("block", -1, WAITING),
        ("block", 0, EXPIRED),
        ("block", 1, EXPIRED),
        (ESCALATE, -1, WAITING),
        (ESCALATE, 0, ESCALATED),
        (ESCALATE, DAY - 1, ESCALATED),
        (ESCALATE, DAY, EXPIRED),
        (AUTO_APPROVE, -1, WAITING),
        (AUTO_APPROVE, 0, WAITING),
    ],
)
def test_the_second_of_the_deadline(action: str, after: int, state: str) -> None:
    now = ASKED_AT + HOUR + after
    found = entry(ROUTINE, by(action), now)
    assert found.state == state and is_expired(ROUTINE, by(action), now) == (state == EXPIRED)
    assert found.escalated_to == (("acme/board",) if state == ESCALATED else ())
    passes = action == AUTO_APPROVE and after >= 0
    assert is_approved_by_time(ROUTINE, by(action), now) == passes


@pytest.mark.parametrize("pause", [DECIDE, REVIEW])
def test_time_approves_nothing_that_needs_a_person(pause: str) -> None:
    late = by(AUTO_APPROVE, category="expertise")
    assert not is_approved_by_time(asked(pause), late, ASKED_AT + 9 * DAY)
    assert is_expired(asked(pause), late, ASKED_AT + HOUR)


@pytest.mark.parametrize("question", [asked(MAKE), BUDGET])
def test_what_no_answer_approves_has_no_deadline(question: RunQuestion) -> None:
    for category in ("expertise", "critical"):
        found = entry(question, by(category=category), ASKED_AT + 9 * DAY)
        assert (found.state, found.due_at) == (WAITING, 0)


def ways(question: RunQuestion, now: int = ASKED_AT, policy: ProjectPolicy = HERE) -> list[str]:
    return [line.removeprefix("helix-hooks ") for line in entry(question, policy, now).ways_on]


def test_what_can_be_written() -> None:
    id = "critical-8f3a/code-approval"
    approve, reject = f"queue approve {id}", f"queue reject {id} --reason TEXT"
    retry = "flow retry critical-8f3a --phase code-approval"
    assert ways(ROUTINE) == [approve, reject]
    assert ways(asked(REVIEW)) == [f"{approve} --override --reason TEXT", reject, retry]
    assert ways(asked(MAKE)) == [approve]
    assert ways(BUDGET) == ["queue approve critical-8f3a/budget", "flow cancel critical-8f3a"]
    assert ways(ROUTINE, ASKED_AT + HOUR, by()) == [retry]


def test_who_asked_and_who_decides() -> None:
    found = entry(ROUTINE, HERE, ASKED_AT)
    assert (found.asked_by, found.excluded, found.needs_login) == ("@octocat", ("octocat",), True)
    sole = HERE._replace(policy=Policy(deciders=Deciders(sole="Octocat")))
    assert entry(ROUTINE, sole, ASKED_AT).excluded == ()
    here = ProjectPolicy("folder")
    state = ROUTINE.state._replace(asked_by=Decider("Mona", verified=False))
    alone = entry(ROUTINE._replace(state=state), here, ASKED_AT)
    assert (alone.asked_by, alone.turn) == (
        "Mona (not verified)",
        "Waiting for a person at a terminal",
    )
    assert not (alone.needs_login or alone.asked_by_login or alone.excluded)
    named = here._replace(names_deciders=True, policy=Policy(deciders=Deciders(users=("anna",))))
    asked = entry(ROUTINE._replace(state=state), named, ASKED_AT)
    assert asked.turn == "Waiting for @anna or a person at a terminal"
    assert entry(ROUTINE, here, ASKED_AT).needs_login, "a login started it"
    assert OCTOCAT.verified


def test_the_recommendation_is_that_of_the_judge() -> None:
    said = entry(ROUTINE, HERE, ASKED_AT).recommendation
    assert (said.answer, said.confidence) == ("approve", 0.95)
    assert entry(asked(REVIEW), HERE, ASKED_AT).recommendation.answer == ""
    assert entry(asked(REVIEW), HERE, ASKED_AT).findings == UNSAFE.findings
